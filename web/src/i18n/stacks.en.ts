/** Texts of the pages about stacks, and about the instances of a name, in English. */

import { countText } from '../model/format.ts'
import { counted } from './plural.ts'

export const stacksEn = {
  flamePage: {
    means:
      'Each box is a function, module, range or operator, as wide as its time; inside it lies what it called. Equal stacks of all steps are one box.',
    answer: (name: string, share: string, gpu: boolean) =>
      `${name} takes ${share} of ${gpu ? 'GPU' : 'CPU'} time by itself.`,
    title: 'Time by stack',
    says: (gpu: boolean): string =>
      gpu
        ? 'Width: GPU time of what a frame launched, its backward pass included.'
        : 'Width: CPU time inside a frame, thread by thread.',
    keys: 'Click or Enter zooms in, Back or Esc zooms out, arrow keys go from frame to frame.',
    weight: 'Width',
    weights: { device: 'GPU time', host: 'CPU time' },
    frames: 'Frames',
    views: { '': 'All', python: 'Python', operator: 'Operators', module: 'Modules' } as Record<string, string>,
    view: 'View',
    shown: { graph: 'Graph', table: 'Table (T)' },
    kinds: { python: 'Python functions, modules', annotation: 'Annotated ranges', operator: 'Operators' },
    all: 'All frames',
    find: 'Find frames',
    found: (share: string, frames: number) => `${share} of the time in ${counted(frames, 'frame')}`,
    foundNone: 'No frame has this name.',
    cut: (drawn: number, all: number) =>
      `The heaviest ${countText(drawn)} of ${counted(all, 'frame')} are drawn. Zooming in draws the others.`,
    cutReport: (drawn: number, all: number) =>
      `The report holds ${countText(drawn)} of ${counted(all, 'frame')}, the heaviest.`,
    area: (from: string, length: string) => `Area: ${length} from ${from}, all tracks`,
    wholeRun: 'Show the whole run',
    total: (gpu: boolean): string => (gpu ? 'GPU total' : 'CPU total'),
    own: (gpu: boolean): string => (gpu ? 'GPU self' : 'CPU self'),
    ofAll: 'of all',
    calls: 'calls',
    functions: 'By function',
    functionsSay: 'Equal names together, wherever they are called. A click lights up their frames.',
    name: 'Name',
    stack: 'stack',
    instances: 'Instances',
    longest: 'Show the longest on the timeline',
    longestSays: 'The longest instance of this name, whichever function calls it.',
  },
  instancesPage: {
    means: (outlier: string) => `Every execution of one kernel, operator, range or call. ${outlier}`,
    outlier:
      'An outlier takes more than 1.5 times the median, and more than the upper quartile by 3 interquartile ranges.',
    answer: (name: string, calls: number, median: string, longest: string) =>
      `${name}: ${counted(calls, 'instance')}, median ${median}, longest ${longest}.`,
    outliers: (count: number, step: string | null, inStep: number) => {
      const all = counted(count, 'outlier')
      if (step === null) return `${all}.`
      return inStep === count ? `${all}, in step ${step}.` : `${all}, ${countText(inStep)} of them in step ${step}.`
    },
    none: 'No outliers.',
    fewInstances: 'Outliers are not marked below 8 instances.',
    kind: 'Kind',
    histogram: 'Durations',
    histogramSays: 'How many instances took how long; each bin is wider than the one before by the same factor.',
    strip: 'Over time',
    stripSays: (shown: number, all: number) =>
      shown < all
        ? `Each instance by its start: the ${countText(shown)} longest of ${countText(all)}. A click chooses it.`
        : 'Each instance by its start. A click chooses it.',
    steps: 'By step',
    stepsSay: 'Time in each step, the median in the middle of its instances.',
    table: 'Instances',
    names: 'All names',
    namesSay: 'A click shows the instances of the name.',
    figures: {
      calls: 'instances',
      median: 'median',
      p90: '90th percentile',
      longest: 'longest',
      outliers: 'outliers',
    },
    words: {
      duration: 'Duration',
      start: 'Start',
      instances: 'Instances',
      usual: 'Instances',
      outliers: 'Outliers',
      step: 'Step',
      rank: 'Rank',
      place: 'Thread or stream',
    },
    cut: (here: number, all: number) => `The longest ${countText(here)} of ${countText(all)} instances are here.`,
    reportNames: 'A report does not hold the flame graph of an area.',
  },
}

export type StackWords = typeof stacksEn
