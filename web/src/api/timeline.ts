/** What the server sends for the timeline. Moments are offsets in ns from the profile's `origin_ns`. */

import { firstWhere } from '../model/binary_search.ts'
import type { BigNs, Said } from './types.ts'

/** Kinds of cells by their code; the same order as in the binary answers. */
export const KINDS = [
  'compute',
  'communication',
  'memcpy',
  'memset',
  'runtime',
  'data_loading',
  'operator',
  'annotation',
  'python',
  'sync',
  'idle',
  'other',
  'os_call',
  'sample',
  'on_cpu',
  'off_cpu',
  'collective',
  'unfinished',
  'not_started',
] as const
export type Kind = (typeof KINDS)[number]

export interface Track {
  id: number
  rank: number
  section: 'communication' | 'gpu' | 'host' | 'counters'
  kind: string
  title: Said
  process: string | null
  device: number | null
  stream: number | null
  thread: string | null
  /** Lane of its first row; row `depth` is lane `first_lane + depth`. */
  first_lane: number
  depths: number
  events: number
  busy_ns: number
  collapsed: boolean
  /** It only says that the profiler was on: shown when asked for. */
  profiler: boolean
  /** Of a counter. */
  unit: string | null
  max: number | null
}

/** The track that owns a lane. */
export function trackOfLane(tracks: Track[], lane: number): Track | null {
  return tracks.find((track) => lane >= track.first_lane && lane < track.first_lane + track.depths) ?? null
}

export interface TrackList {
  origin_ns: BigNs
  end: number
  tracks: Track[]
  lanes: number
  events: number
  left_out: number
  overlapping: number
  notes: Said[]
}

/** How far a timeline has come that is being made. */
export type Preparation = { state: 'building'; done: number; total: number } | { state: 'ready' }

/** Cells of some lanes; `lanes[i]` owns the cells from `offset` on. All arrays have the same length. */
export interface Cells {
  t0: number
  t1: number
  /** Events of at least this length are exact, shorter ones may be merged. */
  cell_ns: number
  lanes: { lane: number; offset: number; count: number }[]
  start: Float64Array
  end: Float64Array
  first: Uint32Array
  count: Uint32Array
  name: Uint32Array
  busy: Uint16Array
  kind: Uint8Array
  shade: Uint8Array
}

/** The first of the cells `from` to `to` that ends after a moment. */
export function firstEndingAfter(ends: Float64Array, from: number, to: number, moment: number): number {
  return firstWhere(from, to, (at) => (ends[at] ?? 0) > moment)
}

/** The first of the cells `from` to `to` that starts at a moment or later. */
export function firstStartingFrom(starts: Float64Array, from: number, to: number, moment: number): number {
  return firstWhere(from, to, (at) => (starts[at] ?? 0) >= moment)
}

export interface CounterBins {
  bins: number
  tracks: { track: number; offset: number }[]
  min: Float32Array
  max: Float32Array
  mean: Float32Array
}

/** Which event: its row in a lane. */
export interface EventRow {
  lane: number
  row: number
}

/** An event, and where it is. */
export interface Place extends EventRow {
  start: number
  duration_ns: number
  name: string
}

export interface CellEvents extends Partial<Pick<EventFacts, 'rank' | 'on' | 'step'>> {
  count: number
  start: number
  end: number
  busy_ns: number
  busy_pct: number
  names: { name: string; count: number; total_ns: number; share_pct: number }[]
  events: { row: number; name: string; start: number; duration_ns: number }[]
  total: number
}

