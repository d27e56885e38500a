/** Texts of the verdict's figures and of the ranks in it, in English. */

import { rangeEn } from './plural.ts'

export const verdictEn = {
  verdictJob: {
    figures: {
      jobStep: 'job step time',
      recorded: 'recorded, on the GPU’s clock',
      longestRank: 'slowest rank of each step',
      allSteps: 'all steps',
      delay: 'straggler delay',
      delayOf: (rank: string, share: string) => `rank ${rank}, ${share} of the job’s step`,
      waiting: 'exposed communication: waiting',
      transfer: 'exposed communication: transfer',
      ofJob: 'of the job’s step (GPU)',
      ofStep: 'of the step on the GPU’s clock',
      computing: 'GPU computing',
      spread: (low: string, high: string) => `${rangeEn(low, high)}, mean over ranks`,
      meanOfRanks: 'mean over ranks',
      without: 'without the straggler',
      simulatedRange: (low: string, high: string) => `simulated, ${rangeEn(low, high)}`,
      step: 'recorded step time',
      longerSide:
        'From the first step’s start to the last one’s end, divided by the steps; on the CPU or on the GPU, whichever takes longer',
      gpuClock: 'on the GPU’s clock',
      unprofiled: 'excluding profiler overhead',
      sameUnprofiled: 'about the same excluding profiler overhead',
      range: rangeEn,
      busy: 'GPU busy',
      exposed: 'exposed communication',
      ofRank: (label: string, rank: number) => `${label}, rank ${rank}`,
      onCpu: 'of the CPU’s step',
      /** Before the shares in the strip of steps. */
      ofCpu: 'Of the CPU’s step:',
      ofCpuMeans:
        'Shares of a step from the start to the end of its range on the CPU. The verdict’s are of the step on the GPU’s clock: from the end of the last step’s work to the end of its own',
      parts: {
        'verdict-part-runtime': 'GPU runtime calls',
        'verdict-part-loader': 'waiting for the data loader',
        'verdict-part-operators': 'operators and what they call',
        'verdict-part-unrecorded': 'outside of GPU runtime calls',
        'verdict-part-other': 'Python and other code',
      } as Record<string, string>,
    },
    ranksInJob: {
      label: 'Ranks, by what they cost the job',
      rank: 'Rank',
      role: 'In the job',
      delays: 'Delays the others',
      waits: 'Waits',
      computing: 'GPU computing',
      step: 'Step (GPU)',
      straggler: 'straggler',
      waitsFor: (rank: number) => `waits for rank ${rank}`,
      neither: 'keeps pace',
      more: (count: number) => `${count} more in Ranks`,
    },
    incomplete: 'Incomplete recording',
  },
}
