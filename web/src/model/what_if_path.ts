/** What a step is made of before and after changes: its critical path, by resource and by name. */

import type { PathPart, Said } from '../api/types.ts'
import type { Meaning } from './colours.ts'

/** The sides of a path in the order of a step's work, with what they mean. */
const SIDES: { side: string; meaning: Meaning }[] = [
  { side: 'host', meaning: 'host' },
  { side: 'data_loading', meaning: 'data_loading' },
  { side: 'launch_latency', meaning: 'launch_latency' },
  { side: 'compute', meaning: 'compute' },
  { side: 'communication', meaning: 'communication' },
  { side: 'copies', meaning: 'memory' },
  { side: 'waiting', meaning: 'idle' },
]

/** The message of what is not among the longest. */
export const OTHERS = 'path-others'

interface SideTime {
  side: string
  meaning: Meaning
  ns: number
  pct: number
}

/** The meaning of a side of the path. */
export function sideMeaning(side: string): Meaning {
  return SIDES.find((one) => one.side === side)?.meaning ?? 'other'
}

/** Time of each side that the path runs over, in the order of a step's work. */
export function sideTimes(path: PathPart[]): SideTime[] {
  const known = SIDES.map((one) => one.side)
  const others = [...new Set(path.map((one) => one.side))].filter((side) => !known.includes(side))
  return [...known, ...others].flatMap((side) => {
    const mine = path.filter((one) => one.side === side)
    const sum = (of: 'ns' | 'share_pct') => mine.reduce((total, one) => total + one[of], 0)
    return mine.length ? [{ side, meaning: sideMeaning(side), ns: sum('ns'), pct: sum('share_pct') }] : []
  })
}

/** Time of a path, end to end. */
export function pathTime(path: PathPart[]): number {
  return path.reduce((total, one) => total + one.ns, 0)
}

export interface PathName {
  key: string
  side: string
  /** As in the trace, or what it is. */
  name: string | Said
  /** Null where it is not among the longest of that path. */
  before: number | null
  after: number | null
}

/** The names with most time on either path, longest first. */
export function pathNames(before: PathPart[], after: PathPart[], most: number): PathName[] {
  const found = new Map<string, PathName>()
  const put = (path: PathPart[], when: 'before' | 'after') => {
    for (const { side, name, label, ns } of path) {
      if (label?.id === OTHERS) continue
      const key = JSON.stringify([side, name, label?.id])
      const row = found.get(key) ?? { key, side, name: name ?? label ?? '', before: null, after: null }
      row[when] = ns
      found.set(key, row)
    }
  }
  put(before, 'before')
  put(after, 'after')
  const size = (one: PathName) => Math.max(one.before ?? 0, one.after ?? 0)
  return [...found.values()].sort((a, b) => size(b) - size(a)).slice(0, most)
}
