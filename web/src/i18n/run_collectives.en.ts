/** Texts of the page about collectives over the run, in English. */

import { countText } from '../model/format.ts'
import { counted, noun } from './plural.ts'

export const runCollectivesEn = {
  runCollectives: {
    title: 'Collectives over the run',
    definition:
      'From logs of NCCL Inspector, which measures every collective of the whole run. Bandwidth is bus bandwidth of the rank ' +
      'that arrives last, so without waiting; bus bandwidth does not depend on the number of ranks and can be compared with that of the links.',
    figures: {
      calls: 'Calls',
      complete: (share: string) => `${share} with a line of every rank`,
      slow: 'Slow communicators or links',
      slowMeans: 'Below 80 % of the bandwidth of alike ones, over ten calls or more',
      of: (rows: number) => `of ${countText(rows)} that are compared`,
      noneAlike: 'none is compared: fewer than four are alike',
      waiting: 'Waiting for the last rank',
      waitingOf: 'of the time in collectives of all ranks',
      unknown: 'no call has a line of every rank',
      late: 'Most often last',
      lateBy: (share: string, time: string) => `in ${share} of its calls, ${time} after the next`,
      lateNone: 'no rank more than the others',
    },
    kind: 'Collective and size',
    slowKind: (name: string) => `${name} (slow)`,
    time: 'Bandwidth over the run',
    timeSays: (shown: number, all: number, only: boolean) =>
      `Median bus bandwidth of the calls in each part of the time, by when their lines were written; without a call ` +
      `the last value stands.` +
      (only ? ' Dashed: the slowest call of each part.' : '') +
      (all > shown ? ` Shown are ${shown} of ${counted(all, 'communicator or link', 'communicators or links')}.` : ''),
    none: 'Nothing over time: the lines were all written at one time, do not say when, or are not held here.',
    since: 'Since the first line',
    bandwidth: 'Bus bandwidth',
    slowest: 'slowest call',
    bars: 'Bandwidth by communicator and size',
    barsSay: (rows: number, all: number) =>
      `Without waiting: the median of the calls, and what the slowest tenth is below` +
      (all > rows ? `; ${rows} of ${countText(all)} ${noun(all, 'row')}, most transfer time first.` : '.'),
    median: 'median',
    low: 'slowest tenth',
    table: 'Collectives, communicators and links',
    lateness: 'Who arrives last',
    slowName: (name: string) => `▼ ${name}`,
  },
}
