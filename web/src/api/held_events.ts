/** Events of a timeline that a report holds one by one; elsewhere it holds merged cells only. */

import { firstWhere } from '../model/binary_search.ts'
import type { HeldCells } from './held_cells.ts'
import { within } from './splicing.ts'
import type { Place, Track } from './timeline.ts'

/** Cells `from` to `to` of a piece, each of them one event. */
export interface Exact {
  piece: HeldCells
  lane: number
  from: number
  to: number
}

export class HeldEvents {
  readonly pieces: HeldCells[]
  readonly names: Record<string, string>
  /** What the pieces reach over in all. */
  readonly begin: number
  readonly end: number

  constructor(pieces: HeldCells[], names: Record<string, string>) {
    this.pieces = pieces
    this.names = names
    this.begin = Math.min(...pieces.map((piece) => piece.t0))
    this.end = Math.max(...pieces.map((piece) => piece.t1))
  }

  /** Some rows of a lane; null unless every one of them is held as it is. */
  rows(lane: number, row: number, count: number): Exact | null {
    for (const piece of this.pieces) {
      const held = piece.lanes.get(lane)
      if (!held) continue
      const end = held.offset + held.count
      const from = firstWhere(held.offset, end, (at) => (piece.first[at] ?? 0) >= row)
      const last = from + count - 1
      if (from === end || last >= end || piece.first[from] !== row) continue
      if ((piece.first[last] ?? -1) === row + count - 1 && piece.count[last] === 1)
        return { piece, lane, from, to: last + 1 }
    }
    return null
  }

  /** The events of a lane that reach into [t0, t1); null unless every one of them is held as it is. */
  between(lane: number, t0: number, t1: number): Exact | null {
    for (const piece of this.pieces) {
      if (piece.t0 > t0 || piece.t1 < t1) continue
      const isWhole = piece.t0 === this.begin && piece.t1 === this.end
      // Pieces over the whole time share the lanes among them; one over a stretch has all that have events there.
      if (isWhole && !piece.lanes.has(lane)) continue
      const { from, to } = within(piece, lane, t0, t1) ?? { from: 0, to: 0 }
      if (piece.count.subarray(from, to).every((count) => count === 1)) return { piece, lane, from, to }
    }
    return null
  }

  /** The event of a cell. */
  placeAt({ piece, lane }: Exact, at: number): Place {
    const [start, end] = [piece.start[at] ?? 0, piece.end[at] ?? 0]
    const name = this.names[piece.name[at] ?? -1] ?? ''
    return { lane, row: piece.first[at] ?? 0, start, duration_ns: end - start, name }
  }
}

/** The lanes of a track. */
export function lanesOf(track: Track): number[] {
  return Array.from({ length: track.depths }, (_, depth) => track.first_lane + depth)
}

/** What a track holds: streams that share a track are streams. */
export function workOf(track: Track): string {
  return track.kind === 'packed' ? 'stream' : track.kind
}
