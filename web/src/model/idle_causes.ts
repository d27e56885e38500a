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

/** Causes of one rank that take any time in its steps, largest first. */
export function causesInSteps(table: Columns, rank: number | null): CauseInSteps[] {
  const [ranks, names, steps] = [numbersOf(table, 'rank'), textsOf(table, 'cause'), numbersOf(table, 'per_step_ns')]
  const rows = Array.from({ length: rowCount(table) }, (_, row) => row).filter((row) => ranks[row] === rank)
  const times = rows.some((row) => steps[row] !== null) ? steps : numbersOf(table, 'duration_ns')
  const own = rows.filter((row) => (times[row] ?? 0) > 0)
  const all = own.reduce((sum, row) => sum + (times[row] ?? 0), 0)
  return own
    .map((row) => {
      const per_step_ns = times[row] ?? 0
      return { cause: names[row] ?? '', row, per_step_ns, pct: (100 * per_step_ns) / all }
    })
    .sort((a, b) => b.per_step_ns - a.per_step_ns)
}
