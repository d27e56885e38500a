/** Jobs that record themselves as they run, and what the machine lacks for recording: what the server says of them. */

import type { Said } from './types.ts'

export type JobState = 'waiting' | 'recording' | 'measuring' | 'done' | 'foreign' | 'lost'

export interface LiveProcess {
  rank: number | null
  pid: number
  host: string
  steps: number
  steps_are: string
  on_demand: boolean
  /** First and last step of the next window, and of the one that is recorded or measured. */
  next: [number, number] | null
  recording: [number, number] | null
  state: JobState
  /** Since it was last heard of. */
  age_ms: number
  /** Mean of the last 100 steps; of the last 100 outside of windows; of the fastest 100 of these in a row. */
  mean_ns: number | null
  pace_ns: number | null
  best_ns: number | null
}

export interface LiveWindow {
  first_step: number | null
  last_step: number | null
  slowdown: number | null
  closed: string
  problem: string
  files: string[]
  /** No rank is still at it. */
  whole: boolean
  /** A file of it is no longer there. */
  gone: boolean
  /** The run that all of its files are in, once they are listed. */
  run: string | null
}

/** What a window that is asked for now would take. */
export interface WindowCost {
  steps: number
  two_pass: boolean
  slowdown: number
  /** By the last window; else it is typical of host-bound steps. */
  measured: boolean
  /** For so long one step waited for the profiler to stop; null before there was a window. */
  stop_ns: number | null
  ns: number
}

export interface LiveJob {
  id: string
  folder: string
  command: string
  versions: Record<string, string>
  options: Record<string, unknown>
  state: JobState
  world_size: number | null
  began_s: number
  on_demand: boolean
  here: boolean
  /** What `stepscope attach` takes for all that can be asked. */
  attach: number | null
  cost: WindowCost | null
  processes: LiveProcess[]
  windows: LiveWindow[]
}

export interface LiveJobs {
  root: string
  /** Whether a window may be asked for here: without a token any user of the machine could. */
  may_ask: boolean
  jobs: LiveJob[]
}

export interface LiveCounter {
  name: string
  values: number[]
  /** Of each value, how long before the newest of all. */
  before_ms: number[]
}

/** A job with the steps of one of its processes. */
export interface LiveSteps extends LiveJob {
  may_ask: boolean
  pid: number
  /** The last steps, in order. */
  step_ns: number[]
  problems: string[]
  telemetry: { file: string; age_ms: number | null; counters: LiveCounter[] } | null
}

/** The command lines that a run was recorded from. */
export interface CommandLines {
  commands: { command: string; files: number }[]
}

export interface MachineCheck {
  check: string
  status: 'ok' | 'warning' | 'failed' | 'not_applicable'
  text: Said
  fix: Said | null
  commands: string[]
}

export interface MachineChecks {
  root: string
  checks: MachineCheck[]
}
