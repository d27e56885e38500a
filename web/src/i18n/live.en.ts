/** Texts of the page about running jobs, in English. */

import type { JobState } from '../api/live.ts'
import { countText, fixedText } from '../model/format.ts'
import { counted } from './plural.ts'

const times = (factor: number) => `${fixedText(factor, 2)}x`
const range = (first: number, last: number) => (first === last ? `step ${first}` : `steps ${first} to ${last}`)

export const liveEn = {
  live: {
    means:
      'Jobs that record themselves with stepscope, while they run. Step times are those of the host’s clock; means ' +
      'of 100 steps leave out those of windows.',
    none: 'No job is recording below this folder.',
    noneHow: 'A job started like this appears here with its first step, ready to record on request:',
    noneOthers: 'Other ways to record',
    jobs: 'Jobs',
    of: (command: string, folder: string) => `${command} in ${folder}`,
    states: {
      waiting: 'ready to record',
      recording: 'recording',
      measuring: 'timing the steps after the window',
      done: 'recorded as planned',
      foreign: 'no longer watched: the program started a profiler of its own',
      lost: 'lost contact',
    } satisfies Record<JobState, string>,
    ended: 'It has ended.',
    endedWhere: 'Its recordings are in the list of runs.',
    endedNothing: 'It had recorded nothing when it was last seen.',
    notThere: 'This job is not running here.',
    notThereWhere: 'What it recorded is in the list of runs.',
    lost: (ago: string) =>
      `Lost contact: last seen ${ago} ago. The process was killed, or its machine cannot be reached.`,
    lostRanks: (ranks: string, ago: string) => `Lost contact with ${ranks}: last seen ${ago} ago.`,
    quiet: (ago: string) => `No step has ended for ${ago}.`,
    quietRecording: (ago: string) => `Last heard of ${ago} ago: while it records, it writes nothing.`,
    rank: (rank: number | null, pid: number) => (rank === null ? `process ${pid}` : `rank ${rank}`),
    ranks: (first: number, last: number) => (first === last ? `rank ${first}` : `ranks ${first} to ${last}`),
    steps: 'Steps so far',
    ready: 'Record a window to see why.',
    pace: 'Step time',
    paceLater: 'known after its first step',
    paceOf: 'mean of the last 100 steps',
    lastOf: (steps: number) => `mean of the last ${counted(steps, 'step')}`,
    best: 'Best 100 steps',
    bestNote: (loss: number) =>
      loss < 0.5
        ? 'as fast now'
        : loss < 100
          ? `${fixedText(loss, 0)} % slower now`
          : `now ${times(1 + loss / 100)} as long`,
    bestLater: 'known after 100 steps',
    running: 'Running for',
    strip: 'Step times',
    stripOf: (steps: number) => `Time of the last ${counted(steps, 'step')}`,
    scale: (time: string) => `full height ${time}`,
    torn: (count: number) => `${counted(count, 'longer step')} cut off`,
    at: (step: number, time: string) => `step ${step}: ${time}`,
    paused: 'Paused under the pointer.',
    reduced: 'The picture stands still, as your system asks for reduced motion.',
    newest: 'Show the newest',
    record: (steps: number) => `Record ${counted(steps, 'step')} now`,
    recordTwo: (steps: number) => `Record ${counted(steps, 'step')} twice now`,
    asked: 'Requested. The window begins with one of the next steps.',
    cost: (time: string, factor: number) => `About ${time}: these steps take about ${times(factor)} as long.`,
    costLater: 'A window can be requested here once a step has been timed.',
    costKnown: (stop: string) => `As in the last window; then one step waits ${stop} for the profiler to stop.`,
    costTypical:
      'That is typical of host-bound steps; GPU-bound ones take hardly longer. Then one step waits for the profiler to stop.',
    busy: {
      recording: (first: number, last: number) => `Recording ${range(first, last)}.`,
      measuring: (first: number, last: number) =>
        `Recorded ${range(first, last)}. Up to 20 steps after it are timed, then the file is complete.`,
    },
    notOnDemand: 'It was not started with --on-demand. Next time:',
    next: (first: number, last: number) => `It records ${range(first, last)} by itself.`,
    elsewhere: (host: string) => `It runs on ${host}. Run there:`,
    noToken: 'This server was started with --no-token, so any user of this machine could press a button here. Instead:',
    windows: 'Windows',
    window: (number: number, first: number | null, last: number | null) =>
      first === null || last === null ? `window ${number}` : `window ${number}: ${range(first, last)}`,
    measured: (factor: number) => `recorded steps were ${times(factor)} as long: measured`,
    unmeasured: 'its cost was not measured',
    partial: 'cut short',
    notYet: 'waiting for all ranks',
    notListed: 'being listed',
    gone: 'its file is not there',
    failed: (problem: string) => `not written: ${problem}`,
    open: 'Open',
    telemetry: 'Last 60 s of the machine',
    noTelemetry: 'No telemetry: start the job with --telemetry 10 to see its GPUs and cores here.',
    stale: (ago: string) => `No sample for ${ago}.`,
    upTo: (value: string) => `up to ${value}`,
    counters: {
      gpu_util_pct: 'GPU utilization',
      power_mw: 'Power',
      sm_clock_mhz: 'SM clock',
      mem_used_bytes: 'GPU memory used',
      'tree.cpu_pct': 'CPU of the job, 100 % is a core',
      'cpu.busy_pct': 'CPU of the machine',
      'tree.memory_bytes': 'Memory of the job',
      'host.memory_used_bytes': 'Memory of the machine',
    } as Record<string, string>,
    gpu: (gpu: number, name: string) => `GPU ${gpu}: ${name}`,
    processes: 'Ranks',
    columns: {
      rank: 'Rank',
      host: 'Machine',
      pid: 'Process',
      steps: 'Step',
      pace: 'Step time',
      loss: 'Against best',
      state: 'State',
    },
    problems: 'Recorder errors',
    paceSaid: (time: string, loss: number) =>
      `Step time ${time}, ${fixedText(loss, 0)} % slower than the best 100 steps`,
    windowSaid: (count: number) => `${countText(count)} ${count === 1 ? 'window' : 'windows'} recorded`,
  },
}

export type LiveWords = typeof liveEn
