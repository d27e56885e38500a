/** From one event of a name to the next, as `timeline/name_search.py` walks, where a report holds what lies between. */

import { type Exact, type HeldEvents, lanesOf, workOf } from './held_events.ts'
import { type EventRow, type Place, type Track, trackOfLane } from './timeline.ts'

/** The next event of a name or the one before; null where there is none, undefined where the report does not know. */
export function nextHeld(
  events: HeldEvents,
  tracks: Track[],
  code: number,
  from: EventRow,
  direction: 1 | -1,
  every: boolean,
): Place | null | undefined {
  const here = events.rows(from.lane, from.row, 1)
  if (!here) return undefined
  const place = events.placeAt(here, here.from)
  const group = !every && here.piece.name[here.from] === code ? groupOf(here, here.from, tracks) : null
  const among = tracks.filter((track) => track.section !== 'counters' && (!group || group.work === workOf(track)))
  for (const { cell_ns, t0, t1 } of events.pieces) {
    if (cell_ns !== 1 || place.start < t0 || place.start >= t1) continue
    const found = among.flatMap(lanesOf).map((lane) => events.between(lane, t0, t1))
    if (!found.every((one) => one !== null)) continue
    const places = found.flatMap((one) => placesIn(events, one, code, group?.kind ?? null))
    // What began before the stretch is held only where it reaches into it.
    const beyond = places.filter((one) => one.start >= t0 && direction * placed(one, place) > 0)
    beyond.sort((a, b) => direction * placed(a, b))
    if (beyond[0]) return beyond[0]
    if (direction > 0 ? t1 === events.end : t0 === events.begin) return null
  }
  return undefined
}

/** What is alike: a range of the host and its twin on the GPU have one name, but are two things. */
interface Group {
  /** What its tracks hold. */
  work: string
  /** Where a track holds several kinds of events, the kind. */
  kind: number | null
}

function groupOf({ piece, lane }: Exact, at: number, tracks: Track[]): Group | null {
  const track = trackOfLane(tracks, lane)
  if (!track) return null
  return { work: workOf(track), kind: track.kind === 'operators' ? (piece.kind[at] ?? null) : null }
}

function placesIn(events: HeldEvents, exact: Exact, code: number, kind: number | null): Place[] {
  const { piece, from, to } = exact
  const places: Place[] = []
  for (let at = from; at < to; at++)
    if (piece.name[at] === code && (kind === null || piece.kind[at] === kind)) places.push(events.placeAt(exact, at))
  return places
}

/** Which of two events comes later: by start, then by lane, then by row. */
function placed(a: Place, b: Place): number {
  return a.start - b.start || a.lane - b.lane || a.row - b.row
}
