/** Causes of the idle time in steps: one computation for the verdict, the page Idle and whatever else names a share. */

import { type Columns, numbersOf, rowCount, textsOf } from './columns_of.ts'

export interface CauseInSteps {
  cause: string
  /** Row of the table `idle`. */
  row: number
  /** Mean over the steps; where none is marked, all of it. */
  per_step_ns: number
  /** Of the idle time in steps; the table's own share is of all idle time, that between steps included. */
  pct: number
}

/** Rows of a rank, and the time of each row in its steps; where none is marked, all of it. */
function timesOf(table: Columns, rank: number | null): { rows: number[]; times: readonly (number | null)[] } {
  const [ranks, steps] = [numbersOf(table, 'rank'), numbersOf(table, 'per_step_ns')]
  const rows = Array.from({ length: rowCount(table) }, (_, row) => row).filter((row) => ranks[row] === rank)
  return { rows, times: rows.some((row) => steps[row] !== null) ? steps : numbersOf(table, 'duration_ns') }
}

/** The rank whose GPU idles most in its steps; null without rows. */
export function idlestRank(table: Columns): number | null {
  const ranks = [...new Set(numbersOf(table, 'rank'))]
  const idle = ranks.map((rank) => {
    const { rows, times } = timesOf(table, rank)
    return rows.reduce((sum, row) => sum + (times[row] ?? 0), 0)
  })
  return ranks[idle.indexOf(Math.max(...idle))] ?? null
}

/**
 * What is known of a rank's idle time without a cause, from rows by place: the next work had been launched and the GPU
 * began late, or its launch was not recorded.
 */
export function unknownInSteps(bySource: Columns, rank: number | null): { late: number; lost: number } {
  const [causes, events] = [textsOf(bySource, 'cause'), textsOf(bySource, 'host_event')]
  const { rows, times } = timesOf(bySource, rank)
  const unknown = rows.filter((row) => causes[row] === 'unknown')
  const sum = (of: number[]) => of.reduce((total, row) => total + (times[row] ?? 0), 0)
  return { late: sum(unknown.filter((row) => events[row])), lost: sum(unknown.filter((row) => !events[row])) }
}

/** Causes of one rank that take any time in its steps, largest first. */
export function causesInSteps(table: Columns, rank: number | null): CauseInSteps[] {
  const names = textsOf(table, 'cause')
  const { rows, times } = timesOf(table, rank)
  const own = rows.filter((row) => (times[row] ?? 0) > 0)
  const all = own.reduce((sum, row) => sum + (times[row] ?? 0), 0)
  return own
    .map((row) => {
      const per_step_ns = times[row] ?? 0
      return { cause: names[row] ?? '', row, per_step_ns, pct: (100 * per_step_ns) / all }
    })
    .sort((a, b) => b.per_step_ns - a.per_step_ns)
}
