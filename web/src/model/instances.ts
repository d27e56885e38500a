/** Charts of the instances of one name: how their durations are spread, and when which took how long. */

import type { BarChart, ScatterChart } from './chart.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { timeText } from './format.ts'
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

/** The table `durations` by bin, of one name, as a histogram; bins that hold none stand in it too. */
export function histogram(bins: Columns, kind: string, words: InstanceWords): BarChart {
  const [from, to, calls, outliers] = ['from_ns', 'to_ns', 'calls', 'outliers'].map((name) => numbersOf(bins, name))
  const rows = textsOf(bins, 'kind').flatMap((one, row) => (one === kind ? [row] : []))
  const found = rows.map((row) => {
    const far = outliers?.[row] ?? 0
    return { from: from?.[row] ?? 0, to: to?.[row] ?? 0, usual: (calls?.[row] ?? 0) - far, far }
  })
  const bars = found.flatMap((one, i) => [...emptyBins(found[i - 1], one), one])
  return {
    kind: 'bars',
    column: 'calls',
    categories: bars.map((bar) => timeText(bar.from)),
    categoryTitle: words.duration,
    valueTitle: words.instances,
    horizontal: false,
    series: [
      {
        name: words.usual,
        tint: { meaning: meaningOfKind(kind) },
        values: bars.map((bar) => bar.usual),
        stack: 'calls',
      },
      {
        name: words.outliers,
        tint: { meaning: 'warning' as const },
        values: bars.map((bar) => bar.far),
        stack: 'calls',
      },
    ].filter((one) => one.values.some((value) => value > 0)),
    rows: bars.map(() => null),
    titleOf: (at) => [bars[at]?.from, bars[at]?.to].map((ns) => exactText('from_ns', ns ?? 0)).join(' – '),
  }
}

interface Bin {
  from: number
  to: number
  usual: number
  far: number
}

/** Bins between two others, each as wide as the first times a constant. */
function emptyBins(before: Bin | undefined, bin: Bin): Bin[] {
  if (!before || before.to >= bin.from) return []
  const [low, step] = [Math.log(Math.max(1, before.to)), Math.log(before.to / Math.max(1, before.from))]
  const count = Math.max(1, Math.round((Math.log(bin.from) - low) / Math.max(step, 0.01)))
  const edge = (i: number) => (i === count ? bin.from : Math.round(before.to * (bin.from / before.to) ** (i / count)))
  return Array.from({ length: count }, (_, i) => ({ from: edge(i), to: edge(i + 1), usual: 0, far: 0 }))
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
    size: outlier[row] ? 0.05 : 0,
    name: timeText(duration?.[row] ?? 0),
    group: outlier[row] ? words.outliers : words.usual,
    row,
    details: [
      [words.start, exactText('start_ns', start?.[row] ?? 0)] as const,
      [words.step, `${step?.[row] ?? ''}`] as const,
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
  const [kinds, names, time] = [
    textsOf(durations, 'kind'),
    textsOf(durations, 'name'),
    numbersOf(durations, 'total_ns'),
  ]
  for (const wanted of ['kernel', 'operator', '']) {
    const rows = kinds.flatMap((kind, row) =>
      (wanted === '' || kind === wanted) && !/^ProfilerStep#/.test(names[row] ?? '') ? [row] : [],
    )
    const [first] = rows.sort((a, b) => (time[b] ?? 0) - (time[a] ?? 0))
    if (first !== undefined) return first
  }
  return kinds.length > 0 ? 0 : null
}
