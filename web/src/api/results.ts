/** What was kept of earlier commands: results of checks, and predictions that were tested. */

import type { Said } from './types.ts'

export type CheckOutcome = 'fine' | 'regressed' | 'unknown'
export type ProofOutcome = 'inside' | 'less' | 'more' | 'unclear'

/** A recording as a command was given it; `run` where it is listed here and was not recorded anew since. */
export interface KeptRecording {
  name: string
  path: string
  run: string | null
  state: 'here' | 'replaced' | 'elsewhere'
}

interface Kept {
  /** Whether one file alone is served. */
  single: boolean
  files: string[]
  file: string | null
  /** Lines that could not be read. */
  broken: number
  /** What makes the first entries. */
  commands: string[]
}

export interface CheckedRun {
  at_s: number
  label: string
  setup: number
  outcome: CheckOutcome
  value: number | null
  text: string
  range: [number, number] | null
  figure_outcome: CheckOutcome | null
  limit: number | null
  limit_text: string
  at_least: boolean
  recordings: KeptRecording[]
}

export interface CheckedSetup {
  facts: Record<string, string>
  runs: number
  with_figure: number
  changes: { run: number; before: number; after: number; text: Said }[]
}

export interface CheckHistory {
  figure: string
  figures: { name: string; unit: 'ns' | 'bytes' | 'pct' | 'none'; title: Said }[]
  runs: CheckedRun[]
  left_out: number
  setups: CheckedSetup[]
  least_runs: number
  outcomes: Record<CheckOutcome, Said>
}

export interface HistoryAnswer extends Kept {
  history: CheckHistory | null
  baselines: { name: string; saved_s: number; recordings: number; facts: Record<string, string> }[]
}

export interface Prediction {
  at_s: number
  finding: string
  confidence: string
  /** Low, best and high, in per cent of the step. */
  promised: [number, number, number]
  came: [number, number, number]
  outcome: ProofOutcome
  /** Whether the range of what came leaves out 0. */
  from_zero: boolean
  device: string
  /** What the fix was called, as a commit; empty without. */
  label: string
  before: KeptRecording
  after: KeptRecording
}

export interface LedgerCoverage {
  finding: string | null
  count: number
  inside: number
  unclear: number
  error_pct: number
  largest_pct: number
}

/** What the tests of one recommendation on one device make of the ranges of later predictions. */
export interface LaterRanges {
  finding: string
  device: string
  /** Conclusive tests. */
  known: number
  /** By what ranges are multiplied; null as long as there are fewer tests than `least`. */
  factor: number | null
}

export interface LedgerAnswer extends Kept {
  ledger: {
    predictions: Prediction[]
    left_out: number
    aimed_pct: number
    all: LedgerCoverage | null
    kinds: LedgerCoverage[]
    later: LaterRanges[]
    least: number
    outcomes: Record<ProofOutcome, Said>
  } | null
}
