/** Texts of the pages History and Prediction ledger in English. */

import { counted, noun } from './plural.ts'

export const resultsEn = {
  results: {
    file: 'File',
    single: 'One file alone is served. Serve its folder to see what was kept beside it.',
    broken: (lines: number) => `${counted(String(lines), 'line')} of the file could not be read.`,
    leftOut: (count: number) => `${count} older ${noun(count, 'entry is', 'entries are')} not shown.`,
    replaced: 'recorded anew since',
    elsewhere: 'not in the folder served',
    unknown: 'not known',
    date: 'Date',
    run: 'Run',
    outcome: 'Outcome',
  },
  checkHistory: {
    means: 'Results of stepscope check --history: one figure over runs, one setup apart from the other.',
    none: 'No history yet. Save a baseline, then check with --history:',
    figure: 'Figure',
    lead: (runs: number, setups: number) => `${counted(String(runs), 'run')} in ${counted(String(setups), 'setup')}`,
    short: (least: number, count: number) =>
      `Change points need ${least} runs of one setup; there ${noun(count, 'is', 'are')} ${count}.`,
    partly: (count: number, runs: number) =>
      `${count} of ${runs} runs of this setup have this figure: no change points are looked for.`,
    same: (count: number) => `No change point in ${count} runs of this setup.`,
    setup: (number: number) => `Setup ${number}`,
    setupHeading: 'Setup',
    legend: 'Hollow: inconclusive or not checked. Vertical bars: shortest to longest step. Dashed: what is allowed.',
    value: 'Figure',
    limit: 'Allowed',
    most: (limit: string) => `at most ${limit}`,
    least: (limit: string) => `at least ${limit}`,
    recording: 'Recording',
    select: (label: string) => `Select ${label} to compare`,
    compare: 'Compare the two selected',
    choose: 'Select two runs to compare them.',
    results: 'Checks',
    baselines: 'Baselines',
    name: 'Name',
    saved: 'Saved',
    recordings: 'Recordings',
    chart: (figure: string, count: number) => `${figure} over ${counted(String(count), 'run')}, oldest first`,
  },
  ledger: {
    means: 'What recommendations promised and what was measured after their fix, as stepscope prove compared it.',
    none: 'No predictions yet. Apply a recommendation, record again, then compare both recordings:',
    inside: (inside: number, count: number) => `${inside} of ${count}`,
    insideLabel: 'inside their range',
    aimed: (pct: number) => `${pct} % aimed at`,
    unclear: (count: number) => `${count} inconclusive`,
    median: 'median error',
    largest: 'largest error',
    points: 'of the step',
    predictions: 'Predictions',
    kinds: 'By recommendation',
    recommendation: 'Recommendation',
    tested: 'Tested',
    within: 'Inside',
    promised: 'Promised',
    measured: 'Measured',
    axis: '% of the step',
    zero: 'its range includes 0',
    legend:
      'Bar: promised range, the line in it the best estimate. Filled: measured inside; hollow: outside; ?: inconclusive.',
    later: 'Ranges of later predictions',
    widths: (least: number, pct: number) =>
      `From ${least} conclusive tests of a recommendation on one device, later ranges are so wide that ${pct} % of these tests lie inside.`,
    device: 'Device',
    label: 'Fix',
    conclusive: 'Conclusive',
    width: 'Width',
    unchanged: 'unchanged',
    range: (low: string, best: string, high: string) => `${best} % (${low} to ${high})`,
  },
}

export type ResultsWords = typeof resultsEn
