/** Texts of the page Compare in English. */

export const compareEn = {
  compare: {
    means:
      'What changed between two recordings, whether that is real, and where it comes from. Rows of the host are judged ' +
      'with the speed of the host as a whole taken out.',
    base: 'Base',
    next: 'New',
    choose: 'Choose a run',
    swap: 'Swap base and new',
    another: '+ another',
    anotherBase: 'Another recording before the change',
    anotherNew: 'Another recording after the change',
    moreMeans: 'Several recordings of a side show smaller changes',
    without: (run: string) => `Leave out ${run}`,
    none: 'Choose two runs: the one before the change as base, the one after it as new.',
    newest: 'Compare the newest two',
    noRuns: 'There is no recording with steps to compare. Record one before and one after a change.',
    stepless: (count: number) =>
      count === 1 ? '1 run without steps is not offered.' : `${count} runs without steps are not offered.`,
    snapshots: 'Compare memory snapshots',
    kernelReports: 'Compare kernel reports',
    with: 'Compare with…',
    view: 'View',
    views: { causes: 'Causes', rows: 'Rows', counts: 'Counts', timeline: 'Timeline' },
    recordings: (count: number) => (count === 1 ? '1 recording' : `${count} recordings`),
    steps: (count: number) => (count === 1 ? '1 step' : `${count} steps`),
    firstLeftOut: 'the first and cut ones left out',
    parts: 'Parts of the step',
    and: ', ',
    verdictOf: (side: string, run: string) => `${side}: ${run}`,
    rest: 'rest',
    host: 'the host as a whole',
    waterfall: 'From the base step to the new one',
    noCauses: 'No function, range or operator accounts for 0.5 % of the step or more.',
    levels: {
      module: 'Modules',
      range: 'Ranges',
      function: 'Python functions',
      operator: 'Operators',
      call: 'API calls',
      collective: 'Collectives',
      kernel: 'Kernels',
    },
    same: (count: number) => (count === 1 ? '1 row is the same' : `${count} rows are the same`),
    more: (count: number) => (count === 1 ? '1 more row differs' : `${count} more rows differ`),
    range: '95 % interval',
    rangeMeans: (factored: boolean) =>
      `Of the difference, ${factored ? 'with the speed of the host taken out' : 'the speed of the host, which is not known, included'}.`,
    allSame: 'Nothing differs at this level.',
    equal: (count: number) => (count === 1 ? '1 other count is equal.' : `${count} other counts are equal.`),
    typical: (step: number) => `step ${step}`,
    scale: 'Both steps are drawn on one scale, from their beginning on the host.',
    slower: 'slower',
    faster: 'faster',
    only: 'on one side only',
    leftOut: (count: number) =>
      count === 1 ? '1 shorter event is not drawn' : `${count} shorter events are not drawn`,
    noLanes: 'No operators and no GPU work were recorded in this step.',
    lanes: { host: 'thread', gpu: 'stream' },
    thinks: 'Comparing the recordings…',
  },
}

export type CompareWords = typeof compareEn
