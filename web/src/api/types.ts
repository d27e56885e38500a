/** What the server sends, and what a report holds. Moments are offsets in ns from `origin_ns`. */

import type { Cell } from '../model/cells.ts'

/** A decimal text: a count of ns that a JS number could not hold exactly. */
export type BigNs = string

export interface Failure {
  tried: string
  found: string
  advice: string
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
  steps: number | null
  health: Health | null
  state: 'ready' | 'unread' | 'reading' | 'unreadable'
  reason: string | null
  opens: boolean
}

export interface RunList {
  root: string
  version: string
  runs: RunEntry[]
  notes?: string[]
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
  lack: string | null
  option: string | null
}

export interface ReadingRun {
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

export interface FailedRun {
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
  tables: Record<string, TableFacts>
  skipped: { path: string; reason: string }[]
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
  where?: string
  sort?: string
  limit?: number
}

export type { Cell } from '../model/cells.ts'

export interface ColumnFacts {
  name: string
  type: 'int' | 'float' | 'text' | 'bool' | 'bigint'
  moment: boolean
  description: string
}

export interface TableData {
  table: string
  by: string
  source: boolean
  total: number
  columns: ColumnFacts[]
  data: Record<string, Cell[]>
  origin_ns: BigNs
  notes: string[]
  command: string
}

export interface Verdict {
  rank: number
  bound: string
  step_ns: number | null
  steps: number
  gpu_busy_pct: number | null
  sentences: string[]
  compute_pct: number | null
  exposed_pct: number | null
}

export interface VerdictAnswer {
  verdicts: Verdict[]
  across_ranks: string | null
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
