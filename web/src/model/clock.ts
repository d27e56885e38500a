/** Moments are told from the first one of the job; traces have them on their ranks' own clocks. */

import type { Cell } from './cells.ts'

/** As much of a table as its moments need. */
export interface Clocked {
  origin_ns: string
  shifts?: Record<string, string>
}

/** The moment that a table's moments are counted from, on the clock of a rank. */
export function clockOrigin(table: Clocked, rank: Cell | undefined): bigint {
  return BigInt(table.origin_ns) + BigInt(table.shifts?.[String(rank)] ?? 0)
}
