/** The critical path that the timeline shows: its canvas, the tip and the dock read one answer. */

import type { NoPath, PathAnswer, Place } from '../api/timeline.ts'
import { isBetween, pieceAt } from '../model/path.ts'
import { api, runId } from './app.svelte.ts'
import { selection } from './selection.svelte.ts'

class Shown {
  answer: PathAnswer | NoPath | null = $state.raw(null)
  failure: unknown = $state.raw(null)
  /** The view that the answer was asked for. */
  view: { start: number; end: number } | null = $state.raw(null)
}

export const path = new Shown()

/** The path, where there is one. */
export function pathAnswer(): PathAnswer | null {
  return path.answer?.state === 'ok' ? path.answer : null
}

let asked = new AbortController()

/** Ask for the path as a view shows it. */
export function askPath(view: { start: number; end: number; width: number }): void {
  asked.abort()
  const { signal } = (asked = new AbortController())
  api.path(runId() ?? '', view.start, view.end, view.width, selection(), signal).then(
    (answer) => Object.assign(path, { answer, view, failure: null }),
    (failure: unknown) => {
      if (!signal.aborted) Object.assign(path, { answer: null, failure })
    },
  )
}

export function forgetPath(): void {
  asked.abort()
  Object.assign(path, { answer: null, failure: null })
}

/** A piece of the path, out of its columns. */
export interface PathPiece {
  kind: string
  name: string
  handover: PathAnswer['pieces']['handover'][number]
  ns: number
  count: number
  change: string
}

function pieceOf(answer: PathAnswer, at: number): PathPiece {
  const { start, end, kind, handover, count, name } = answer.pieces
  const named = name[at] as number
  return {
    kind: kind[at] as string,
    name: answer.names[named] as string,
    handover: handover[at] as PathPiece['handover'],
    ns: (end[at] as number) - (start[at] as number),
    count: count[at] as number,
    change: answer.changes[named] as string,
  }
}

/** The piece of the path in a lane at a moment; null where the path is elsewhere. */
export function pieceIn(lane: number, moment: number): PathPiece | null {
  const answer = pathAnswer()
  const at = answer ? pieceAt(answer.pieces, moment) : -1
  return answer && at >= 0 && answer.pieces.lane[at] === lane ? pieceOf(answer, at) : null
}

/** What of an event is on the path: the first of its pieces with the time of all; null where none is drawn by itself. */
export function piecesOf(place: Pick<Place, 'lane' | 'row' | 'start' | 'duration_ns'>): PathPiece | null {
  const answer = pathAnswer()
  if (!answer) return null
  const { lane, row, start, end } = answer.pieces
  const mine = lane.flatMap((one, at) =>
    one === place.lane && row[at] === place.row && !isBetween(answer.pieces, at) ? [at] : [],
  )
  const first = mine[0]
  if (first === undefined) return null
  const ns = mine.reduce((sum, at) => sum + (end[at] as number) - (start[at] as number), 0)
  return { ...pieceOf(answer, first), ns: Math.min(ns, place.duration_ns), count: mine.length }
}
