/** The app's questions answered from the report that the app is part of. */

import { type Api, ApiError, type Window } from './api.ts'
import { chosenRows, inOrder, rowsBetween, rowsHolding } from './choosing.ts'
import type { CompareAnswer } from './compare.ts'
import { EmbeddedTimeline, type TimelineIndex } from './embedded_timeline.ts'
import { hasPart, Kept, partJson } from './parts.ts'
import type { EventRow } from './timeline.ts'
import type {
  ReadyRun,
  RunAnswer,
  Said,
  Selection,
  SourceAnswer,
  TableData,
  TableRequest,
  VerdictAnswer,
} from './types.ts'

/** What the part `run` says: the run, the verdict, and where everything else is. */
interface Index {
  version: number
  run: ReadyRun
  verdict: VerdictAnswer
  /** Parts by `table|by|1`, `0` without source lines. */
  tables: Record<string, { part: string; rows: number; total: number }>
  timeline: TimelineIndex | null
  /** The command that shows what the report left out. */
  serve: string
  /** What to know where a selection cannot be followed. */
  whole: Said
}

const INDEX_VERSION = 1

/** The answers inside this page, or null when the page came from a server. */
export function embeddedApi(): Api | null {
  return hasPart('run') || hasPart('compare') ? new EmbeddedApi() : null
}

class EmbeddedApi implements Api {
  readonly mode = 'report'
  readonly #index = new Kept<Index>(async (name) => checked(await partJson<Index>(name)))
  readonly #tables = new Kept<TableData>(partJson)
  readonly #sources = new Kept<SourceAnswer[]>(partJson)
  #timeline: Promise<EmbeddedTimeline> | null = null

  async runs(): Promise<null> {
    return null
  }

  async run(): Promise<RunAnswer> {
    return (await this.#index.get('run')).run
  }

  async table(_: string, request: TableRequest): Promise<TableData> {
    const index = await this.#index.get('run')
    const { table, by = '', source = false, filter, sort, limit, name } = request
    const held = index.tables[`${table}|${by}|${source ? 1 : 0}`]
    if (!held) throw notHeld(index, by ? `${table} by ${by}` : table)
    const whole = await this.#tables.get(held.part)
    const { data, limited } = chosenRows(name ? rowsHolding(whole, { name }) : whole, request)
    const part = request.between ? rowsBetween(data, request.between) : data
    if (!part) throw notHeld(index, `${table} of a part of the time`)
    const told = limited ? part : { ...part, notes: [...part.notes, index.whole] }
    return inOrder(filter ? rowsHolding(told, filter.equal) : told, sort, limit)
  }

  async verdict(_: string, selection: Selection): Promise<VerdictAnswer> {
    const { verdict } = await this.#index.get('run')
    const { ranks } = selection
    if (!ranks) return verdict
    return { ...verdict, verdicts: verdict.verdicts.filter((one) => ranks.includes(one.rank)) }
  }

  async changes(): Promise<never> {
    throw notHeld(await this.#index.get('run'), 'what can be changed')
  }

  async whatIf(): Promise<never> {
    throw notHeld(await this.#index.get('run'), 'what changes would bring')
  }

  async compare(): Promise<CompareAnswer> {
    return partJson('compare')
  }

  async source(_: string, file: string, line: number): Promise<SourceAnswer> {
    const found = (await this.#sources.get('sources')).find((one) => one.file === file && one.line === line)
    if (found) return found
    const { serve } = await this.#index.get('run')
    throw new ApiError({
      tried: `cannot show ${file.slice(-100)}`,
      found: 'this report does not quote it: it names too many files, or it was not where the report was made',
      advice: `Where the source files are: ${serve}`,
    })
  }

  async live(): Promise<never> {
    throw notHeld(await this.#index.get('run'), 'running jobs')
  }

  async liveJob(): Promise<never> {
    return this.live()
  }

  async recordNow(): Promise<never> {
    return this.live()
  }

  /** A report is passed on: it names the program alone. */
  async commands() {
    return { commands: [] }
  }

  async checkHistory(): Promise<never> {
    throw notHeld(await this.#index.get('run'), 'a history of checks')
  }

  async ledger(): Promise<never> {
    throw notHeld(await this.#index.get('run'), 'predictions')
  }

  async machine(): Promise<never> {
    throw notHeld(await this.#index.get('run'), 'what this machine lacks')
  }

  /** Little-used streams stay packed: their single lanes are not held. */
  async tracks(_: string, _packed: boolean) {
    return (await this.#shown()).tracks()
  }

  async window(_: string, window: Window) {
    return (await this.#shown()).window(window)
  }

  async counters(_: string, t0: number, t1: number, px: number, tracks: number[]) {
    return (await this.#shown()).counters(t0, t1, px, tracks)
  }

  async names(_: string, codes: number[]) {
    return (await this.#shown()).names(codes)
  }

  async cell(_: string, lane: number, first: number, count: number, limit: number) {
    return (await this.#shown()).cell(lane, first, count, limit)
  }

  async event(_: string, lane: number, row: number) {
    return (await this.#shown()).event(lane, row)
  }

  async flows(_: string, lane: number, row: number) {
    return (await this.#shown()).flows(lane, row)
  }

  async area(_: string, t0: number, t1: number, tracks: number[] | null) {
    return (await this.#shown()).area(t0, t1, tracks)
  }

  async search(_: string, query: string, limit: number) {
    return (await this.#shown()).search(query, limit)
  }

  async named() {
    return (await this.#shown()).named()
  }

  async launched() {
    return (await this.#shown()).launched()
  }

  async next(_: string, code: number, from: EventRow, direction: 1 | -1, every: boolean) {
    return (await this.#shown()).next(code, from, direction, every)
  }

  async path(_: string, t0: number, t1: number, px: number, selection: Selection) {
    return (await this.#shown()).path(t0, t1, px, selection)
  }

  async simulated(_run: string, changes: string[], _view: unknown, selection: Selection) {
    return (await this.#shown()).simulated(changes, selection)
  }

  async occurrences() {
    return (await this.#shown()).occurrences()
  }

  async places(_: string, kind: string, name: string, limit: number, at?: number) {
    return (await this.#shown()).places(kind, name, limit, at)
  }

  /** The timeline, if the report holds one. */
  async #shown(): Promise<EmbeddedTimeline> {
    const index = await this.#index.get('run')
    if (!index.timeline) throw notHeld(index, 'a timeline')
    this.#timeline ??= EmbeddedTimeline.open(index.timeline, index.serve)
    return this.#timeline
  }
}

function checked(index: Index): Index {
  if (index.version === INDEX_VERSION) return index
  throw new ApiError({
    tried: 'cannot show the report',
    found: 'its data are of another version',
    advice: 'Make it anew.',
  })
}

function notHeld(index: Index, what: string): ApiError {
  return new ApiError({
    tried: `cannot show ${what}`,
    found: 'this report does not hold it',
    advice: `The recording does: ${index.serve}`,
  })
}
