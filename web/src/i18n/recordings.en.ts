/** Texts of the recordings of a run: the button in the bar, the box under it, the page, in English. */

import { countText } from '../model/format.ts'
import type { Belonging } from '../model/recordings.ts'
import { counted, noun } from './plural.ts'

export const recordingsEn = {
  recordings: {
    means:
      'Every recording of this run. Bars share one clock, that of the reference; ± is how far off a recording may be. ' +
      'A recording without a common clock is not drawn; the reason stands in its place.',
    count: (count: number) => counted(count, 'recording'),
    unused: (count: number) => `${countText(count)} not joined`,
    open: 'All recordings of this run',
    title: 'Recordings of this run',
    all: 'Details in Recordings',
    chart: 'Recordings on the run’s clock',
    axis: 'run’s clock',
    kindOf: (kind: string, rank: number | null) => (rank === null ? kind : `${kind} · rank ${rank}`),
    spans: (start: string, length: string) => `from ${start}, ${length} long`,
    eventCount: (count: number) => counted(count, 'event'),
    noPlace: 'not on this clock',
    more: (count: number) => `and ${counted(count, 'more recording')}`,
    belongs: {
      reference: 'reference clock',
      rank: 'aligned to this clock',
      wall: 'wall clock of its host',
      clock: 'same clock',
      zone: 'time zone assumed',
      annotations: 'matched by step marks',
      span: 'other window, not shown',
      beside: 'own tables, no common clock',
      apart: 'not joined',
    } satisfies Record<Belonging, string>,
    answerOne: (kind: string, recorder: string) => `One recording: ${kind}, by ${recorder}.`,
    answerWall: (count: number) => `All ${countText(count)} recordings have times of their hosts’ wall clocks.`,
    answerAll: (count: number) => `All ${countText(count)} recordings are on the run’s clock.`,
    answer: (on: number, count: number, beside: string[], apart: string[]) =>
      `${countText(on)} of ${counted(count, 'recording')} ${noun(on, 'is', 'are')} on the run’s clock` +
      `${beside.length ? `; own tables, no common clock: ${beside.join(', ')}` : ''}` +
      `${apart.length ? `; not joined: ${apart.join(', ')}` : ''}.`,
    apart: 'Recordings not joined',
    events: 'Recordings as a table',
    checks: 'Do they belong together?',
    views: 'Where to find each view',
    viewsOf: {
      trace: ['Steps and the bottleneck', 'Events', 'Time by operator', 'Time by kernel', 'Idle time and its causes'],
      memory_snapshot: ['Memory over time, peak, segments, growth, out of memory'],
      telemetry: ['Power, clocks, temperature, throttle reasons', 'Counters above the events'],
      flight_recorder: [
        'Which rank is waited for',
        'Hangs and where the ranks are',
        'Collectives of each process group over time',
      ],
      communication_log: [
        'Bandwidth over the run, slow links, late ranks',
        'Bandwidth of every collective and size over time',
      ],
      compile_log: ['Compile time, recompilations, graph breaks, lines of kernels'],
      kernel_report: ['What limits the longest kernels', 'Kernels, their metrics, rules and warp stalls'],
      input_pipeline: ['Operators of the input pipeline, queues, batches, CPU utilization'],
      nsys: [
        'CUDA API summary',
        'GPU kernel summary',
        'NVTX ranges and their projection',
        'Events',
        'GPU metrics, NIC',
        'Expert systems rules',
        'Diagnostics',
        'OS runtime, CPU samples',
      ],
    },
    beside: 'Other files in the same folder',
    besideSays: 'Not part of this run, or opened on their own.',
    file: 'File',
    none: 'No memory snapshot and no report of Nsight Systems or Nsight Compute lies beside this run.',
    report: 'A report holds one run; files beside it are listed by stepscope serve.',
    why: 'Why it does not open',
    skipped: 'Files not read',
  },
}

export type RecordingWords = typeof recordingsEn
