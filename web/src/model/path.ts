/** What is known of the pieces of a critical path. */

import type { PathAnswer } from '../api/timeline.ts'
import { firstWhere } from './binary_search.ts'

/** Pieces in which nothing runs: latencies, and what was not recorded. */
const BETWEEN = new Set(['gpu_gap', 'launch_latency', 'sync_return', 'unknown'])

/** Kinds of pieces whose colour is that of another word: of a latency the same as in Idle and What if. */
const KINDS: Record<string, string> = {
  gpu_gap: 'idle',
  sync_return: 'sync',
  unknown: 'idle',
}

/** The kind of event whose colour a kind of pieces has. */
export const pieceKind = (kind: string): string => KINDS[kind] ?? kind

/** The piece at a moment, or -1: pieces are in order and do not overlap. */
export function pieceAt({ start, end }: PathAnswer['pieces'], moment: number): number {
  const at = firstWhere(0, end.length, (i) => (end[i] as number) > moment)
  return at < end.length && (start[at] as number) <= moment ? at : -1
}

/** What of a path runs within a piece of time, ns: all of it, what is in sight, and the piece with most of it. */
export interface InSight {
  all: number
  seen: number
  /** Of the whole path where nothing of it runs within that time; -1 where nothing runs at all. */
  longest: number
  /** Whether that is within the piece of time. */
  within: boolean
}

export function pathInSight(
  pieces: PathAnswer['pieces'],
  view: { start: number; end: number },
  isSeen: (lane: number) => boolean,
): InSight {
  const found: InSight = { all: 0, seen: 0, longest: -1, within: false }
  let [most, mostWithin] = [0, 0]
  for (let at = 0; at < pieces.end.length; at++) {
    if (isBetween(pieces, at)) continue
    const [start, end] = [pieces.start[at] as number, pieces.end[at] as number]
    const within = Math.min(end, view.end) - Math.max(start, view.start)
    if (within > 0) {
      found.all += within
      if (isSeen(pieces.lane[at] as number)) found.seen += within
    }
    if (within > mostWithin) [mostWithin, found.longest, found.within] = [within, at, true]
    else if (mostWithin === 0 && end - start > most) [most, found.longest] = [end - start, at]
  }
  return found
}

/** Whether a piece is drawn dotted. */
export function isBetween({ kind, row }: PathAnswer['pieces'], at: number): boolean {
  return (row[at] as number) < 0 || BETWEEN.has(kind[at] as string)
}