export interface EventFacts {
  name: string
  category: string
  kind: Kind
  rank: number
  track: number
  /** Its track. */
  on: Pick<Track, 'section' | 'kind' | 'title' | 'device' | 'stream' | 'thread'>
  /** The step in which it was launched, or in which it begins. */
  step: number | null
  /** Process and thread of an event of the host, as the trace names them. */
  thread: string | null
  lane: number
  row: number
  start: number
  duration_ns: number
  self_ns: number | null
  args: Record<string, string | number | boolean | null>
  operator: string | null
  module: string | null
  stack: { function: string; file: string | null; line: number | null }[]
  links: { launch: Place | null; activities: Place[]; forward: Place | null; backward: Place | null }
  parent: Place | null
  children: number
  collective: Collective | null
  /** Of a communication kernel without a partner: where none was found, and how theirs lie to it. */
  unmatched: { ranks: number[]; why: 'early' | 'late' | 'differs' } | null
  /** The idle time of the GPU that it ended, or its work: the place of its longest part. */
  idle_before: (Place & { total_ns: number }) | null
  /** The same call of a flight recorder's dump on other ranks; null where the dumps do not say which it is. */
  recorded: { matched: number; peers: RecordedPeer[] } | null
  /** What became of a collective that a flight recorder holds. */
  said: Said[]
  same_name: { calls: number; total_ns: number; mean_ns: number; index: number }
}

/** A collective that a kernel is part of, as far as its kernels on other ranks were found. */
export interface Collective {
  collective: number
  op: string
  group: string | null
  ranks: number | null
  matched: number
  last_rank: number
  /** Of this rank's kernel. */
  transfer_ns: number
  wait_ns: number
  partners: (Place & { rank: number; wait_ns: number })[]
}

/** A call on another rank, and how much later it was made there, by the clocks of both hosts. */
export type RecordedPeer = Place & {
  rank: number
  kind: 'collective' | 'unfinished' | 'not_started'
  after_ns: number
}

export interface Flow {
  kind: 'launch' | 'backward' | 'async' | 'collective'
  from: Place
  to: Place
  /** Of a collective: one end is the rank that arrived last. */
  last?: boolean
}

/** The critical path of some steps: pieces that cover it exactly, each on the lane of its event. */
export interface PathAnswer {
  state: 'ok'
  /** Numbers of the first and the last step. */
  steps: [number, number]
  /** Whose path it is; null for that of the job, which changes rank. */
  rank: number | null
  total_ns: number
  count: number
  parts: PathPart[]
  longest: PathPart[]
  /** Columns, in order of time. */
  pieces: {
    rank: number[]
    step: number[]
    lane: number[]
    /** -1 where nothing was recorded. */
    row: number[]
    start: number[]
    end: number[]
    kind: string[]
    handover: Handover[]
    /** How many pieces one stands for. */
    count: number[]
    /** Place in `names` and `changes`. */
    name: number[]
  }
  names: string[]
  /** Changes of what-if that would shorten pieces; empty where there is none. */
  changes: string[]
  kinds: Record<string, Said>
  notes: Said[]
}

/** No path: because there is none, or because it would be of too many steps. */
export interface NoPath {
  state: 'none' | 'too_many'
  notes: Said[]
}

export interface PathPart {
  kind: string
  name: string
  duration_ns: number
  share_pct: number
  count: number
  change: string
}

/** Findings with every time that they occur. */
export interface OccurrencesAnswer {
  /** Those worth fixing first; `what_if`: the change that simulates its fix, empty for none; `of`: how many occurrences, those that are not listed included. */
  findings: { id: string; severity: string; title: Said; what_if: string; of: number }[]
  /** Columns, in order of time. `lane` is -1 of a range that is no event's. */
  marks: {
    finding: number[]
    rank: number[]
    step: (number | null)[]
    start: number[]
    end: number[]
    lane: number[]
    row: number[]
  }
  notes: Said[]
}

/** What let a piece of the path begin. */
export type Handover =
  'stream' | 'event' | 'room' | 'launch' | 'wait' | 'thread' | 'continues' | 'collective' | 'unknown' | 'begin'

export interface AreaFacts {
  t0: number
  t1: number
  ranks: {
    rank: number
    span_ns: number
    busy_ns: number
    idle_ns: number
    compute_ns: number
    communication_ns: number
    exposed_communication_ns: number
    memory_ns: number
    exposed_memory_ns: number
  }[]
  names: { name: string; kind: Kind; track_kind: string; calls: number; total_ns: number; share_pct: number }[]
  total_names: number
  events: number
}

/** Names of kernels of a kind or a collective. */
export interface Named {
  codes: number[]
  /** How many of them kernels of others bear, too. */
  shared: number
}

export interface Found {
  code: number
  name: string
  kind: Kind
  count: number
  total_ns: number
  first: Place
  longest: Place
}
