/** What is known of the pieces of a critical path. */

import type { PathAnswer } from '../api/timeline.ts'
import { firstWhere } from './binary_search.ts'

/** Pieces in which nothing runs: latencies, and what was not recorded. */
const BETWEEN = new Set(['gpu_gap', 'launch_latency', 'sync_return', 'unknown'])

/** The piece at a moment, or -1: pieces are in order and do not overlap. */
export function pieceAt({ start, end }: PathAnswer['pieces'], moment: number): number {
  const at = firstWhere(0, end.length, (i) => (end[i] as number) > moment)
  return at < end.length && (start[at] as number) <= moment ? at : -1
}

/** Whether a piece is drawn dotted. */
export function isBetween({ kind, row }: PathAnswer['pieces'], at: number): boolean {
  return (row[at] as number) < 0 || BETWEEN.has(kind[at] as string)
}
