/** What can be changed in a run, and what changes bring. */

import type { Said } from './types.ts'

/** A kind of change, as `stepscope what-if --list` names it. */
export interface ChangeKind {
  kind: string
  /** `kernel:NAME xFACTOR` */
  written: string
  /** What follows the colon: `NAME`, or empty. */
  of: string
  factor: boolean
  description: Said
  /** What no recording shows about it. */
  unknown: Said
  /** What it would change in this run; null for what needs a name. */
  affected: Said | null
  /** Why there is nothing to change; null where there is. */
  lack: Said | null
}

/** A kernel, operator, range or file that takes time, as a change names it. */
interface ChangeOffer {
  kind: string
  name: string
  host_ns: number
  gpu_ns: number
}

/** What can be changed: the rank that was looked at, and what it offers. */
export interface ChangesAnswer {
  /** The ranks looked at. */
  ranks: number[]
  recorded_ns: number
  kinds: ChangeKind[]
  named: ChangeOffer[]
  devices: string[]
}

/** What changes bring on a rank; times of a step in ns. */
export interface WhatIfNumbers {
  before_low_ns: number
  before_ns: number
  before_high_ns: number
  after_low_ns: number
  after_ns: number
  after_high_ns: number
  saving_low_ns: number
  saving_ns: number
  saving_high_ns: number
  saving_low_pct: number
  saving_pct: number
  saving_high_pct: number
  affected: Said[]
}

export interface WhatIfRankNumbers extends WhatIfNumbers {
  bound_before: string
  bound_before_pct: number
  bound_after: string
  bound_after_pct: number
}

/** A part of the critical path of a step. */
export interface PathPart {
  side: string
  /** As in the trace; null for what has no name there. */
  name: string | null
  /** What it is, where it has no name. */
  label: Said | null
  ns: number
  share_pct: number
}

/** The answers for a rank, or for the job. */
export interface WhatIfAnswers {
  recorded_ns: number
  changes: (WhatIfNumbers & { change: string })[]
  together: WhatIfNumbers
}

export interface WhatIfRank extends WhatIfAnswers {
  rank: number
  together: WhatIfRankNumbers
  /** What a step is made of, without the profiler and with all changes; parts add up to the step. */
  path_before: PathPart[]
  path_after: PathPart[]
}

export interface WhatIfAnswer {
  method: Said
  /** Null of one rank. */
  job: WhatIfAnswers | null
  /** Of no rank where nothing was simulated. */
  ranks: WhatIfRank[]
  command: string
}
