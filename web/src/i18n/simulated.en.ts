/** Texts of the simulated step on the timeline, in English. */

import { rangeEn } from './plural.ts'

export const simulatedEn = {
  simulated: {
    /** What the page calls a step is the whole trace where none were marked. */
    button: (steps: boolean): string => (steps ? 'Simulated step' : 'Simulated'),
    title: 'What the step would be with the fix, below each lane',
    onTimeline: 'Show the simulated step on the timeline',
    hide: 'Hide the simulated step',
    /** Of a step by its number, or of the whole trace where none were marked. */
    chip: (step: number | null) => (step === null ? 'Simulated: the whole trace' : `Simulated: step ${step}`),
    toStep: (step: number | null) =>
      step === null ? 'Go to what is simulated' : `Only the typical step is simulated. Go to step ${step}`,
    ofJob:
      'A job without its straggler is computed from the waits of all ranks, not simulated within a step. See What if.',
    nothing: 'There is no recommendation to simulate. Choose changes in What if.',
    waiting: 'Simulating …',
    lane: 'simulated',
    recorded: (time: string) => `${time} recorded`,
    /** What the step is simulated with. */
    what: { fix: 'the fix', change: 'the change', changes: 'the changes' },
    label: (after: string, range: string, saving: string, what: string, bound: string) =>
      `~${after} (${range}), ${saving} less than without ${what} · bottleneck then: ${bound}`,
    longer: (after: string, range: string, more: string, what: string, bound: string) =>
      `~${after} (${range}), ${more} more than without ${what} · bottleneck then: ${bound}`,
    range: rangeEn,
    /** The three ends in one sentence. */
    ends: (step: number | null, recorded: string, before: string, after: string, range: string, what: string) =>
      `${step === null ? 'The whole trace' : `Step ${step}`}: ${recorded} recorded, ~${before} excluding profiler overhead, ~${after} with ${what} (${range}).`,
    starts: (recorded: string, simulated: string) => `Starts at ${recorded} as recorded, at ${simulated} simulated`,
    ofStep: (step: number | null) => `from the begin of ${step === null ? 'the trace' : `step ${step}`}`,
    several: (count: string, name: string) => `${count} events, mostly ${name}`,
    unnamed: 'between recorded events',
    bounds: {
      host: 'host-bound',
      data_loading: 'input-bound',
      compute: 'GPU-bound',
      communication: 'communication-bound',
      copies: 'bound by memcpys and memsets',
    } as Record<string, string>,
    details: {
      recorded: 'recorded',
      before: 'excluding profiler overhead',
      after: (what: string) => `with ${what}`,
      boundBefore: 'bottleneck now',
      boundAfter: 'bottleneck then',
      time: (time: string, range: string) => `~${time} (${range})`,
      mean: (time: string) => `mean of all steps: ${time}`,
      changes: 'Changes',
      tracks: 'Work in the step',
      track: 'Track',
      trackRecorded: 'Recorded',
      trackSimulated: 'Simulated',
      whatIf: 'Open in What if',
    },
  },
}
