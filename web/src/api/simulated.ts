/** The simulated step, as the timeline draws it. */

import type { Said } from './types.ts'
import type { WhatIfRankNumbers } from './what_if.ts'

/** The simulated step after changes: its ends, which are those of what-if, and its pieces, each on the lane of its event. */
export interface SimulatedAnswer extends Omit<WhatIfRankNumbers, 'affected' | 'bound_before_pct' | 'bound_after_pct'> {
  state: 'ok'
  changes: string[]
  rank: number
  step: number
  /** Offsets of the recorded step. */
  begin: number
  end: number
  recorded_ns: number
  mean_ns: number
  /** How long the step is drawn. */
  length_ns: number
  /** Why nothing is saved; null where something is. */
  nothing: Said | null
  notes: Said[]
  /** Work in the recorded and in the simulated step. */
  tracks: { track: number; recorded_ns: number; simulated_ns: number }[]
  /** Columns, in order of lane and time. */
  pieces: {
    lane: number[]
    /** -1 where nothing was recorded. */
    row: number[]
    start: number[]
    end: number[]
    /** When it began in the recording. */
    recorded: number[]
    /** Number in `KINDS`. */
    kind: number[]
    /** How many pieces one stands for. */
    count: number[]
    /** Place in `names`. */
    name: number[]
  }
  names: string[]
}

/** No simulated step: the changes concern nothing within one. */
export interface NoSimulation {
  state: 'none'
  notes: Said[]
}
