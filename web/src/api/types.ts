/** What the server sends, and what a report holds. Moments are offsets in ns from `origin_ns`. */

import type { Cell } from '../model/cells.ts'
import type { RowFilter } from '../model/row_filter.ts'
import type { RunSummary } from '../model/run_summary.ts'

/** A decimal text: a count of ns that a JS number could not hold exactly. */
export type BigNs = string

export interface Failure {
  tried: string
  found: string
  advice: string
  /** The three parts as messages; none where the app itself found the failure. */
  messages?: { tried: Said; found: Said; advice: Said }
}

export type Health = 'ok' | 'warning' | 'error'

export interface RunEntry {
  id: string
  name: string
  path: string
  kind: string
  framework: string
  ranks: number | null
  created_s: number | null
  updated_s: number
  size_bytes: number
  /** Whether a memory snapshot is among its files. */
  snapshot: boolean
  steps: number | null
  health: Health | null
  device: string | null
  /** What its pages say, in short; null until it was read. */
  summary: RunSummary | null
  state: 'ready' | 'unread' | 'reading' | 'unreadable'
  /** Why it cannot be opened, or why it has no figures, and what to do about it. */
  reason: Said | null
  advice: Said | null
  opens: boolean
}

export interface RunList {
  root: string
  version: string
  /** Whether runs that nobody opened are read while one looks at the list, and if not, why. */
  background: 'on' | 'off' | 'full' | 'not kept'
  runs: RunEntry[]
  notes?: Said[]
}

export interface RankFacts {
  rank: number
  device: string | null
  source: string
  steps: number
  step_source: string
}

export interface TableFacts {
  description: string
  by: string[]
  source: boolean
  rows: number | null
  available: boolean
  lack: Said | null
  option: string | null
  /** A kind of recording that holds what it lacks, "" for none but a trace. */
  kind: string
}

/** A recording that was read and that no table shows. */
export interface ApartRecording {
  name: string
  kind: string
  /** Why. */
  note: Said
  /** Id of the run that it is alone; null where it cannot be opened so. */
  run: string | null
}

interface ReadingRun {
  state: 'reading'
  /** Compiling the reader happens once for a machine and takes seconds. */
  phase: 'compiling' | 'reading' | 'linking'
  file: string
  done_bytes: number
  total_bytes: number
  events: number
  files_done: number
  files: number
}

interface FailedRun {
  state: 'error'
  error: Failure
}

export interface ReadyRun {
  state: 'ready'
  id: string
  name: string
  path: string
  origin_ns: BigNs
  end: number
  ranks: RankFacts[]
  steps: { first: number; last: number; count: number } | null
  /** Whether other steps and ranks can be asked for: a report holds the whole recording only. */
  selects_steps: boolean
  /** Whether PyTorch's profiler recorded it: then its advice is PyTorch's. */
  kineto: boolean
  /** Whether its devices are called NPUs. */
  npus: boolean
  /** Whether the file of any rank was cut off. */
  cut: boolean
  tables: Record<string, TableFacts>
  apart: ApartRecording[]
  skipped: { path: string; reason: Said }[]
  /** How the command begins that answers what-if. */
  what_if: string
}

export type RunAnswer = ReadingRun | FailedRun | ReadyRun

export interface Selection {
  /** Ranks, or null for all. */
  ranks: number[] | null
  /** First and last step, both included, or null for all. */
  steps: [number, number] | null
}

export interface TableRequest extends Selection {
  table: string
  by?: string
  source?: boolean
  filter?: RowFilter
  /** Part of a memory snapshot's history, or of the time of a trace: from and to. */
  between?: readonly [number, number]
  /** Id of the run to compare with. */
  base?: string
  /** The name that instances and durations are of. */
  name?: string
  /** Entry of the history behind which `memory_blocks` are shown. */
  event?: number
  sort?: string
  limit?: number
}

export type { Cell } from '../model/cells.ts'
export type * from './compare.ts'
export type { CheckedRun, Prediction } from './results.ts'
export type * from './what_if.ts'

export interface ColumnFacts {
  name: string
  type: 'int' | 'float' | 'text' | 'bool' | 'bigint'
  moment: boolean
  description: string
}

/** What the server says: a message of its catalogues, with its words in every language. */
export interface Said {
  id: string
  params: Record<string, unknown>
  text: { en: string; zh: string }
}

export interface TableData {
  table: string
  by: string
  source: boolean
  total: number
  columns: ColumnFacts[]
  data: Record<string, Cell[]>
  /** Of each column of messages, whose `data` are English words, the message behind such words. */
  messages?: Record<string, Record<string, Said>>
  origin_ns: BigNs
  /** By rank what its own clock shows more, ns; none where all ranks share one clock. */
  shifts?: Record<string, BigNs>
  notes: Said[]
  command: string
}

export interface Verdict {
  rank: number
  bound: string
  step_ns: number | null
  steps: number
  gpu_busy_pct: number | null
  /** The bottleneck, then the step time, then the rest. */
  sentences: Said[]
  compute_pct: number | null
  exposed_pct: number | null
  /** What step_ns is of the steps, and the median beside a mean of steps that differ much. */
  averaged: 'mean' | 'median'
  median_ns: number | null
  /** Without profiler overhead: low end, best estimate, high end. */
  unprofiled_ns: [number, number, number] | null
  /** What a file that was cut off lacks, and what figures hold for. */
  incomplete: Said[]
}

/** A rank among others: means over its steps. */
export interface RankInJob {
  rank: number
  step_ns: number
  computing_pct: number
  delays_ns: number
  waits_ns: number
  waits_for: number | null
}

/** Figures of a job; its ranks by what they cost it. */
export interface JobFigures {
  step_ns: number
  wait_pct: number
  transfer_pct: number
  computing_pct: number
  straggler: number | null
  delay_ns: number | null
  delay_pct: number | null
  without_ns: [number, number, number] | null
  ranks: RankInJob[]
}

export interface VerdictAnswer {
  verdicts: Verdict[]
  /** Ranks whose first sentences say the same; worst first, and so within each. */
  alike: number[][]
  /** Which rank is a straggler, if one; and all that the ranks say together, that sentence first. */
  across_ranks: Said | null
  job: Said[]
  figures: JobFigures | null
  command: string
}

export interface SourceAnswer {
  file: string
  line: number
  first: number
  lines: string[]
  href: string
  /** Whether the file was written after the recording, so that lines may have moved. */
  newer?: boolean
}
