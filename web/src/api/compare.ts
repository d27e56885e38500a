/** What the page Compare is told: the JSON of `stepscope diff`, and a typical step of each side. */

import type { Said } from './types.ts'

export type Status = 'changed' | 'same' | 'unknown' | 'new' | 'gone'

export interface ComparedRow {
  level: string
  /** Whose time it is: host, gpu or wait; empty for parts of the step. */
  of: string
  key: string
  base_ns: number
  new_ns: number
  delta_ns: number
  low_ns: number
  high_ns: number
  smallest_ns: number
  base_calls: number | null
  new_calls: number | null
  status: Status
}

export interface ComparedCause {
  text: Said
  effect_ns: number
  [figure: string]: unknown
}

export interface ComparedCount {
  key: string
  base: number
  new: number
  /** Sets differ even where both sides have as much that the other has not. */
  differs: boolean
}

/** What one side has and the other has not, with the key of its count. */
export interface OneSided {
  key: string
  side: 'base' | 'new'
  name: string
  /** A step. */
  calls: number
}

interface ComparedSide {
  path: string
  rank: number
  steps: number[]
  step_ns: number[]
  left_out: number
  /** Numbers of steady steps that are not compared because they do other work, and their times. */
  others: number[]
  others_ns: number[]
}

export interface Replaced {
  module: string
  op: string
  gone: string[]
  new: string[]
  base_ns: number
  new_ns: number
  base_calls: number
  new_calls: number
}

export interface RankRow {
  rank: number
  base_ns: number
  new_ns: number
  delta_ns: number
  base_own_ns: number
  new_own_ns: number
  delta_own_ns: number
}

/** Events of a thread or stream: places of their names in `names`, starts and lengths in ns from the step's start. */
export interface DrawnLane {
  kind: 'host' | 'gpu'
  name: string
  left_out: number
  names: number[]
  starts: number[]
  durations: number[]
}

export interface DrawnStep {
  step: number
  length_ns: number
  lanes: DrawnLane[]
}

export interface CompareAnswer {
  base: ComparedSide[]
  new: ComparedSide[]
  sentences: Said[]
  step: Omit<ComparedRow, 'level' | 'of' | 'key'>
  host: { slower_pct: number | null; step_ns: number }
  causes: ComparedCause[]
  gpu_work: ComparedCause[]
  aligned: {
    gpu_pct: number | null
    gpu_by_sequence_pct: number | null
    gpu_by_name_pct: number | null
    host_pct: number | null
    replaced: Replaced[]
  }
  ranks: RankRow[]
  counts: ComparedCount[]
  only_here: OneSided[]
  /** Keys of counts that are not compared: a recording holds none of these. */
  unrecorded: string[]
  rows: ComparedRow[]
  identical: boolean
  typical: { base: DrawnStep; new: DrawnStep }
  names: string[]
  /** Words for rows, counts and outcomes, by message without the catalogue's name: `part-compute`, `outcome-same`. */
  labels: Record<string, Said>
  /** The same on the command line; null where a run is of files that no folder holds alone. */
  command: string | null
}
