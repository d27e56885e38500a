/** The critical paths that a report holds: of a typical step, of the job and of each rank. */

import type { PathAnswer } from './timeline.ts'
import type { Selection } from './types.ts'

/**
 * The one of these paths that is asked for: of the rank chosen, of the steps chosen or in view; null where it is not
 * held.
 */
export function chosenPath(held: PathAnswer[], t0: number, t1: number, { ranks, steps }: Selection): PathAnswer | null {
  const rank = ranks?.length === 1 ? ranks[0] : undefined
  const [first] = held
  const mine =
    rank === undefined ? held.filter((one) => one.rank === first?.rank) : held.filter((one) => one.rank === rank)
  const inView = (one: PathAnswer) => (one.pieces.start[0] ?? 0) < t1 && (one.pieces.end.at(-1) ?? 0) > t0
  const isWanted = (one: PathAnswer) => (steps ? one.steps[0] >= steps[0] && one.steps[1] <= steps[1] : inView(one))
  return mine.find(isWanted) ?? null
}
