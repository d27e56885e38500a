/** A window of the timeline, put together from the pieces that a report holds of it. */

import type { HeldCells } from './held_cells.ts'
import { type Cells, firstEndingAfter, firstStartingFrom } from './timeline.ts'

/** Cells `from` to `to` of a piece; `clipEnd` and `clipStart` cut a merged cell where a finer piece takes over. */
interface Run {
  piece: HeldCells
  from: number
  to: number
  clipStart: number
  clipEnd: number
}

/** The cells of a lane that reach into [t0, t1). */
export function within(piece: HeldCells, lane: number, t0: number, t1: number): Run | null {
  const held = piece.lanes.get(lane)
  if (!held) return null
  const end = held.offset + held.count
  let from = firstEndingAfter(piece.end, held.offset, end, t0)
  // Of events without a length those at the window's first moment are in it.
  while (from > held.offset && piece.start[from - 1] === t0) from--
  const to = firstStartingFrom(piece.start, from, end, t1)
  return to > from ? { piece, from, to, clipStart: -Infinity, clipEnd: Infinity } : null
}

/** A run without the stretch that finer cells cover: what is left before it and behind it. */
function without(run: Run, fine: Run): Run[] {
  const { piece, from, to } = run
  const begin = Math.min(fine.piece.t0, fine.piece.start[fine.from] ?? Infinity)
  const until = Math.max(fine.piece.t1, fine.piece.end[fine.to - 1] ?? -Infinity)
  const before = firstStartingFrom(piece.start, from, to, begin)
  // A merged cell around all of it is told on both sides.
  const behind = firstEndingAfter(piece.end, from, to, until)
  const left = { ...run, to: before, clipEnd: Math.min(run.clipEnd, begin) }
  const right = { ...run, from: behind, clipStart: Math.max(run.clipStart, until) }
  return [left, right].filter((one) => one.to > one.from)
}

/**
 * Cells of some lanes in a window.
 *
 * Of the pieces over the whole time the coarsest is taken that is fine enough, else the finest; where a finer piece over
 * a stretch is at hand and of use, it takes the place of what the other has there.
 */
export function spliced(pieces: HeldCells[], t0: number, t1: number, wanted: number, lanes: number[]): Cells {
  const runs: { lane: number; runs: Run[] }[] = []
  let coarsest = 1
  for (const lane of lanes) {
    const mine = pieces.filter((piece) => piece.lanes.has(lane))
    const found = runsOf(mine, lane, t0, t1, wanted)
    for (const run of found) coarsest = Math.max(coarsest, run.piece.cell_ns)
    if (mine.length > 0) runs.push({ lane, runs: found })
  }
  return filled(runs, t0, t1, coarsest)
}

function runsOf(pieces: HeldCells[], lane: number, t0: number, t1: number, wanted: number): Run[] {
  const from = Math.min(...pieces.map((piece) => piece.t0))
  const until = Math.max(...pieces.map((piece) => piece.t1))
  const whole = pieces.filter((piece) => piece.t0 === from && piece.t1 === until)
  whole.sort((a, b) => b.cell_ns - a.cell_ns)
  const base = whole.find((piece) => piece.cell_ns <= wanted) ?? whole.at(-1)
  if (!base) return []
  const start = within(base, lane, t0, t1)
  let runs = start ? [start] : []
  if (base.cell_ns <= wanted) return runs
  for (const piece of pieces) {
    if (whole.includes(piece) || piece.cell_ns >= base.cell_ns || piece.t1 <= t0 || piece.t0 >= t1) continue
    const fine = within(piece, lane, t0, t1)
    const all = within(piece, lane, piece.t0, piece.t1)
    if (all) runs = runs.flatMap((run) => (run.piece === base ? without(run, all) : [run]))
    if (fine) runs.push(fine)
  }
  return runs.sort((a, b) => begin(a) - begin(b))
}

function begin({ piece, from, clipStart }: Run): number {
  return Math.max(piece.start[from] ?? 0, clipStart)
}

function filled(found: { lane: number; runs: Run[] }[], t0: number, t1: number, cell_ns: number): Cells {
  const length = found.reduce((sum, { runs }) => runs.reduce((all, run) => all + run.to - run.from, sum), 0)
  const cells: Cells = {
    t0,
    t1,
    cell_ns,
    lanes: [],
    start: new Float64Array(length),
    end: new Float64Array(length),
    first: new Uint32Array(length),
    count: new Uint32Array(length),
    name: new Uint32Array(length),
    busy: new Uint16Array(length),
    kind: new Uint8Array(length),
    shade: new Uint8Array(length),
  }
  let at = 0
  for (const { lane, runs } of found) {
    const offset = at
    for (const run of runs) {
      copied(run, cells, at)
      at += run.to - run.from
    }
    cells.lanes.push({ lane, offset, count: at - offset })
  }
  return cells
}

const COLUMNS = ['start', 'end', 'first', 'count', 'name', 'busy', 'kind', 'shade'] as const

function copied(run: Run, cells: Cells, at: number): void {
  const { piece, from, to, clipStart, clipEnd } = run
  for (const column of COLUMNS) cells[column].set(piece[column].subarray(from, to), at)
  const last = at + to - from - 1
  cells.start[at] = Math.max(cells.start[at] ?? 0, clipStart)
  cells.end[last] = Math.min(cells.end[last] ?? 0, clipEnd)
}
