/** Cells of one lane: pieces of typed arrays, and what is found in them. */

import { type Cells, firstEndingAfter } from '../api/timeline.ts'

/** Cells `from` to `to` (not included) of one lane, in order of time, within a piece of time. */
export interface Piece {
  cells: Cells
  from: number
  to: number
  /** Draw only between these moments: pieces next to each other may share a cell. */
  start: number
  end: number
}

/** One cell, out of its arrays. */
export interface Cell {
  lane: number
  start: number
  end: number
  first: number
  count: number
  name: number
  /** 0 to 1. */
  busy: number
  kind: number
  shade: number
}

function cellOf(cells: Cells, index: number, lane: number): Cell {
  return {
    lane,
    start: cells.start[index] as number,
    end: cells.end[index] as number,
    first: cells.first[index] as number,
    count: cells.count[index] as number,
    name: cells.name[index] as number,
    busy: (cells.busy[index] as number) / 65535,
    kind: cells.kind[index] as number,
    shade: cells.shade[index] as number,
  }
}

/**
 * The cell at a moment, or the nearest one not further away than `reach` ns; null when there is none.
 * Cells of a lane do not overlap and are in order, so two neighbours are all that has to be looked at.
 */
export function cellAt(pieces: Piece[], lane: number, moment: number, reach: number): Cell | null {
  let best: Cell | null = null
  let nearest = reach
  for (const { cells, from, to } of pieces) {
    const at = firstEndingAfter(cells.end, from, to, moment)
    for (const index of [at - 1, at]) {
      if (index < from || index >= to) continue
      const [start, end] = [cells.start[index] as number, cells.end[index] as number]
      const away = moment < start ? start - moment : Math.max(0, moment - end)
      if (away > nearest || (best && away === nearest)) continue
      nearest = away
      best = cellOf(cells, index, lane)
    }
  }
  return best
}
