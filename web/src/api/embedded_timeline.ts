/** The timeline of a report: as much of its detail as the report had room for. */

import { ApiError, type Window } from './api.ts'
import { decodeHeld, type HeldCells } from './held_cells.ts'
import { countersIn, type HeldCounters } from './held_counters.ts'
import { matches } from './matching.ts'
import { partBytes, partJson } from './parts.ts'
import { spliced } from './splicing.ts'
import type {
  AreaFacts,
  CellEvents,
  Cells,
  CounterBins,
  EventFacts,
  Flow,
  Found,
  Place,
  TrackList,
} from './timeline.ts'
import { decodeCounters } from './wire.ts'

/** Where the timeline's parts are. */
export interface TimelineIndex {
  timeline: string
  counters: { part: string; t0: number; t1: number }
  cells: { part: string; t0: number; t1: number; cell_ns: number }[]
  events: string | null
}

interface Contents {
  tracks: TrackList
  names: Record<string, string>
  found: { names: Found[]; total: number }
}

type Told = Record<string, { event: EventFacts; flows: { flows: Flow[]; total: number } }>

/** An event that is held as it is, and where in its piece. */
interface Exact {
  piece: HeldCells
  at: number
}

export class EmbeddedTimeline {
  readonly #serve: string
  readonly #contents: Contents
  readonly #pieces: HeldCells[]
  readonly #counters: HeldCounters
  readonly #told: Told

  private constructor(serve: string, contents: Contents, pieces: HeldCells[], counters: HeldCounters, told: Told) {
    this.#serve = serve
    this.#contents = contents
    this.#pieces = pieces
    this.#counters = counters
    this.#told = told
  }

  static async open(index: TimelineIndex, serve: string): Promise<EmbeddedTimeline> {
    const { part, t0, t1 } = index.counters
    const [contents, bins, told, ...pieces] = await Promise.all([
      partJson<Contents>(index.timeline),
      partBytes(part),
      index.events === null ? {} : partJson<Told>(index.events),
      ...index.cells.map(async (one) => decodeHeld(await partBytes(one.part))),
    ])
    return new EmbeddedTimeline(serve, contents, pieces, { t0, t1, bins: decodeCounters(bins) }, told)
  }

  tracks(): TrackList {
    return this.#contents.tracks
  }

