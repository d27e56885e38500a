/** Texts of the page about hangs, in English. */

import type { Mark } from '../model/hang_matrix.ts'

export const hangsEn = {
  hangs: {
    definition:
      'From dumps of PyTorch’s flight recorder, which knows calls of collectives: where a rank called its last one is not ' +
      'where it is now. A rank without a dump is not said to be missing. Times are those of the hosts, in UTC.',
    places: 'Where the ranks are',
    table: 'Hangs',
    ranks: 'Ranks and process groups',
    stack: 'Stack',
    group: (group: string) => `group ${group}`,
    entered: (entered: number, ranks: number) => `${entered} of ${ranks} ranks entered`,
    waited: (time: string) => `waited at least ${time}`,
    timeout: (time: string) => `timeout ${time}`,
    following: (count: number) =>
      count === 1
        ? '1 that follows: its missing rank waits, too'
        : `${count} that follow: their missing ranks wait, too`,
    more: (count: number) => `${count} more in the table below.`,
    cause: 'Cause and recommendation',
    matrix: 'Calls around the hang',
    matrixSays: (alike: boolean) =>
      'Rows are ranks, columns the calls of the process group by number. A click or Enter shows a call with its stack' +
      (alike ? '; ranks that look alike stand in one row, which opens by its name.' : '.'),
    which: 'Process group',
    whichOne: (group: string, collective: string, cause: string) => `${group}: ${collective}, ${cause}`,
    signs: 'Signs of the matrix',
    hangsHere: 'hangs here',
    ranksOf: (ranks: string, count: number) => `ranks ${ranks} (${count})`,
    alike: (ranks: string) => `ranks ${ranks}`,
    marks: {
      missing: 'never entered',
      differs: 'not like the others',
      started: 'started, waiting',
      entered: 'entered, waiting',
      scheduled: 'scheduled, not started',
      completed: 'completed',
      overwritten: 'not in the dump',
      no_dump: 'no dump',
    } as Record<Mark, string>,
    calls: 'The calls as a table',
    states: { waits: 'waits in', behind: 'is behind, last called', completed: 'completed' } as Record<string, string>,
    causes: {
      not_entered: 'never entered',
      wait_cycle: 'wait for each other',
      other_order: 'different orders',
      different_collectives: 'different collectives',
      different_sizes: 'different sizes',
      different_dtypes: 'different data types',
      not_started: 'not started',
      none_started: 'none started',
      not_completed: 'not completed',
      none_completed: 'none completed',
      unfinished: 'not completed',
      no_dump: 'dumps missing',
      unknown_members: 'group not known',
    } as Record<string, string>,
  },
}
