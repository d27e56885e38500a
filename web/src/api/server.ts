/** The app's questions as requests to the server it came from. */

import type { Role } from '../model/only.ts'
import { runsText } from '../model/ranges.ts'
import { conditionText } from '../model/row_filter.ts'
import { ApiError, type Window } from './api.ts'
import type { Sides } from '../model/compare_sides.ts'
import type { CompareAnswer } from './compare.ts'
import type { CommandLines, LiveJobs, LiveSteps, MachineChecks } from './live.ts'
import type { HistoryAnswer, LedgerAnswer } from './results.ts'
import type { NoSimulation, SimulatedAnswer } from './simulated.ts'
import type {
  AreaFacts,
  CellEvents,
  EventFacts,
  EventRow,
  Flow,
  Found,
  Named,
  NoPath,
  OccurrencesAnswer,
  PathAnswer,
  Place,
  Preparation,
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
import { decodeCells, decodeCounters, decodeRows } from './wire.ts'

/** Of a list each is given. */
type Parameters = Record<string, string | number | boolean | string[] | null | undefined>

/** Ranks and steps as the server reads them. */
function selectionParameters(selection: Selection): Parameters {
  return { rank: selection.ranks?.join(','), step: selection.steps?.join(':') }
}

function query(parameters: Parameters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) for (const one of value) search.append(name, one)
    else if (value === true) search.set(name, '1')
    else if (value !== null && value !== undefined && value !== false && value !== '') search.set(name, String(value))
  }
  return search.toString()
}

async function fetched(
  path: string,
  parameters: Parameters,
  signal?: AbortSignal,
  method: 'GET' | 'POST' = 'GET',
): Promise<Response> {
  const url = `api/${path}?${query(parameters)}`
  let response: Response
  try {
    response = await fetch(url, signal ? { method, signal } : { method })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError({
      tried: 'cannot reach the server',
      found: 'it does not answer',
      advice: 'Is stepscope serve still running?',
    })
  }
  if (response.ok || response.status === 304) return response
  throw new ApiError(await failure(response))
}

async function failure(response: Response): Promise<Failure> {
  try {
    const answer = (await response.json()) as { error: Failure }
    return answer.error
  } catch {
    return { tried: 'the server refused', found: `status ${response.status}`, advice: 'Reload the page.' }
  }
}

async function json<T>(path: string, parameters: Parameters, signal?: AbortSignal): Promise<T> {
  return (await (await fetched(path, parameters, signal)).json()) as T
}

/** What the app asks for; `embedded.ts` answers the same from a report. */
export type Api = Pick<ServerApi, keyof ServerApi>

export class ServerApi {
  /** A report holds one run, whole: no other steps, and a timeline whose detail ends somewhere. */
  readonly mode: 'server' | 'report' = 'server'
  /** What is added to questions whose answer names lanes: those of the tracks asked for last. */
  private laid: Parameters = {}

  /** Null when nothing changed since the version given. `first`: unread runs to be read in the background first, null to read none. */
  async runs(since?: string, first?: string[] | null): Promise<RunList | null> {
    const read = first === undefined ? undefined : first ? '1' : '0'
    const response = await fetched('runs', { since, read, first })
    return response.status === 304 ? null : ((await response.json()) as RunList)
  }

  run(id: string): Promise<RunAnswer> {
    return json('run', { run: id })
  }

  table(run: string, request: TableRequest, signal?: AbortSignal): Promise<TableData> {
    const { table, by, source, filter, sort, limit, base, event, name } = request
    const where = filter && conditionText(filter)
    const between = request.between?.join(':')
    const others = { base, between, event, name, ...selectionParameters(request) }
    return json('table', { run, table, by, source, where, sort, limit, ...others }, signal)
  }

  verdict(run: string, selection: Selection, signal?: AbortSignal): Promise<VerdictAnswer> {
    return json('verdict', { run, ...selectionParameters(selection) }, signal)
  }

  /** What can be changed before the steps are timed again; only a server can do that. */
  changes(run: string, selection: Selection, signal?: AbortSignal): Promise<ChangesAnswer> {
    return json('changes', { run, ...selectionParameters(selection) }, signal)
  }

  whatIf(run: string, selection: Selection, changes: string[], signal?: AbortSignal): Promise<WhatIfAnswer> {
    return json('what-if', { run, ...selectionParameters(selection), change: changes }, signal)
  }

  /** What changed from some runs to others. */
  compare({ base, new: next }: Sides, signal?: AbortSignal): Promise<CompareAnswer> {
    const [more_base, more] = [base.slice(1), next.slice(1)]
    return json('compare', { base: base[0] ?? '', run: next[0] ?? '', more_base, more }, signal)
  }

  /** Results of checks that were kept: one figure, run by run. */
  checkHistory(file: string, figure: string, signal?: AbortSignal): Promise<HistoryAnswer> {
    return json('history', { file, figure }, signal)
  }

  /** Predictions that were tested. */
  ledger(file: string, signal?: AbortSignal): Promise<LedgerAnswer> {
    return json('ledger', { file }, signal)
  }

  async source(run: string, file: string, line: number, signal?: AbortSignal): Promise<SourceAnswer> {
    const answer = await json<SourceAnswer | { error: Failure }>('source', { run, file, line }, signal)
    if ('error' in answer) throw new ApiError(answer.error)
    return answer
  }

  /** Jobs that record themselves below the folder that is served. */
  live(signal?: AbortSignal): Promise<LiveJobs> {
    return json('live', {}, signal)
  }

