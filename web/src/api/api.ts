/** What the app asks for. `server.ts` asks a server, `embedded.ts` the report that the app is part of. */

import type {
  AreaFacts,
  CellEvents,
  Cells,
  CounterBins,
  EventFacts,
  EventRow,
  Flow,
  Found,
  Place,
  TrackList,
} from './timeline.ts'
import type {
  ChangesAnswer,
  Failure,
  RunAnswer,
  RunList,
  Selection,
  SourceAnswer,
  TableData,
  TableRequest,
  VerdictAnswer,
  WhatIfAnswer,
} from './types.ts'

/** What could not be answered, in the three parts of every message: what was tried, what was found, what to do. */
export class ApiError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`${failure.tried}: ${failure.found}. ${failure.advice}`)
    this.failure = failure
  }
}

export interface Window {
  t0: number
  t1: number
  px: number
  lanes: number[]
}

export interface Api {
  /** A report holds one run, whole: no other steps, and a timeline whose detail ends somewhere. */
  readonly mode: 'server' | 'report'
  /** Null when nothing changed since the version given. */
  runs(since?: string): Promise<RunList | null>
  run(id: string): Promise<RunAnswer>
  table(run: string, request: TableRequest, signal?: AbortSignal): Promise<TableData>
  verdict(run: string, selection: Selection, signal?: AbortSignal): Promise<VerdictAnswer>
  /** What can be changed before the steps are timed again; only a server can do that. */
  changes(run: string, selection: Selection, signal?: AbortSignal): Promise<ChangesAnswer>
  whatIf(run: string, selection: Selection, changes: string[], signal?: AbortSignal): Promise<WhatIfAnswer>
  source(run: string, file: string, line: number, signal?: AbortSignal): Promise<SourceAnswer>
  /** `told` hears how many of how many parts are done while the events are being laid out. */
  tracks(
    run: string,
    packed: boolean,
    signal?: AbortSignal,
    told?: (done: number, total: number) => void,
  ): Promise<TrackList>
  window(run: string, window: Window, signal?: AbortSignal): Promise<Cells>
  counters(
    run: string,
    t0: number,
    t1: number,
    px: number,
    tracks: number[],
    signal?: AbortSignal,
  ): Promise<CounterBins>
  names(run: string, codes: number[], signal?: AbortSignal): Promise<Map<number, string>>
  cell(
    run: string,
    lane: number,
    first: number,
    count: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<CellEvents>
  event(run: string, lane: number, row: number, signal?: AbortSignal): Promise<EventFacts>
  flows(run: string, lane: number, row: number, signal?: AbortSignal): Promise<{ flows: Flow[]; total: number }>
  area(run: string, t0: number, t1: number, tracks: number[] | null, signal?: AbortSignal): Promise<AreaFacts>
  search(run: string, query: string, limit: number, signal?: AbortSignal): Promise<{ names: Found[]; total: number }>
  next(run: string, code: number, from: EventRow, direction: 1 | -1, signal?: AbortSignal): Promise<Place | null>
  places(
    run: string,
    kind: string,
    name: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ places: Place[]; total: number }>
}
