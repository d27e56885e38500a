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

/**
 * What is left to draw of a piece behind another one, null where nothing is: a piece of the same answer lengthens the
 * open one, and a cell that two answers share is drawn by the open one alone, as long as it is.
 */
export function following(open: Piece, next: Piece): Piece | null {
  if (open.cells === next.cells && next.from <= open.to && next.from >= open.from) {
    open.to = Math.max(open.to, next.to)
    open.end = next.end
    return null
  }
  if (!sharesCell(open, next)) return next
  const until = Math.max(next.start, Math.min(next.end, open.cells.end[open.to - 1] as number))
  open.end = until
  if (next.from + 1 < next.to) return { ...next, from: next.from + 1, start: until }
  open.end = next.end
  return null
}

/** Whether the last cell of a piece is the first of the next one, out of another answer. */
function sharesCell(open: Piece, next: Piece): boolean {
  const [last, first] = [open.to - 1, next.from]
  if (last < open.from || first >= next.to) return false
  const same = (name: 'start' | 'end' | 'first' | 'count') => open.cells[name][last] === next.cells[name][first]
  return same('start') && same('end') && same('first') && same('count')
}