  /** One of them, with the last steps of a process: the first one, unless its number is given. */
  liveJob(job: string, pid: number | null, signal?: AbortSignal): Promise<LiveSteps> {
    return json('live/job', { job, pid }, signal)
  }

  /** Have a job record its next steps. */
  async recordNow(job: string): Promise<void> {
    await fetched('live/record', { job }, undefined, 'POST')
  }

  commands(run: string, signal?: AbortSignal): Promise<CommandLines> {
    return json('commands', { run }, signal)
  }

  machine(signal?: AbortSignal): Promise<MachineChecks> {
    return json('doctor', {}, signal)
  }

  /** `told` hears how many of how many parts are done while the events are being laid out. */
  async tracks(
    run: string,
    packed: boolean,
    signal?: AbortSignal,
    told?: (done: number, total: number) => void,
  ): Promise<TrackList> {
    for (;;) {
      // The server lets an answer that is not the last one wait.
      const known = await json<Preparation>('timeline/state', { run }, signal)
      if (known.state === 'ready') break
      told?.(known.done, known.total)
    }
    this.laid = { packed: packed ? undefined : '0' }
    return json('timeline/tracks', { run, ...this.laid }, signal)
  }

  async window(run: string, window: Window, signal?: AbortSignal) {
    const { t0, t1, px, lanes } = window
    const response = await fetched('timeline/window', { run, t0, t1, px, lanes: runsText(lanes, ',') }, signal)
    return decodeCells(await response.arrayBuffer())
  }

  async counters(run: string, t0: number, t1: number, px: number, tracks: number[], signal?: AbortSignal) {
    const response = await fetched('timeline/counters', { run, t0, t1, px, tracks: runsText(tracks, ',') }, signal)
    return decodeCounters(await response.arrayBuffer())
  }

  async names(run: string, codes: number[], signal?: AbortSignal): Promise<Map<number, string>> {
    const { names } = await json<{ names: Record<string, string> }>(
      'timeline/names',
      { run, codes: codes.join(',') },
      signal,
    )
    return new Map(Object.entries(names).map(([code, name]) => [Number(code), name]))
  }

  cell(
    run: string,
    lane: number,
    first: number,
    count: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<CellEvents> {
    return json('timeline/cell', { run, lane, first, count, limit }, signal)
  }

  event(run: string, lane: number, row: number, signal?: AbortSignal): Promise<EventFacts> {
    return json('timeline/event', { run, lane, row, ...this.laid }, signal)
  }

  flows(run: string, lane: number, row: number, signal?: AbortSignal): Promise<{ flows: Flow[]; total: number }> {
    return json('timeline/flows', { run, lane, row, ...this.laid }, signal)
  }

  area(run: string, t0: number, t1: number, tracks: number[] | null, signal?: AbortSignal): Promise<AreaFacts> {
    return json('timeline/area', { run, t0, t1, tracks: tracks ? runsText(tracks, ',') : undefined }, signal)
  }

  search(run: string, q: string, limit: number, signal?: AbortSignal): Promise<{ names: Found[]; total: number }> {
    return json('timeline/search', { run, q, limit, ...this.laid }, signal)
  }

  named(run: string, role: Role, value: string, signal?: AbortSignal): Promise<Named> {
    return json('timeline/named', { run, role, value }, signal)
  }

  /** Rows of what an operator launched on the GPU, by lane. */
  async launched(run: string, operator: string, signal?: AbortSignal): Promise<Map<number, Uint32Array>> {
    return decodeRows(await (await fetched('timeline/launched', { run, operator }, signal)).arrayBuffer())
  }

  async next(run: string, code: number, from: EventRow, direction: 1 | -1, every: boolean): Promise<Place | null> {
    const asked = { run, code, lane: from.lane, row: from.row, direction, every: every && '1', ...this.laid }
    return (await json<{ place: Place | null }>('timeline/next', asked)).place
  }

  /** The critical path as a piece of time shows it; of one rank where only that one is selected. */
  path(run: string, t0: number, t1: number, px: number, selection: Selection, signal?: AbortSignal) {
    const { step, rank } = selectionParameters(selection)
    const one = selection.ranks?.length === 1 ? rank : undefined
    const view = { t0: Math.floor(t0), t1: Math.ceil(t1), px: Math.round(px) }
    return json<PathAnswer | NoPath>('timeline/path', { run, ...view, step, rank: one, ...this.laid }, signal)
  }

  /** The simulated step after changes, as a view shows it. */
  simulated(
    run: string,
    changes: string[],
    { t0, t1, px }: { t0: number; t1: number; px: number },
    selection: Selection,
    signal?: AbortSignal,
  ) {
    const { step, rank } = selectionParameters(selection)
    const one = selection.ranks?.length === 1 ? rank : undefined
    const asked = { changes: JSON.stringify(changes), t0: Math.floor(t0), t1: Math.ceil(t1), px: Math.round(px) }
    return json<SimulatedAnswer | NoSimulation>(
      'timeline/simulated',
      { run, ...asked, step, rank: one, ...this.laid },
      signal,
    )
  }

  /** Findings with all their occurrences. */
  occurrences(run: string, signal?: AbortSignal): Promise<OccurrencesAnswer> {
    return json('timeline/marks', { run }, signal)
  }

  /** Events of a name, the longest first; those that start at a moment alone, where one is given. */
  places(run: string, kind: string, name: string, limit: number, at?: number, signal?: AbortSignal) {
    const asked = { run, kind, name, limit, at: at === undefined ? undefined : `${at}`, ...this.laid }
    return json<{ places: Place[]; total: number }>('timeline/places', asked, signal)
  }
}
