/** Texts of what to mend, in English. */

import { counted } from './plural.ts'

export const findingsEn = {
  findings: {
    title: 'What to mend',
    says: 'What a step without the profiler would save, from timing the recorded steps again. Savings do not add up.',
    nothing: 'Nothing was found whose saving is more than the difference between two runs.',
    share: (percent: string, atLeast: boolean) => `${atLeast ? '≥ ' : ''}${percent} %`,
    perSample: 'of each sample’s time',
    range: (low: string, high: string) => `${low} to ${high} %`,
    confidence: {
      high: 'confidence high',
      medium: 'confidence medium',
      low: 'confidence low',
    } as Record<string, string>,
    ranks: (rank: number, count: number) => `most on rank ${rank}, seen on ${counted(count, 'rank')}`,
    unknown: (what: string) => `not in the recording: ${what}`,
    show: 'Show on the timeline',
    note: (what: string) => `Note: ${what}.`,
    whatIf: 'Ask what if',
    seen: (names: string) => `Seen, not worth mending: ${names}.`,
    all: 'All findings as a table',
  },
}
