/** What-if: changes as `stepscope what-if` writes them, and the rows with which the page offers them. */

import type { ChangeKind, ChangesAnswer, Said, Selection, TableData, WhatIfRank } from '../api/types.ts'
import { type Columns, numbersOf, rowCount, textsOf } from './columns_of.ts'
import { quoted } from './copies.ts'
import { saidAt } from './said.ts'

/** A change in its parts: `kernel:gemm x0.5`. */
export interface Change {
  kind: string
  /** What follows the colon; empty for nothing. */
  name: string
  /** By what times are multiplied; null where no factor is written. */
  factor: number | null
  /** The only rank that is changed; null for all. */
  rank?: number | null
}

/** What a finding says of its fix. */
export interface Found {
  title: Said | string
  pct: number
  low: number
  high: number
  ns: number | null
}

/** A row of the page: a change that is made, or could be. */
export interface ChangeRow extends Change {
  key: string
  on: boolean
  /** Whether it takes a factor. */
  takes: boolean
  /** What it would change, and why there is nothing to change; null where neither is known. */
  affected: Said | null
  lack: Said | null
  hostNs: number
  gpuNs: number
  /** The finding whose fix it is; null without one. */
  found: Found | null
}

/** What a slider begins at when its change is switched on. */
const FIRST_FACTOR = 0.5

const CHANGE = /^([a-z-]+)(?::(.+?))?(?:\s+x\s*(\d+(?:\.\d*)?|\.\d+))?(?:\s+on rank\s+(\d+))?\s*$/

