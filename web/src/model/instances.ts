/** Charts of the instances of one name: how their durations are spread, and when which took how long. */

import type { BarChart, ScatterChart } from './chart.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { countText, timeText } from './format.ts'
import { exactText } from './ticks.ts'

export interface InstanceWords {
  duration: string
  start: string
  instances: string
  usual: string
  outliers: string
  step: string
  rank: string
  place: string
}

/** Points of the strip plot at most: more are no longer told apart. */
export const MOST_POINTS = 3000

/** What instances of a kind mean elsewhere in the app. */
const MEANINGS: Record<string, 'compute' | 'memory' | 'annotation' | 'python' | 'host'> = {
  kernel: 'compute',
  memcpy: 'memory',
  memset: 'memory',
  annotation: 'annotation',
  function: 'python',
}
export const meaningOfKind = (kind: string) => MEANINGS[kind] ?? 'host'

/** The table `durations` by bin, of one name, as a histogram. */
export function histogram(bins: Columns, kind: string, words: InstanceWords): BarChart {
  const [from, to, calls, outliers] = ['from_ns', 'to_ns', 'calls', 'outliers'].map((name) => numbersOf(bins, name))
  const rows = textsOf(bins, 'kind').flatMap((one, row) => (one === kind ? [row] : []))
  const usual = rows.map((row) => (calls?.[row] ?? 0) - (outliers?.[row] ?? 0))
  const far = rows.map((row) => outliers?.[row] ?? 0)
  return {
    kind: 'bars',
    column: 'calls',
    categories: rows.map((row) => timeText(from?.[row] ?? 0)),
    categoryTitle: words.duration,
    valueTitle: words.instances,
    horizontal: false,
    series: [
      { name: words.usual, tint: { meaning: meaningOfKind(kind) }, values: usual, stack: 'calls' },
      { name: words.outliers, tint: { meaning: 'warning' as const }, values: far, stack: 'calls' },
    ].filter((one) => one.values.some((value) => value > 0)),
    rows: rows.map(() => null),
    titleOf: (at) => `${exactText('from_ns', from?.[rows[at] ?? 0] ?? 0)} – ${exactText('to_ns', to?.[rows[at] ?? 0] ?? 0)}`,
  }
}

/** The table `instances`, of one name, as points over time: the longest, which come first. */
export function strip(instances: Columns, kind: string, words: InstanceWords): ScatterChart {
  const [start, duration, rank, step] = ['start_ns', 'duration_ns', 'rank', 'step'].map((name) =>
    numbersOf(instances, name),
  )
  const outlier = instances.data['outlier'] ?? []
  const places = [textsOf(instances, 'thread'), textsOf(instances, 'stream')]
  const rows = textsOf(instances, 'kind').flatMap((one, row) => (one === kind ? [row] : []))
  const points = rows.slice(0, MOST_POINTS).map((row) => ({
    x: start?.[row] ?? 0,
    y: duration?.[row] ?? 0,
    size: outlier[row] ? 0.25 : 0.08,
    name: timeText(duration?.[row] ?? 0),
    group: outlier[row] ? words.outliers : words.usual,
    row,
    details: [
      [words.start, exactText('start_ns', start?.[row] ?? 0)] as const,
      [words.step, countText(step?.[row] ?? null)] as const,
      [words.rank, `${rank?.[row] ?? ''}`] as const,
      [words.place, places.map((one) => one[row] ?? '').find(Boolean) ?? ''] as const,
    ].filter(([, value]) => value !== ''),
  }))
  return {
    kind: 'scatter',
    x: { column: 'start_ns', title: words.start, log: false },
    y: { column: 'duration_ns', title: words.duration, log: false },
    groups: [
      { name: words.usual, tint: { meaning: meaningOfKind(kind) } },
      { name: words.outliers, tint: { meaning: 'warning' as const } },
    ].filter(({ name }) => points.some((point) => point.group === name)),
    points,
    limits: [],
  }
}

/** Kinds that rows of one name are of, those with most of them first. */
export function kindsOf(durations: Columns): string[] {
  const time = numbersOf(durations, 'total_ns')
  const kinds = textsOf(durations, 'kind')
  const order = kinds.map((_, row) => row).sort((a, b) => (time[b] ?? 0) - (time[a] ?? 0))
  return [...new Set(order.map((row) => kinds[row] ?? ''))]
}

/** Row of the name that is shown first: what takes most time on the GPU, else on the host, but no step. */
export function firstName(durations: Columns): number | null {
  const [kinds, names, time] = [textsOf(durations, 'kind'), textsOf(durations, 'name'), numbersOf(durations, 'total_ns')]
  for (const wanted of ['kernel', 'operator', '']) {
    const rows = kinds.flatMap((kind, row) =>
      (wanted === '' || kind === wanted) && !/^ProfilerStep#/.test(names[row] ?? '') ? [row] : [],
    )
    const [first] = rows.sort((a, b) => (time[b] ?? 0) - (time[a] ?? 0))
    if (first !== undefined) return first
  }
  return kinds.length > 0 ? 0 : null
}
