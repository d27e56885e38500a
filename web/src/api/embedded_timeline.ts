/** The timeline of a report: as much of its detail as the report had room for. */

import { ApiError, type Window } from './api.ts'
import { heldArea } from './held_area.ts'
import { decodeHeld, type HeldCells } from './held_cells.ts'
import { countersIn, type HeldCounters } from './held_counters.ts'
import { HeldEvents } from './held_events.ts'
import { nextHeld } from './held_walk.ts'
import { chosenPath } from './held_path.ts'
import { matches } from './matching.ts'
import { partBytes, partJson } from './parts.ts'
import { spliced } from './splicing.ts'
import type { NoSimulation, SimulatedAnswer } from './simulated.ts'
import type {
  AreaFacts,
  CellEvents,
  Cells,
  CounterBins,
  EventFacts,
  EventRow,
  Flow,
  Found,
  NoPath,
  OccurrencesAnswer,
  PathAnswer,
  Place,
  TrackList,
} from './timeline.ts'
import type { Selection } from './types.ts'
import { decodeCounters } from './wire.ts'

/** Where the timeline's parts are. */
export interface TimelineIndex {
  timeline: string
  counters: { part: string; t0: number; t1: number }
  cells: { part: string; t0: number; t1: number; cell_ns: number }[]
  events: string | null
  paths: string | null
  occurrences: string | null
  simulated: string | null
}

interface Contents {
  tracks: TrackList
  names: Record<string, string>
  found: { names: Found[]; total: number }
}

type Told = Record<string, { event: EventFacts; flows: { flows: Flow[]; total: number } }>

export class EmbeddedTimeline {
  readonly #serve: string
  readonly #contents: Contents
  readonly #events: HeldEvents
  readonly #counters: HeldCounters
  readonly #told: Told
  readonly #paths: string | null
  readonly #occurrences: string | null
  readonly #simulated: string | null

  private constructor(
    serve: string,
    contents: Contents,
    pieces: HeldCells[],
    counters: HeldCounters,
    told: Told,
    index: TimelineIndex,
  ) {
    this.#serve = serve
    this.#contents = contents
    this.#events = new HeldEvents(pieces, contents.names)
    this.#counters = counters
    this.#told = told
    this.#paths = index.paths
    this.#occurrences = index.occurrences
    this.#simulated = index.simulated
  }

  static async open(index: TimelineIndex, serve: string): Promise<EmbeddedTimeline> {
    const { part, t0, t1 } = index.counters
    const [contents, bins, told, ...pieces] = await Promise.all([
      partJson<Contents>(index.timeline),
      partBytes(part),
      index.events === null ? {} : partJson<Told>(index.events),
      ...index.cells.map(async (one) => decodeHeld(await partBytes(one.part))),
    ])
    return new EmbeddedTimeline(serve, contents, pieces, { t0, t1, bins: decodeCounters(bins) }, told, index)
  }

  tracks(): TrackList {
    return this.#contents.tracks
  }

  window({ t0, t1, px, lanes }: Window): Cells {
    const wanted = Math.max(1, (2 * (t1 - t0)) / Math.max(1, px))
    return spliced(this.#events.pieces, t0, t1, wanted, lanes)
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
    const found = this.#events.rows(lane, first, count)
    if (!found) throw this.#ends('the events of a cell')
    const { piece, from, to } = found
    const [start, end] = [piece.start[from] ?? 0, piece.end[to - 1] ?? 0]
    const sums = new Map<string, { name: string; count: number; total_ns: number; share_pct: number }>()
    const events: CellEvents['events'] = []
    let busy = 0
    for (let at = from; at < to; at++) {
      const place = this.#events.placeAt(found, at)
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
    const found = this.#events.rows(lane, row, 1)
    const name = found && this.#events.placeAt(found, found.from).name
    throw this.#ends(name ? `more of ${name}` : 'the event')
  }

  flows(lane: number, row: number): { flows: Flow[]; total: number } {
    return this.#told[`${lane}.${row}`]?.flows ?? { flows: [], total: 0 }
  }

  /** The sums of an area, where every event of it is held as it is. */
  area(t0: number, t1: number, tracks: number[] | null): AreaFacts {
    const found = heldArea(this.#events, this.tracks().tracks, [t0, t1], tracks)
    if (!found) throw this.#ends('the sums of an area')
    return found
  }

  search(query: string, limit: number): { names: Found[]; total: number } {
    const names = this.#contents.found.names.filter(matches(query))
    return { names: names.slice(0, limit), total: names.length }
  }

  named(): never {
    throw this.#ends('the kernels of a kind or a collective')
  }

  launched(): never {
    throw this.#ends('what an operator launched')
  }

  /** The next event of a name, where every event on the way is held as it is. */
  next(code: number, from: EventRow, direction: 1 | -1, every: boolean): Place | null {
    const found = nextHeld(this.#events, this.tracks().tracks, code, from, direction, every)
    if (found !== undefined) return found
    throw this.#ends('the next event')
  }

  /** The path of a typical step, which is all that a report holds. */
  async path(t0: number, t1: number, _px: number, selection: Selection): Promise<PathAnswer | NoPath> {
    const held = this.#paths ? await partJson<PathAnswer[]>(this.#paths) : []
    return chosenPath(held, t0, t1, selection) ?? Promise.reject(this.#ends('the critical path of these steps'))
  }

  /** The simulated step of a recommendation, which is all that a report holds. */
  async simulated(changes: string[], { ranks, steps }: Selection): Promise<SimulatedAnswer | NoSimulation> {
    const held = this.#simulated ? await partJson<SimulatedAnswer[]>(this.#simulated) : []
    const found = held.find(
      (one) =>
        JSON.stringify(one.changes) === JSON.stringify(changes) &&
        (ranks?.length !== 1 || ranks[0] === one.rank) &&
        (!steps || (steps[0] <= one.step && one.step <= steps[1])),
    )
    return found ?? Promise.reject(this.#ends('the simulated step of these changes'))
  }

  async occurrences(): Promise<OccurrencesAnswer> {
    if (this.#occurrences) return partJson<OccurrencesAnswer>(this.#occurrences)
    throw this.#ends('every occurrence of a finding')
  }

  places(_kind: string, name: string, limit: number, at?: number): { places: Place[]; total: number } {
    const found = this.#contents.found.names.find((one) => one.name === name)
    if (!found) return { places: [], total: 0 }
    const { first, longest } = found
    const same = first.lane === longest.lane && first.row === longest.row
    const known = (same ? [longest] : [longest, first]).filter((one) => at === undefined || one.start === at)
    return { places: known.slice(0, limit), total: at === undefined ? found.count : known.length }
  }

  #ends(what: string): ApiError {
    return new ApiError({
      tried: `cannot show ${what}`,
      found: 'the detail of this report ends here',
      advice: `The recording has it: ${this.#serve}`,
    })
  }
}
