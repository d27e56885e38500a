/** The timeline of a report: as much of its detail as the report had room for. */

import { ApiError, type Window } from './api.ts'
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

export interface TimelineIndex {
  parts: string[]
}

export class EmbeddedTimeline {
  readonly #serve: string

  private constructor(serve: string) {
    this.#serve = serve
  }

  static async open(_: TimelineIndex, serve: string): Promise<EmbeddedTimeline> {
    return new EmbeddedTimeline(serve)
  }

  tracks(_packed: boolean): TrackList {
    throw this.#ends('the timeline')
  }

  window(_: Window): Cells {
    throw this.#ends('the timeline')
  }

  counters(_t0: number, _t1: number, _px: number, _tracks: number[]): CounterBins {
    throw this.#ends('counters')
  }

  names(_: number[]): Map<number, string> {
    throw this.#ends('names')
  }

  cell(_lane: number, _first: number, _count: number, _limit: number): CellEvents {
    throw this.#ends('the events of a cell')
  }

  event(_lane: number, _row: number): EventFacts {
    throw this.#ends('the event')
  }

  flows(_lane: number, _row: number): { flows: Flow[]; total: number } {
    throw this.#ends('what the event is linked to')
  }

  area(_t0: number, _t1: number): AreaFacts {
    throw this.#ends('the sums of an area')
  }

  search(_query: string, _limit: number): { names: Found[]; total: number } {
    throw this.#ends('names')
  }

  next(_code: number, _from: Place, _direction: 1 | -1): Place | null {
    throw this.#ends('the next event')
  }

  places(_kind: string, _name: string, _limit: number): { places: Place[]; total: number } {
    throw this.#ends('places')
  }

  #ends(what: string): ApiError {
    return new ApiError({
      tried: `cannot show ${what}`,
      found: 'the detail of this report ends here',
      advice: `The recording has it: ${this.#serve}`,
    })
  }
}
