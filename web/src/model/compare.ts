/** What the page Compare shows of an answer. */

import type { CompareAnswer, ComparedRow, DrawnLane, Status } from '../api/types.ts'

/** Levels of rows, from the step down; kernel names come last, since they say least. */
export const LEVELS = [
  'side', 'phase', 'idle', 'module', 'range', 'function', 'operator', 'call', 'collective', 'kernel',
] as const // prettier-ignore
export type Level = (typeof LEVELS)[number]

/** Rows of a level that are listed; the others are counted. */
const MOST = 30

export interface LevelRows {
  level: Level
  /** Those that differ or cannot be told, the largest difference first. */
  rows: ComparedRow[]
  same: number
  /** Rows beyond the listed ones. */
  more: number
}

export function levelRows(rows: readonly ComparedRow[]): LevelRows[] {
  return LEVELS.flatMap((level) => {
    const own = rows.filter((row) => row.level === level && (row.base_ns > 0 || row.new_ns > 0))
    if (own.length === 0) return []
    // Parts of the step are few, and those that stay the same say as much.
    const parts = level === 'side' || level === 'phase' || level === 'idle'
    const listed = own
      .filter((row) => parts || row.status !== 'same')
      .sort((one, other) => Math.abs(other.delta_ns) - Math.abs(one.delta_ns))
    const same = own.length - listed.length
    return [{ level, rows: listed.slice(0, MOST), same, more: Math.max(0, listed.length - MOST) }]
  })
}

export interface Fall {
  kind: 'base' | 'cause' | 'host' | 'rest' | 'new'
  cause: number
  from_ns: number
  to_ns: number
}

/** From the base step to the new one: its causes, the host as a whole, and what none of these explains; exact. */
export function waterfall(answer: CompareAnswer): Fall[] {
  const { base_ns, new_ns, delta_ns } = answer.step
  const falls: Fall[] = [{ kind: 'base', cause: -1, from_ns: 0, to_ns: base_ns }]
  let at = base_ns
  const add = (kind: Fall['kind'], by: number, cause = -1) => {
    if (by !== 0) falls.push({ kind, cause, from_ns: at, to_ns: at + by })
    at += by
  }
  answer.causes.forEach((cause, index) => add('cause', cause.effect_ns, index))
  add('host', answer.host.step_ns)
  add('rest', base_ns + delta_ns - at)
  falls.push({ kind: 'new', cause: -1, from_ns: 0, to_ns: new_ns })
  return falls
}

export interface Tint {
  status: Status
  /** More or less time on the new side. */
  longer: boolean
}

/** How the rows of an event's name came out; null where it is not among them. */
export function tints(answer: CompareAnswer, kind: DrawnLane['kind']): (Tint | null)[] {
  const levels = kind === 'gpu' ? ['kernel', 'collective'] : ['operator']
  const found = new Map<string, Tint>()
  for (const row of answer.rows)
    if (levels.includes(row.level) && row.of === kind)
      found.set(row.key, { status: row.status, longer: row.delta_ns > 0 })
  return answer.names.map((name) => found.get(name) ?? null)
}

/** Parts of a step for a bar: keys of sides, in the order of the steps' breakdown, with their share of the longer step. */
export function sides(answer: CompareAnswer, side: 'base' | 'new'): { key: string; ns: number; share: number }[] {
  const longest = Math.max(answer.step.base_ns, answer.step.new_ns, 1)
  const rows = new Map(answer.rows.filter((row) => row.level === 'side').map((row) => [row.key, row]))
  return SIDES.flatMap((key) => {
    const ns = rows.get(key)?.[`${side}_ns`] ?? 0
    return ns > 0 ? [{ key, ns, share: (100 * ns) / longest }] : []
  })
}

const SIDES = ['compute', 'communication', 'memcpy', 'memset', 'runtime', 'data_loading', 'cpu', 'other']

/** The colour of each, as everywhere. */
export const SIDE_COLOURS: Readonly<Record<string, string>> = {
  compute: 'compute', communication: 'communication', memcpy: 'memory', memset: 'memory', runtime: 'host',
  data_loading: 'data_loading', cpu: 'host', other: 'idle',
} // prettier-ignore