  window({ t0, t1, px, lanes }: Window): Cells {
    const wanted = Math.max(1, (2 * (t1 - t0)) / Math.max(1, px))
    return spliced(this.#pieces, t0, t1, wanted, lanes)
  }

  counters(t0: number, t1: number, px: number, tracks: number[]): CounterBins {
    return countersIn(this.#counters, t0, t1, px, tracks)
  }

  names(codes: number[]): Map<number, string> {
    return new Map(codes.flatMap((code) => this.#named(code)))
  }

  #named(code: number): [number, string][] {
    const name = this.#contents.names[code]
    return name === undefined ? [] : [[code, name]]
  }

  /** The events of a cell, where every one of them is held as it is. */
  cell(lane: number, first: number, count: number, limit: number): CellEvents {
    const found = this.#exact(lane, first, count)
    if (!found) throw this.#ends('the events of a cell')
    const { piece, at } = found
    const [start, end] = [piece.start[at] ?? 0, piece.end[at + count - 1] ?? 0]
    const sums = new Map<string, { name: string; count: number; total_ns: number; share_pct: number }>()
    const events: CellEvents['events'] = []
    let busy = 0
    for (let i = at; i < at + count; i++) {
      const place = this.#placeAt(piece, lane, i)
      const sum = sums.get(place.name) ?? { name: place.name, count: 0, total_ns: 0, share_pct: 0 }
      sums.set(place.name, { ...sum, count: sum.count + 1, total_ns: sum.total_ns + place.duration_ns })
      busy += place.duration_ns
      if (events.length < limit) events.push(place)
    }
    const names = [...sums.values()].sort((a, b) => b.total_ns - a.total_ns).slice(0, 10)
    for (const one of names) one.share_pct = busy > 0 ? (100 * one.total_ns) / busy : 0
    const busy_pct = end > start ? (100 * busy) / (end - start) : 100
    return { count, start, end, busy_ns: busy, busy_pct, names, events, total: count }
  }

  event(lane: number, row: number): EventFacts {
    const told = this.#told[`${lane}.${row}`]
    if (told) return told.event
    const found = this.#exact(lane, row, 1)
    const name = found && this.#placeAt(found.piece, lane, found.at).name
    throw this.#ends(name ? `more of ${name}` : 'the event')
  }

  flows(lane: number, row: number): { flows: Flow[]; total: number } {
    return this.#told[`${lane}.${row}`]?.flows ?? { flows: [], total: 0 }
  }

  area(_t0: number, _t1: number): AreaFacts {
    throw this.#ends('the sums of an area')
  }

  search(query: string, limit: number): { names: Found[]; total: number } {
    const names = this.#contents.found.names.filter(matches(query))
    return { names: names.slice(0, limit), total: names.length }
  }

  /** The next event of a name, where every event on the way is held as it is. */
  next(code: number, from: Place, direction: 1 | -1): Place | null {
    const pieces = this.#pieces.filter(
      (piece) => piece.cell_ns === 1 && piece.t0 <= from.start && from.start < piece.t1,
    )
    const places = pieces.flatMap((piece) => this.#placesOf(piece, code))
    const beyond = places.filter((one) => (placed(one, from) > 0 ? 1 : -1) === direction && placed(one, from) !== 0)
    beyond.sort((a, b) => direction * placed(a, b))
    const whole = pieces.some((piece) => piece.t1 > this.#contents.tracks.end)
    const nearest = beyond[0]
    if (nearest || whole) return nearest ?? null
    throw this.#ends('the next event')
  }

  places(_kind: string, name: string, limit: number): { places: Place[]; total: number } {
    const found = this.#contents.found.names.find((one) => one.name === name)
    if (!found) return { places: [], total: 0 }
    const { first, longest } = found
    const same = first.lane === longest.lane && first.row === longest.row
    return { places: (same ? [longest] : [longest, first]).slice(0, limit), total: found.count }
  }

  /** The piece that holds some rows of a lane event by event, and where they begin in it. */
  #exact(lane: number, row: number, count: number): Exact | null {
    for (const piece of this.#pieces) {
      const held = piece.lanes.get(lane)
      if (!held) continue
      const end = held.offset + held.count
      let [low, high] = [held.offset, end]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((piece.first[middle] ?? 0) >= row) high = middle
        else low = middle + 1
      }
      const last = low + count - 1
      if (low === end || last >= end || piece.first[low] !== row) continue
      if ((piece.first[last] ?? -1) === row + count - 1 && piece.count[last] === 1) return { piece, at: low }
    }
    return null
  }

  #placeAt(piece: HeldCells, lane: number, at: number): Place {
    const [start, end] = [piece.start[at] ?? 0, piece.end[at] ?? 0]
    const name = this.#contents.names[piece.name[at] ?? -1] ?? ''
    return { lane, row: piece.first[at] ?? 0, start, duration_ns: end - start, name }
  }

  #placesOf(piece: HeldCells, code: number): Place[] {
    const places: Place[] = []
    for (const [lane, { offset, count }] of piece.lanes)
      for (let at = offset; at < offset + count; at++)
        if (piece.name[at] === code) places.push(this.#placeAt(piece, lane, at))
    return places
  }

  #ends(what: string): ApiError {
    return new ApiError({
      tried: `cannot show ${what}`,
      found: 'the detail of this report ends here',
      advice: `The recording has it: ${this.#serve}`,
    })
  }
}

/** Which of two events comes later: by start, then by lane, then by row. */
function placed(a: Place, b: Place): number {
  return a.start - b.start || a.lane - b.lane || a.row - b.row
}
