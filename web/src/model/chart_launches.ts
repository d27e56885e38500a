/** The tables `launches`, `kernel_lengths` and `queue_depth`: how the host keeps the GPU fed. */

import type { BarChart, Tint } from './chart.ts'
import { type Columns, numbersOf, rowCount } from './columns_of.ts'
import { countText, timeText } from './format.ts'
import type { LineChart } from './line_chart.ts'

interface LaunchWords {
  measure: string
  time: string
  call: string
  latency: string
  queueing: string
  median: string
  p95: string
  longest: string
  of: string
}

const MEASURES: {
  name: 'call' | 'latency' | 'queueing'
  columns: [string, string, string]
  over: string
  tint: Tint
}[] = [
  {
    name: 'call',
    columns: ['host_p50_ns', 'host_p95_ns', 'host_max_ns'],
    over: 'calls',
    tint: { meaning: 'host' },
  },
  {
    name: 'latency',
    columns: ['launch_latency_p50_ns', 'launch_latency_p95_ns', 'launch_latency_max_ns'],
    over: 'on_idle_stream',
    tint: { meaning: 'launch_latency' },
  },
  {
    name: 'queueing',
    columns: ['queueing_p50_ns', 'queueing_p95_ns', 'queueing_max_ns'],
    over: 'queued',
    tint: { meaning: 'compute' },
  },
]

/** What one API's calls take: median and 95th percentile of the call, of launch latency and of queueing. */
export function launchChart(table: Columns, row: number, words: LaunchWords): BarChart {
  const of = (column: string) => numbersOf(table, column)[row] ?? null
  const series = ([0, 1] as const).map((at) => ({
    name: at === 0 ? words.median : words.p95,
    tint: { meaning: 'other' as const, shade: at === 0 ? 0 : 7 },
    tints: MEASURES.map(({ tint }) => ({ ...tint, shade: at === 0 ? 1 : 7 })),
    values: MEASURES.map(({ columns }) => of(columns[at])),
  }))
  return {
    kind: 'bars',
    column: 'host_ns',
    categories: MEASURES.map(({ name }) => words[name]),
    categoryTitle: words.measure,
    valueTitle: words.time,
    horizontal: true,
    log: true,
    series,
    rows: MEASURES.map(() => null),
    details: (item) => {
      const measure = MEASURES[item]
      if (!measure) return []
      return [
        [words.longest, timeText(of(measure.columns[2]))],
        [words.of, countText(of(measure.over))],
      ]
    },
  }
}

export interface LengthWords {
  length: string
  share: string
  ofKernels: string
  ofTime: string
  kernels: string
  total: string
  shorter: string
  inGraph: string
  andMore: (from: string) => string
}

/** Kernels by length: how many they are and how much of the time they take. The classes grow as on a log axis. */
export function lengthChart(table: Columns, words: LengthWords): BarChart {
  const of = (column: string) => numbersOf(table, column)
  const [from, to] = [of('from_ns'), of('to_ns')]
  const [calls, total, shorter, graphs] = ['calls', 'total_ns', 'shorter_than_launch', 'in_graph'].map(of)
  const rangeOf = (row: number) => {
    const [least, end] = [from[row] ?? 0, to[row] ?? null]
    return end === null ? words.andMore(shortTime(least)) : rangeText(least, end)
  }
  return {
    kind: 'bars',
    column: 'share_pct',
    categories: from.map((_, row) => rangeOf(row)),
    categoryTitle: words.length,
    valueTitle: words.share,
    horizontal: false,
    series: [
      { name: words.ofKernels, tint: { meaning: 'annotation' }, values: of('of_kernels_pct') },
      { name: words.ofTime, tint: { meaning: 'compute' }, values: of('share_pct') },
    ],
    titleOf: (row) => `${words.length}: ${rangeOf(row)}`,
    rows: from.map((_, row) => row),
    details: (row) => [
      [words.kernels, countText(calls?.[row])],
      [words.total, timeText(total?.[row])],
      [words.shorter, countText(shorter?.[row])],
      [words.inGraph, countText(graphs?.[row])],
    ],
  }
}

/** Limits of classes are round: `5 us`, not `5.00 us`. */
function shortTime(ns: number | null): string {
  return ns === 0 ? '0' : timeText(ns).replace(/\.0+(?=\s)/, '')
}

function rangeText(from: number, to: number): string {
  const [first, last] = [shortTime(from), shortTime(to)]
  const [number, unit] = first.split(' ')
  return unit !== undefined && unit === last.split(' ')[1] ? `${number}–${last}` : `${first}–${last}`
}

export interface DepthWords {
  at: string
  launches: string
  most: string
  mean: string
  fewest: string
}

/** A stream of `queue_depth --by time`. */
export interface Queue {
  name: string
  launches: number
  rows: number[]
}

/** The streams of the table, those with most launches first. */
export function queuesOf(table: Columns, name: (rank: number, device: number, stream: number) => string): Queue[] {
  const [ranks, devices, streams] = ['rank', 'device', 'stream'].map((column) => numbersOf(table, column))
  const launches = numbersOf(table, 'launches')
  const queues = new Map<string, Queue>()
  for (let row = 0; row < rowCount(table); row++) {
    const key = name(ranks?.[row] ?? 0, devices?.[row] ?? 0, streams?.[row] ?? 0)
    const queue = queues.get(key) ?? { name: key, launches: 0, rows: [] }
    queue.launches += launches[row] ?? 0
    queue.rows.push(row)
    queues.set(key, queue)
  }
  return [...queues.values()].sort((a, b) => b.launches - a.launches)
}

/** How many launches wait in a stream's queue over time. Each stretch's figures hold until the next begins. */
export function depthChart(table: Columns, queue: Queue, words: DepthWords): LineChart {
  const of = (column: string) => {
    const values = numbersOf(table, column)
    return queue.rows.map((row) => values[row] ?? null)
  }
  const [start, length] = [of('start_ns'), of('duration_ns')]
  const last = start.length - 1
  const end = (start[last] ?? 0) + (length[last] ?? 0)
  // The last stretch ends somewhere, too.
  const held = (values: (number | null)[]) => [...values, values[last] ?? null]
  return {
    kind: 'lines',
    x: [...start.map((at) => at ?? 0), ...(start.length > 0 ? [end] : [])],
    xTitle: words.at,
    column: 'launches',
    yTitle: words.launches,
    series: [
      { name: words.most, tint: { meaning: 'annotation' }, values: held(of('depth_max')) },
      { name: words.mean, tint: { meaning: 'compute' }, values: held(of('depth_mean')), filled: true },
      { name: words.fewest, tint: { meaning: 'other' }, values: held(of('depth_min')), dashed: true },
    ],
    levels: [],
  }
}