/** The changes that the URL names; none where it names them wrongly. */
export function changesIn(text: string | undefined): string[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Changes as the URL has them; null for none. */
export function urlText(changes: string[]): string | null {
  return changes.length ? JSON.stringify(changes) : null
}

/** A change in its parts, or null where it is none of the form. */
export function partsOf(text: string): Change | null {
  const found = CHANGE.exec(text.trim())
  if (!found) return null
  const factor = found[3] === undefined ? null : Number(found[3])
  const rank = found[4] === undefined ? {} : { rank: Number(found[4]) }
  return { kind: found[1] ?? '', name: found[2] ?? '', factor, ...rank }
}

/** A change as it is written. */
export function written({ kind, name, factor, rank = null }: Change): string {
  const times = factor === null ? '' : ` x${Number(factor.toFixed(3))}`
  return `${kind}${name ? `:${name}` : ''}${times}${rank === null ? '' : ` on rank ${rank}`}`
}

/** A change of how long ranks wait for one another: it is the job's, and of no rank alone. */
export const STRAGGLER = 'no-straggler'

/** The rank that all changes are limited to; null where they are not, or not to the same. */
export function scopeOf(changes: string[]): number | null {
  const parts = changes.map(partsOf).filter((one) => one !== null && one.kind !== STRAGGLER)
  const [first] = parts
  return first && parts.every((one) => one?.rank === first.rank) ? (first.rank ?? null) : null
}

/** The changes on one rank, or on all (null). */
export function withScope(changes: string[], rank: number | null): string[] {
  return changes.map((text) => {
    const parts = partsOf(text)
    return parts && parts.kind !== STRAGGLER ? written({ ...parts, rank }) : text
  })
}

/** What a change is about, whatever its factor. */
export function keyOf({ kind, name }: Change): string {
  return name ? `${kind}:${name}` : kind
}

/** Why a text is no change, as far as the kinds tell: how it is to be written. Null where it may be one. */
export function wrongness(text: string, kinds: ChangeKind[]): string | null {
  const parts = partsOf(text)
  const kind = kinds.find((one) => one.kind === (parts?.kind ?? ''))
  if (!parts || !kind) return kinds.map((one) => one.written).join(', ')
  const whole = (parts.name !== '') === (kind.of !== '') && (parts.factor !== null) === kind.factor
  return whole ? null : kind.written
}

/** The changes with one made, changed or taken back: one of the same kind and name is replaced where it stands. */
export function withChange(changes: string[], change: Change, on: boolean): string[] {
  const same = (text: string) => {
    const parts = partsOf(text)
    return parts !== null && keyOf(parts) === keyOf(change)
  }
  if (!on) return changes.filter((text) => !same(text))
  const at = changes.findIndex(same)
  return at < 0 ? [...changes, written(change)] : changes.map((text, i) => (i === at ? written(change) : text))
}

/** The changes with another GPU, or with the recorded one where the name is empty. */
export function withDevice(changes: string[], name: string): string[] {
  const others = changes.filter((text) => partsOf(text)?.kind !== 'gpu')
  return name ? [...others, `gpu:${name}`] : others
}

/** Findings by the change that is their fix, the one with the largest saving of each. */
export function foundBy(findings: Pick<TableData, 'data' | 'messages'> | null): Map<string, Found> {
  const found = new Map<string, Found>()
  if (!findings) return found
  const changes = textsOf(findings, 'what_if')
  for (let row = 0; row < rowCount(findings); row++) {
    const change = changes[row] ?? ''
    const number = (name: string) => numbersOf(findings, name)[row] ?? null
    const pct = number('saving_pct') ?? 0
    if (!change || (found.get(change)?.pct ?? -1) >= pct) continue
    const title = saidAt(findings, 'title', row) ?? textsOf(findings, 'title')[row] ?? ''
    const [low, high] = [number('saving_low_pct') ?? pct, number('saving_high_pct') ?? pct]
    found.set(change, { title, pct, low, high, ns: number('saving_ns') })
  }
  return found
}

/** Rows by kind, in the order of the page: what was typed, what needs no name, each kind's largest first. */
interface ChangeGroup {
  /** `general`, a kind, or `typed`. */
  id: string
  rows: ChangeRow[]
}

const FIXES = 'recommended'

/** The fixes of findings and the stragglers, the largest saving first. */
function recommended(
  answer: ChangesAnswer,
  found: Map<string, Found>,
  row: (change: Change, rest: Partial<ChangeRow>) => ChangeRow,
): ChangeRow[] {
  const of = answer.named.filter((one) => one.kind === STRAGGLER || one.kind === 'fix')
  const rows = of.map((one) => {
    const change = { kind: one.kind, name: one.name, factor: null }
    return row(change, { hostNs: one.host_ns, gpuNs: one.gpu_ns, found: found.get(keyOf(change)) ?? null })
  })
  return rows.sort((a, b) => (b.found?.pct ?? -1) - (a.found?.pct ?? -1))
}
const NAMED_KINDS = ['kernel-report', 'kernel', 'op', 'host', 'no-python']

export function groupsOf(answer: ChangesAnswer, active: string[], found: Map<string, Found>): ChangeGroup[] {
  const made = new Map(active.map((text) => [text, partsOf(text)]))
  const factors = new Map([...made.values()].flatMap((one) => (one ? [[keyOf(one), one.factor] as const] : [])))
  const row = (change: Change, rest: Partial<ChangeRow>): ChangeRow => {
    const key = keyOf(change)
    const on = factors.has(key)
    const factor = on ? (factors.get(key) ?? null) : change.factor
    const none = { affected: null, lack: null, hostNs: 0, gpuNs: 0, found: null }
    return { ...none, key, on, kind: change.kind, name: change.name, factor, takes: change.factor !== null, ...rest }
  }
  const general = answer.kinds
    .filter((one) => !one.of && !one.factor)
    .map((one) =>
      row(
        { kind: one.kind, name: '', factor: null },
        { affected: one.affected, lack: one.lack, found: found.get(one.kind) ?? null },
      ),
    )
    .sort((a, b) => Number(a.lack !== null) - Number(b.lack !== null) || (b.found?.pct ?? -1) - (a.found?.pct ?? -1))
  const groups = NAMED_KINDS.map((kind) => {
    const factor = answer.kinds.find((one) => one.kind === kind)?.factor ? FIRST_FACTOR : null
    const of = answer.named.filter((one) => one.kind === kind)
    const rows = of.map((one) => {
      const change = { kind, name: one.name, factor }
      return row(change, { hostNs: one.host_ns, gpuNs: one.gpu_ns, found: found.get(keyOf(change)) ?? null })
    })
    return { id: kind, rows }
  })
  const first = [{ id: FIXES, rows: recommended(answer, found, row) }]
  const offered = new Set([...general, ...[...first, ...groups].flatMap((one) => one.rows)].map((one) => one.key))
  const typed = [...made].flatMap(([text, change]) => {
    if (change?.kind === 'gpu' || (change && offered.has(keyOf(change)))) return []
    return [change ? row(change, {}) : row({ kind: text, name: '', factor: null }, { on: true })]
  })
  const every = [{ id: 'typed', rows: typed }, ...first, { id: 'general', rows: general }, ...groups]
  return every.filter((one) => one.rows.length)
}

/** The command that gives the same answer. */
export function whatIfCommand(begin: string, selection: Selection, changes: string[]): string {
  const ranks = (selection.ranks ?? []).map((rank) => `--rank ${rank}`)
  const [first, last] = selection.steps ?? []
  const steps = first === undefined ? [] : [`--step ${first === last ? first : `${first}:${last}`}`]
  return [begin, ...ranks, ...steps, ...changes.map((one) => `--change ${quoted(one)}`)].join(' ')
}

/** The rank whose step is longest with the changes made: the others wait for it. */
export function slowest(ranks: WhatIfRank[]): WhatIfRank | null {
  return ranks.reduce<WhatIfRank | null>((worst, one) => {
    return worst && worst.together.after_ns >= one.together.after_ns ? worst : one
  }, null)
}

/** What the kinds of some changes leave open, each once. */
export function unknowns(kinds: ChangeKind[], changes: string[]): Said[] {
  const used = new Set(changes.map((text) => partsOf(text)?.kind))
  const open = kinds.filter((one) => used.has(one.kind)).map((one) => one.unknown)
  return [...new Map(open.map((one) => [one.text.en, one])).values()]
}

/** Times of a step without changes. */
interface Unchanged {
  rank: number
  recorded: number
  best: number
  range: [number, number]
}

/** What the table `step_time` says of each rank, as far as it could be simulated. */
export function unchanged(table: Columns): Unchanged[] {
  const names = ['rank', 'recorded_ns', 'unprofiled_ns', 'unprofiled_low_ns', 'unprofiled_high_ns']
  const columns = names.map((name) => numbersOf(table, name))
  return (columns[0] ?? []).flatMap((_, row) => {
    const [rank, recorded, best, low, high] = columns.map((column) => column[row] ?? null)
    const known = [rank, recorded, best, low, high].every((one) => typeof one === 'number')
    return known ? [{ rank, recorded, best, range: [low, high] } as Unchanged] : []
  })
}

/** A share in whole points; what rounds to nothing has no sign. */
export function points(share: number): string {
  return `${Math.round(share) || 0}`
}

/** How long ranks wait for one another is part of no rank's step. */
export const isOfJob = (change: string) => partsOf(change)?.kind === STRAGGLER
/** Whether a change can be simulated within one step. */
export const isWithinStep = (change = '') => change !== '' && !isOfJob(change)
