/** Texts of the verdict, the lists and the pages about ranks, health and files, in English. */

import { causesEn } from './causes.en.ts'
import { checksEn } from './checks.en.ts'
import { kernelReportsEn } from './kernel_reports.en.ts'
import { countText } from '../model/format.ts'
import { kernelValues } from '../model/kernel_report.ts'
import type { ValueWords } from '../model/value_words.ts'
import { counted, noun, rangeEn } from './plural.ts'
import { telemetryEn } from './telemetry.en.ts'

const RUN_KINDS: Record<string, string> = {
  trace: 'trace',
  memory_snapshot: 'memory snapshot',
  nsys: 'Nsight Systems',
  mindspore: 'MindSpore profile',
  mindspore_derived: 'MindSpore output without a profile',
  telemetry: 'telemetry',
  kernel_report: 'kernel report',
  flight_recorder: 'flight recorder',
  communication_log: 'NCCL Inspector',
  compile_log: 'torch.compile',
  host_samples: 'py-spy',
  input_pipeline: 'input pipeline',
}

export const pagesEn = {
  undone: {
    zoom: 'Zoom undone',
    pan: 'Pan undone',
    frame: 'Flame graph zoom undone',
    path: 'Critical path toggle undone',
    occurrence: 'Move to occurrence undone',
    simulated: 'Simulated step toggle undone',
    recommendation: 'Recommendation toggle undone',
    selection: 'Selection undone',
    steps: 'Step selection undone',
    ranks: 'Rank selection undone',
    filter: 'Filter undone',
    search: 'Search undone',
    tracks: 'Change of the tracks undone',
    mark: 'Mark undone',
    sort: 'Sort undone',
    columns: 'Choice of columns undone',
    section: 'Section toggle undone',
    whatIf: 'Change of the what-if undone',
    baseline: 'Choice of the baseline undone',
    view: 'View change undone',
  },
  table: {
    noMatch: (filter: string) => `Nothing here matches the filter ${filter}.`,
    near: (words: string) => `no match for ${words}; similar:`,
    /** Words for the values of columns that have few; most are English themselves. */
    values: {
      cause: causesEn,
      kind: RUN_KINDS,
      reason: telemetryEn.telemetry.reasons,
      ...kernelValues(kernelReportsEn.kernelReports),
    } as ValueWords,
    callIn: (call: string, operator: string) => `${call} in ${operator}`,
    nameless: '(empty name)',
    filter: 'Filter',
    filterExample: (comparisons: string[]) => `Filter: ${['gemm', ...comparisons].join(', ')}`,
    filterHelp:
      'Words that a row holds, nearly so when none does; -word leaves rows out. Comparisons of columns: gpu > 1ms, ' +
      'calls>=10, share < 5%, kind = gemm (the whole text), kind:gem (a part of it).',
    columns: 'Columns',
    standardColumns: 'As at first',
    nothing: 'not recorded',
    zero: 'all zero',
    copy: 'Copy',
    copyCsv: 'Copy as CSV',
    copyMarkdown: 'Copy as Markdown',
    copyCommand: 'Copy as command',
    downloadCsv: 'Download as CSV',
    copiedRow: 'Row copied',
    rows: (shown: string, all: string) => (shown === all ? counted(all, 'row') : `${shown} of ${counted(all, 'row')}`),
    cut: (here: string, all: string) => `only the first ${here} of ${all} are here`,
    cutHow: (steps: boolean, ranks: boolean) => {
      const fewer = [steps && 'steps', ranks && 'ranks'].filter(Boolean)
      return fewer.length > 0 ? `; fewer ${fewer.join(' or ')} show the others` : ''
    },
    sumOf: (rows: number, part: boolean) => (part ? `Sum of ${noun(rows, 'this', 'these')} ${countText(rows)}` : 'Sum'),
    sortHint: 'Click sorts, Shift and click sorts by it as well',
    printed: (shown: number, all: number) =>
      `${countText(shown)} of ${counted(all, 'row')} are printed: those on screen. Copy as CSV or as a command for all.`,
    allNumbers: (count: number) => `All ${countText(count)} columns as a table`,
    noneMatch: 'No row matches the filter.',
    /** A part of a filter that is not understood, and what would be. */
    misunderstood: {
      incomplete: (written: string, example: string) => `\`${written}\` is not complete. Try \`${example}\`.`,
      value: (written: string, example: string) =>
        `\`${written}\` compares with another kind of value. Try \`${example}\`.`,
      column: (written: string, example: string) => `\`${written}\` names no column of this table. Try \`${example}\`.`,
    },
    clock: (ns: string) => `${ns} ns on the clock of the trace`,
    yes: 'yes',
    no: 'no',
  },
  runs: {
    title: 'Runs',
    columns: {
      name: 'Name',
      steps: 'Steps',
      step_ns: 'Step time',
      bottleneck: 'Bottleneck',
      saving_pct: 'Best saving',
      busy_pct: 'GPU busy',
      gpu: 'GPU',
      ranks: 'Ranks',
      health: 'Health',
      kind: 'Kind',
      framework: 'Framework',
      size_bytes: 'Size',
      updated_s: 'Written',
    },
    kinds: RUN_KINDS,
    /** What stands where figures will be. */
    states: {
      ready: 'read, figures follow',
      unread: 'not read yet',
      reading: 'is being read',
      unreadable: 'cannot be opened',
    },
    count: (shown: string, all: string) => (shown === all ? counted(all, 'run') : `${shown} of ${counted(all, 'run')}`),
    filterExample: 'Filter: bottleneck:host, ranks > 1',
    group: 'Group',
    groups: { none: 'All', folder: 'By folder' },
    progress: (read: number, all: number) => `${countText(read)} of ${countText(all)} read`,
    pause: 'Pause reading',
    goOn: 'Read in the background',
    aheadMeans:
      'While this page is open, the other runs are read one by one, visible ones first, when the server is otherwise idle.',
    background: {
      off: 'Other runs are read when they are opened.',
      full: 'The cache is half full: other runs are read when they are opened.',
      'not kept': 'The cache cannot be written: other runs are read when they are opened.',
    },
    strip: (steps: number | null, range: string[], parts: string[]) =>
      [steps === null ? 'no steps marked, the whole trace' : counted(steps, 'step'), range.join(' to '), ...parts].join(
        ', ',
      ),
    ofRanks: (examined: number, ranks: number) =>
      ranks === 1
        ? ''
        : examined === ranks
          ? `${countText(ranks)} ranks`
          : `${countText(examined)} of ${countText(ranks)} ranks`,
    stepMeans: (ranks: string, unmarked: boolean) =>
      `${unmarked ? 'Length of the trace: no steps are marked' : 'Step time as recorded'}${ranks && `, the longest of ${ranks}`}`,
    versus: {
      column: 'vs baseline',
      means:
        'Difference of the step times. Recordings do not say which program they are of, so a run of another one has a ' +
        'difference, too; Compare says how much work both share. A ? stands where the steps of both runs overlap, or ' +
        'one of them has one step only: that may be noise, which Compare takes into account.',
      is: 'baseline',
      choose: (run: string) => `Make ${run} the baseline`,
      drop: (run: string) => `Remove ${run} as the baseline`,
      steps: {
        apart: 'Every step of one run is longer than all steps of the other. It may be another program.',
        overlap: 'May be noise: the steps of both runs overlap.',
        single: 'May be noise: one of the runs has a single whole step.',
      },
      apart: {
        damaged: 'health error',
        device: 'other GPU',
        framework: 'other framework',
        ranks: 'other rank count',
        options: 'other options',
        steps: 'no steps',
      },
    },
    busyMeans: (ranks: string, low: string, high: string) =>
      `Share of the step in which anything runs on the GPU${ranks && `, mean of ${ranks} (${rangeEn(low, high)})`}`,
    straggler: (rank: string) => `Straggler: rank\u00a0${rank}`,
    saving: (pct: string, perSample: boolean) => `~${pct}\u00a0%${perSample ? ' a sample' : ''}`,
    noSavingOfDamaged: 'Not shown: the recording has a health error.',
    range: (low: string, high: string) => `Saves ${rangeEn(low, high)} of the step, simulated`,
    noSaving: 'No recommendation exceeds run-to-run variation.',
    written: (created: string, updated: string) =>
      created === updated ? `Written ${updated}` : `First file ${created}, last file ${updated}`,
    closed: (files: number, kinds: [string, number][]) =>
      `${noun(files, 'One recording does', `${countText(files)} recordings do`)} not open: ` +
      kinds.map(([kind, count]) => `${countText(count)} ${kind}`).join(', '),
    top: '(this folder)',
    fresh: 'new',
    noSteps: 'This run has no steps to compare. Memory snapshots and kernel reports are compared on the page Compare.',
    noMatch: 'No run matches the filter.',
    noColumn: (name: string, columns: string) => `There is no column ${name}. The columns are: ${columns}.`,
    empty: (folder: string) => `No recordings were found below ${folder}`,
    howTo: 'Record some steps of your training loop like this. This page shows the trace as soon as it is written.',
    copyCode: 'Copy',
  },
  health: {
    status: { ok: 'ok', warning: 'warning', error: 'error' },
    means: 'Every check of the recording. A warning says which figures to read with care.',
    fine: (count: number) => (count === 1 ? 'The one check passed.' : `All ${counted(count, 'check')} passed.`),
    lacks: (names: string[], options: string) =>
      `not recorded: ${names.join(', ').toLowerCase()}${options && ` (record with ${options})`}`,
    found: (errors: number, warnings: number) =>
      [errors && counted(errors, 'error'), warnings && counted(warnings, 'warning')].filter(Boolean).join(', ') +
      ' in the recording',
    look: 'Read with care',
    lacking: 'Not recorded',
    emptyTables: 'Tables without rows, and the option that records them:',
    well: (count: number) => `${counted(count, 'check')} passed`,
    more: (count: number) => `${counted(count, 'more warning')} in Health`,
    everyRank: 'every rank',
    moreRanks: (count: number) => `and ${countText(count)} more ${noun(count, 'rank')} with other results`,
    checks: checksEn.names,
    costs: checksEn.costs,
  },
  verdict: {
    bounds: {
      gpu: 'GPU-bound',
      copies: 'Memcpy-bound',
      communication: 'Communication-bound',
      'data loading': 'Input-bound',
      host: 'Host-bound',
      waiting: 'Waiting for another rank',
      straggler: 'Straggler',
      unknown: 'Bottleneck unclear',
    } as Record<string, string>,
    lateRank: 'Straggler',
    cpuOnly: 'CPU only',
    everyRank: (rank: string) => `Every rank, e.g. rank ${rank}`,
    step: 'recorded step',
    mean: (steps: number) => `mean of ${counted(steps, 'step')}`,
    median: (steps: number) => `median of ${counted(steps, 'step')}`,
    medianIs: (time: string) => `median ${time}`,
    single: 'one step',
    busy: 'GPU busy',
    compute: 'GPU computing',
    exposed: 'exposed communication',
    means: {
      busy: 'Share of the step in which anything runs on the GPU',
      compute: 'Share of the step in which kernels compute',
      exposed: 'Share of the step that is communication which no computing covers',
    },
    rank: 'Rank',
    limit: 'Bottleneck',
    more: (count: number) => `Show ${countText(count)} more`,
    fewer: 'Show fewer',
    where: 'Where a step’s time goes',
    whereOf: (rank: string) => `Where a step’s time goes, ${rank}`,
    whereSays: 'Each step as recorded on the CPU, in parts that add up to it. Click a step to select it everywhere.',
    whereAhead: 'The CPU runs ahead: these are the parts of its ranges, not of the step time.',
    whereOnGpu: 'Steps on the GPU’s clock',
    rows: 'Steps as a table',
    stepsTable: 'Steps',
    why: {
      straggler: 'the straggler',
      longest: 'of the ranks whose steps are within 2 % of the longest, the one that computes least',
    },
    whyAfter: ': ',
    used: 'GPU utilization',
    figures: {
      busy: 'GPU busy',
      sm: 'SMs with work (estimate)',
      occupancy: 'Occupancy (estimate)',
      tensor: 'Tensor cores',
    },
    eligible: (share: string) => `Mark: ${share} of kernel time could use tensor cores.`,
    covered: (share: string) =>
      `Estimates cover ${share} of kernel time; the other kernels have no launch configuration.`,
    facts: 'Device and recording',
    device: 'Device',
    sms: 'SMs',
    memory: 'Memory',
    capability: 'Compute capability',
    span: 'First to last GPU work',
    kernels: 'Kernels',
    events: 'Events',
    topIdle: 'GPU idle time in a step on the GPU’s clock, by cause',
    topIdleOf: (rank: string) => `GPU idle time in a step on the GPU’s clock, by cause, ${rank}`,
    topOperators: { device_self_ns: 'Operators by GPU time', host_self_ns: 'Operators by CPU time' },
    topKernels: 'Kernels by time',
    sum: (ranks: number) => `sum of ${counted(ranks, 'rank')}`,
    topOf: (title: string, owner: string) => `${title}, ${owner}`,
    topProfiled: 'Profiled kernels by time',
    causes: causesEn,
  },
}

export type PageWords = typeof pagesEn
