/** Texts of the tables and the pages that are made of them, in English. */

import { countText } from '../model/format.ts'
import { counted } from './plural.ts'
import { TABLE_ROWS, TABLE_TITLES } from './table_words.en.ts'

const usual: Record<string, string> = {
  operators: 'by name',
  kernels: 'by name',
  short_kernels: 'by name',
  modules: 'by object',
  idle: 'by cause',
  sync: 'by call',
  launches: 'by call',
  queue_depth: 'by stream',
  critical_path: 'by name',
  annotations: 'by name',
  utilization: 'by rank',
  graphs: 'by graph',
  communication: 'by operation',
  stragglers: 'by rank',
  roofline: 'by shape',
  data_loading: 'by step',
  memory_timeline: 'every change',
  sequences: 'by operator',
  counters: 'by range',
  telemetry: 'by counter',
  kernel_reports: 'by kernel',
  hardware: 'by GPU',
  step_trace: 'by step',
}

const groupings: Record<string, string> = {
  launch: 'by launch configuration',
  op: 'by operator',
  class: 'by class',
  average: 'average',
}

export const tablesEn = {
  tables: {
    names: TABLE_TITLES,
    rows: TABLE_ROWS,
    usual: (table: string) => usual[table] ?? 'all rows',
    by: (grouping: string) => groupings[grouping] ?? `by ${grouping}`,
    grouping: 'Grouping',
    source: 'Source lines',
    all: 'Tables of this run',
    choose: 'Every figure of this app comes from one of these tables.',
  },
  details: {
    looking: 'Looking for it on the timeline…',
    calls: (count: string) => counted(count, 'call'),
    insideNone: 'No module is called inside it.',
    gone: 'This row is not in the table for the ranks and steps selected.',
    numbers: 'Numbers',
    kernels: 'Kernels it launches',
    kernelsNone: 'It launches none itself; operators inside it may.',
    unlaunched: 'The GPU time that no operator launched. The page Kernels has its kernels by operator.',
    operators: 'Operators that launch it',
    shapes: 'Shapes',
    stacks: 'Called from',
    modules: 'Modules',
    sequences: 'Kernel sequences',
    launches: 'Launch configurations',
    ranks: 'On each rank',
    inside: 'Modules inside it',
    moduleOperators: 'Operators in it',
    around: 'Around it',
    noPlace: 'The timeline has no event of it.',
    wholeTable: 'Open the table',
    more: (count: string) => `${count} more`,
    nothing: 'Nothing was recorded for it.',
    share: 'of all GPU time of operators',
  },
  source: {
    file: 'Open in the editor',
    missing: 'The file is not on this machine.',
    newer: 'The file is newer than the recording, so lines may have moved.',
    noStack: 'No stack was recorded.',
  },
  operatorsPage: {
    meanings: { compute: 'computing', communication: 'communication', memory: 'copying', other: 'others' },
    kind: 'kind',
    means:
      'Self is the time in an operator itself, total includes what it calls. GPU time is that of the work launched ' +
      'inside; the host runs ahead of it.',
    answer: (name: string, share: string, rows: string) =>
      `${name} takes the most GPU time of ${counted(rows, 'operator')}: ${share}.`,
    answerHost: (name: string, share: string, rows: string) =>
      `${name} takes the most host time of ${counted(rows, 'operator')}: ${share}. No GPU work is linked to operators.`,
    /** Why the table has one more row than there are operators. */
    unattributed: 'GPU work of no operator has a row of its own, (unattributed).',
    /** Of what the header is filtered to: shares stay those of the whole run. */
    answerFiltered: (name: string, share: string, rows: number, onGpu: boolean) =>
      `${name} takes ${share} of the ${onGpu ? 'GPU' : 'host'} time of all operators${rows > 1 ? `, the most of the ${countText(rows)} filtered` : ''}.`,
    where: 'Where the time goes',
    whereSays:
      'Self times by operator, most GPU time first (CPU time where nothing ran on the GPU). Click one for its details.',
    gpu: 'GPU, self',
    host: 'host, self',
    kinds: 'GPU time by kind of work',
    kindsSays: 'Time of all kernels by what they do.',
    rest: (count: number) => counted(count, 'other'),
    name: 'operator',
    time: 'time',
  },
  kernelsPage: {
    means: 'One row per kernel name; group by launch configuration to separate its launches.',
    answer: (name: string, share: string, rows: string) =>
      `${name} takes the most time of ${counted(rows, 'kernel')}: ${share}.`,
    answerFiltered: (name: string, share: string, rows: number) =>
      `${name} takes ${share} of the time of all kernels${rows > 1 ? `, the most of the ${countText(rows)} filtered` : ''}.`,
    top: 'Kernels by total time',
    topSays: 'Sum of durations. Click one for its details.',
    lengths: 'Kernel durations',
    lengthsSays: 'Share of all kernels, and of kernel time, by duration.',
    count: 'of the kernels',
    time: 'of their time',
    length: 'duration',
    share: 'share',
    other: 'More about GPU work',
    kernel: 'kernel',
  },
  modulesPage: {
    means:
      'Host time in the calls of each nn.Module, and GPU time of what they and their backward pass launched. ' +
      'Self excludes the modules inside.',
    answer: (name: string, share: string) => `Modules of class ${name} have the most GPU self time: ${share}.`,
    answerHost: (name: string, share: string) =>
      `Modules of class ${name} have the most host self time: ${share}. No GPU work is linked to modules.`,
    ofAll: 'Of all',
    views: { tree: 'tree', class: 'by class', object: 'flat' },
    view: 'View',
    icicle: 'Share of each module',
    icicleSays: 'Width is time; inner modules are below. Click or Enter zooms in, Escape or the top bar zooms out.',
    gpu: 'GPU total',
    host: 'host total',
    widths: 'Width',
    expand: 'Expand all',
    collapse: 'Collapse all',
    self: 'itself',
    tree: 'Modules as a tree',
    all: 'all of it',
    outside: 'outside modules',
  },
}
