/** The keys of the app, for the help. Letters stand for places on the keyboard, so that any layout works. */

export const KEYS = {
  everywhere: [
    { keys: ['Ctrl K'], does: 'search' },
    { keys: ['?'], does: 'help' },
    { keys: ['Shift [', 'Shift ]'], does: 'moveSteps' },
    { keys: ['Alt Shift [', 'Alt Shift ]'], does: 'growSteps' },
    { keys: ['/'], does: 'filter' },
    { keys: ['Ctrl B'], does: 'fold' },
    { keys: ['\\'], does: 'dock' },
    { keys: ['Esc'], does: 'close' },
  ],
  strip: [
    { keys: ['←', '→', 'Home', 'End'], does: 'stripMove' },
    { keys: ['Enter'], does: 'stripChoose' },
    { keys: ['Shift ←', 'Shift →'], does: 'stripSeveral' },
    { keys: ['Esc'], does: 'stripAll' },
  ],
  runs: [
    { keys: ['↑', '↓', 'Home', 'End'], does: 'rowMove' },
    { keys: ['Enter'], does: 'runOpen' },
    { keys: ['X'], does: 'runSelect' },
    { keys: ['B'], does: 'runBaseline' },
    { keys: ['C'], does: 'runsCompare' },
  ],
  compare: [{ keys: ['X'], does: 'swapSides' }],
  history: [
    { keys: ['←', '→'], does: 'pointMove' },
    { keys: ['Enter'], does: 'runOpen' },
  ],
  tables: [
    { keys: ['T'], does: 'toTable' },
    { keys: ['↑', '↓', '←', '→'], does: 'cellMove' },
    { keys: ['PgUp', 'PgDn', 'Home', 'End'], does: 'pageMove' },
    { keys: ['Enter'], does: 'rowChoose' },
  ],
  timeline: [
    { keys: ['W', 'S'], does: 'zoom' },
    { keys: ['A', 'D'], does: 'pan' },
    { keys: ['Shift'], does: 'faster' },
    { keys: ['F'], does: 'fit' },
    { keys: ['0'], does: 'all' },
    { keys: ['M'], does: 'mark' },
    { keys: ['[', ']'], does: 'flow' },
    { keys: ['N', 'P'], does: 'same' },
    { keys: ['C'], does: 'path' },
    { keys: ['G'], does: 'simulated' },
    { keys: ['I'], does: 'recommendations' },
    { keys: ['1', '…', '9'], does: 'finding' },
    { keys: ['/'], does: 'find' },
    { keys: [',', '.'], does: 'walk' },
    { keys: ['↑', '↓'], does: 'across' },
    { keys: ['Enter'], does: 'open' },
    { keys: ['PgUp', 'PgDn'], does: 'scroll' },
    { keys: ['Ctrl wheel'], does: 'wheelZoom' },
    { keys: ['Shift wheel'], does: 'wheelPan' },
    { keys: ['drag'], does: 'dragArea' },
    { keys: ['Shift drag'], does: 'dragPan' },
    { keys: ['double click'], does: 'doubleFit' },
    { keys: ['L'], does: 'flame' },
    { keys: ['J'], does: 'instances' },
  ],
} as const

type KeyGroup = keyof typeof KEYS

/** The keys of recommendations: as many as there are, 9 while that is not known. */
export function findingKeys(count: number | null): string[] {
  const last = Math.min(count ?? 9, 9)
  return last > 3 ? ['1', '…', `${last}`] : ['1', '2', '3'].slice(0, last)
}

/** The groups that matter on a page, those of the page itself first. */
export function keyGroups(page: string): KeyGroup[] {
  if (page === 'runs') return ['runs', 'everywhere']
  if (page === 'compare') return ['compare', 'everywhere']
  if (page === 'history') return ['history', 'everywhere']
  if (['ledger', 'record', 'live'].includes(page)) return ['everywhere']
  return page === 'timeline'
    ? ['timeline', 'everywhere', 'strip', 'tables']
    : ['everywhere', 'strip', 'tables', 'timeline']
}
