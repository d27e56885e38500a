/** Texts about how the recordings of a run were made, in English. */

import { fixedText } from '../model/format.ts'

const NONE = 'operators only'

export const recordedHowEn = {
  recordedHow: {
    title: 'What was recorded, and how',
    unknown:
      'These recordings do not say how they were made, nor what recording cost: stepscope record writes both into its own.',
    program: 'Program',
    command: 'Command',
    versions: 'Versions',
    versionsAre: (stepscope: string, torch: string, python: string) =>
      [stepscope && `stepscope ${stepscope}`, torch && `torch ${torch}`, python && `Python ${python}`]
        .filter(Boolean)
        .join(', '),
    options: 'Options',
    optionsAre: (records: string, activities: string) =>
      [records === '' ? NONE : `--with ${records.replaceAll(' ', ',')}`, activities && `activities ${activities}`]
        .filter(Boolean)
        .join(' · '),
    stepsAre: 'A step is',
    stepKinds: {
      optimizer: 'a step of the optimizer',
      data: 'a batch of the data loader',
      mark: 'what the program marks',
    } as Record<string, string>,
    machine: 'Machine',
    machineIs: (cores: string, gpus: string) => `${cores} cores, ${gpus} GPUs that the process could use`,
    window: 'Window',
    steps: (first: number, last: number) => (first === last ? `step ${first}` : `steps ${first} to ${last}`),
    closed: {
      end: 'whole',
      budget: 'ended early: the budget of events was used up',
      foreign: 'ended early: the program started a profiler of its own',
      exit: 'cut short: the process ended',
    } as Record<string, string>,
    costs: 'Cost',
    cost: (factor: number) => `steps in the window were ${fixedText(factor, 2)}x as long: measured`,
    noCost: 'not measured: too few steps ran without the profiler',
    times: 'Median step',
    recorded: (time: string) => `${time} recorded`,
    before: (time: string) => `${time} before the window`,
    after: (time: string) => `${time} after it`,
    recordedColumn: 'Recorded step',
    beforeColumn: 'Before',
    afterColumn: 'After',
    stop: 'Stopping the profiler',
    stopIs: (time: string) => `held up one step for ${time}`,
    differs: 'differs by rank: table metadata',
  },
}

export type RecordedHowWords = typeof recordedHowEn
