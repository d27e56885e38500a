/** The checks of a recording: the same check of several ranks is one entry, worst first. */

import type { Said, TableData } from '../api/types.ts'
import { numbersOf, rowCount, textsOf } from './columns_of.ts'
import { saidAt } from './said.ts'

export type Status = 'ok' | 'warning' | 'error'
const ORDER: Status[] = ['error', 'warning', 'ok']

interface RankCheck {
  rank: number | null
  value: Said | null
  detail: Said | null
}

export interface Check {
  check: string
  /** Of all ranks the worst. */
  status: Status
  /** Of the ranks with that status. */
  ranks: RankCheck[]
  /** How many ranks have the check. */
  of: number
}

/** Checks by severity, those of one severity in the table's order. */
export function checksOf(table: Pick<TableData, 'data' | 'messages'>): Check[] {
  const [names, states] = [textsOf(table, 'check'), textsOf(table, 'status')]
  const ranks = numbersOf(table, 'rank')
  const rows = new Map<string, number[]>()
  for (let row = 0; row < rowCount(table); row++) {
    const name = names[row] ?? ''
    rows.set(name, [...(rows.get(name) ?? []), row])
  }
  const checks = [...rows].map(([check, members]): Check => {
    const status = ORDER.find((one) => members.some((row) => states[row] === one)) ?? 'ok'
    const worst = members.filter((row) => (states[row] ?? 'ok') === status)
    const told = worst.map((row) => ({
      rank: ranks[row] ?? null,
      value: saidAt(table, 'value', row),
      detail: saidAt(table, 'detail', row),
    }))
    return { check, status, ranks: told, of: members.length }
  })
  return ORDER.flatMap((status) => checks.filter((one) => one.status === status))
}

interface SameWords {
  ranks: number[]
  value: Said | null
  detail: Said | null
}

/** Ranks that say the same, together. */
export function sameWords(ranks: RankCheck[]): SameWords[] {
  const groups = new Map<string, SameWords>()
  for (const { rank, value, detail } of ranks) {
    const key = JSON.stringify([value?.text.en, detail?.text.en])
    const group = groups.get(key) ?? { ranks: [], value, detail }
    if (rank !== null) group.ranks.push(rank)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Whether a check says only that an option of the recording was off: nothing is wrong with what was recorded. */
export function isLack(check: Check): boolean {
  return check.status !== 'ok' && check.ranks.every((rank) => rank.value?.id === 'check-not-recorded')
}

/** Another recorder has other options: its check names torch.profiler beside them. */
const BY_ANOTHER = 'check-cannot-show-by'

/** The options that would have recorded what checks miss, each once, as the checks name them. */
export function missedOptions(checks: Check[]): string[] {
  const details = checks.flatMap((check) => check.ranks.map((rank) => rank.detail))
  const named = details.filter((one) => one?.id !== BY_ANOTHER).map((one) => one?.params['option'])
  return [...new Set(named.filter((one) => typeof one === 'string'))]
}

/** Counts by severity. */
export function countsOf(checks: Check[]): Record<Status, number> {
  const count = (status: Status) => checks.filter((one) => one.status === status).length
  return { error: count('error'), warning: count('warning'), ok: count('ok') }
}
