/** Texts about what everything is filtered to, in English. */

import { countText } from '../model/format.ts'
import { noun } from './plural.ts'

export const onlyEn = {
  only: {
    roles: {
      operator: 'operator',
      kernel: 'kernel',
      module: 'module',
      source: 'source line',
      stream: 'stream',
      collective: 'collective',
      kind: 'kind',
    },
    clear: 'Remove the filter',
    filtered: (what: string) => `Filtered: ${what}.`,
    not: (what: string, role: string) => `Not filtered by ${role}: ${what}.`,
    whole: 'Not filtered: this page is about the whole run.',
    manyLines: 'Not filtered: the timeline dims by name, and a name has many source lines. Operators and Idle follow.',
    noStream: (stream: string) =>
      `Not filtered: no track is stream ${stream} alone. Where little-used streams share tracks, Pack streams takes them apart.`,
    noKernel: (role: string, value: string) => `Not filtered: no kernel of this recording is of ${role} ${value}.`,
    notHeld: (role: string) => `Not filtered: this report does not hold which kernels are of a ${role}.`,
    launchesNotHeld: 'This report does not hold what the operator launched: its kernels are dimmed, too.',
    sharedNames: (names: number, value: string) =>
      `Of the names lit up, ${countText(names)} ${noun(names, 'is', 'are')} also borne by kernels of others than ${value}.`,
    nowhere: (what: string) => `Not filtered: no event of the timeline is called ${what}.`,
  },
}

export type OnlyWords = typeof onlyEn
