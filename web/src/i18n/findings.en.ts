/** Texts of the recommendations, in English. */

import { counted, rangeEn } from './plural.ts'

export const findingsEn = {
  findings: {
    title: 'Recommendations',
    says: (straggler: boolean) =>
      `Savings in per cent of a step without profiler overhead${straggler ? ' (of a straggler: of the job’s step as recorded)' : ''}, simulated, the largest first. They do not add up.`,
    bySample: 'Per sample: the step gets longer, but holds more samples',
    /** A sentence that begins with its verb, of a rank. */
    ofRank: (rank: string, said: string) => `${rank} ${said.charAt(0).toLowerCase()}${said.slice(1)}`,
    waits: (rank: number) => `Nothing to fix on this rank: its step waits for rank ${rank}.`,
    ofJob: 'Recommendations for all ranks',
    nothing: 'No recommendation exceeds run-to-run variation.',
    unexamined: 'No recommendations: nothing can be simulated.',
    share: (percent: string) => `${percent} %`,
    perSample: 'of the time per sample',
    range: (low: string, high: string) => `${rangeEn(low, high)} %`,
    confidence: {
      high: 'high confidence',
      medium: 'medium confidence',
      low: 'low confidence',
    } as Record<string, string>,
    because: ': ',
    ranks: (rank: number, count: number) => `most on rank ${rank}, seen on ${counted(count, 'rank')}`,
    unknown: (what: string) => `not in the recording: ${what}`,
    show: 'Show on timeline',
    note: (what: string) => `Note: ${what}.`,
    noteUnknown: (what: string) => `Not in the recording: ${what}.`,
    /** Advice that names options of the command line, in the words of the page. */
    adviceHere: {
      'finding-first-step-advice':
        'The means include it: select the steps after it in the strip above, or record after more warm-up steps.',
      'finding-uneven-steps-advice':
        'The means include them: inspect them on the timeline, or select others in the strip above.',
    } as Record<string, string>,
    whatIf: 'What if',
    separator: '; ',
    minor: (titles: string) => `Minor, below run-to-run variation: ${titles}.`,
    all: 'All recommendations as a table',
  },
}
