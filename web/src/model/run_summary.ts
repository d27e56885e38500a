/** What the list says of a run that was read. */

import type { Said } from '../api/types.ts'

export interface RunSummary {
  steps: number
  /** No step is marked: the whole trace is taken for one. */
  unmarked: boolean
  device: string | null
  /** Whether its devices are called NPUs; what was stored before that was looked at does not say. */
  npus?: boolean
  /** Options of the profiler that slow the program down; null where the recording does not name them. */
  options?: string[] | null
  ranks: number
  /** Of how many ranks its figures are. */
  examined: number
  /** The longest step of a rank, as recorded. */
  step_ns: number | null
  /** The straggler, else the rank with the longest step. */
  rank: number | null
  bound: string | null
  busy_pct: number | null
  busy_low_pct: number | null
  busy_high_pct: number | null
  headline: Said | null
  saving: RunSaving | null
  strip: RunStripData | null
}

export interface RunSaving {
  id: string
  title: Said
  saving_ns: number
  saving_pct: number
  saving_low_pct: number
  saving_high_pct: number
  /** Of each sample's time: the step itself becomes longer. */
  per_sample: boolean
}

/** Steps as a few bars: numbers of the first and last step of each, parts and lengths in ns. */
export interface RunStripData {
  first: number[]
  last: number[]
  total: number[]
  most: number[]
  cut: boolean[]
  parts: Record<string, number[]>
}
