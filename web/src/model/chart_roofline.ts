/** The table `roofline`: how fast operators run, against what the device can do. */

import type { Limit, Line, Point, ScatterChart } from './chart.ts'
import { boundMeaning } from './colours.ts'
import { type Columns, numbersOf, rowCount, textsOf } from './columns_of.ts'
import { countText, flopsText, percentText, rateText, timeText } from './format.ts'

export interface RooflineWords {
  intensity: string
  speed: string
  /** Names of what bounds an operator; "" where nothing is known. */
  bounds: Record<string, string>
  shapes: string
  type: string
  calls: string
  time: string
  ofRoof: string
  flops: string
  bandwidth: string
  beyond: string
  memory: string
}

/** Roofs of the device: FLOP/s by type, and bytes per second of its memory. */
interface Roofs {
  arithmetic: Map<string, number>
  memory: number | null
}

/**
 * The peaks behind the table. A row that its type's arithmetic bounds needs flops / peak at least, one that memory
 * bounds bytes / peak: so the peak is what it needs over that least time, of the longest such row, where rounding of
 * the time to whole ns counts least. `mfu` has peaks as they are, and they come first.
 */
export function roofsOf(table: Columns, mfu: Columns | null): Roofs {
  const of = (column: string) => numbersOf(table, column)
  const [flops, bytes, ideal, modelled] = [of('flops'), of('bytes'), of('ideal_ns'), of('modelled_pct')]
  const [bounds, names] = [textsOf(table, 'bound'), textsOf(table, 'roof')]
  const longest = new Map<string, { ns: number; peak: number }>()
  const offer = (name: string, work: number | null | undefined, ns: number | null | undefined) => {
    if (!work || !ns || ns <= (longest.get(name)?.ns ?? 0)) return
    longest.set(name, { ns, peak: (work / ns) * 1e9 })
  }
  for (let row = 0; row < rowCount(table); row++) {
    if (modelled[row] !== 100) continue
    if (bounds[row] === 'compute' && names[row]) offer(`type ${names[row]}`, flops[row], ideal[row])
    if (bounds[row] === 'memory' || bounds[row] === 'cache') offer('memory', bytes[row], ideal[row])
  }
  const arithmetic = new Map<string, number>()
  for (const [name, { peak }] of longest) if (name !== 'memory') arithmetic.set(name.slice(5), peak)
  if (mfu) {
    const peaks = numbersOf(mfu, 'peak_flops')
    textsOf(mfu, 'roof').forEach((name, row) => name && peaks[row] && arithmetic.set(name, peaks[row] ?? 0))
  }
  return { arithmetic, memory: longest.get('memory')?.peak ?? null }
}

function pointsOf(table: Columns, words: RooflineWords): Point[] {
  const of = (column: string) => numbersOf(table, column)
  const [x, y, time] = [of('intensity'), of('achieved_flops'), of('total_ns')]
  const largest = Math.max(1, ...time.map((ns) => ns ?? 0))
  const [ops, bounds] = [textsOf(table, 'op'), textsOf(table, 'bound')]
  return ops.flatMap((name, row): Point[] => {
    const [intensity, speed] = [x[row] ?? 0, y[row] ?? 0]
    if (!(intensity > 0) || !(speed > 0)) return []
    const group = words.bounds[bounds[row] ?? ''] ?? bounds[row] ?? ''
    return [
      { x: intensity, y: speed, size: (time[row] ?? 0) / largest, name, group, row, details: lines(table, row, words) },
    ]
  })
}

function lines(table: Columns, row: number, words: RooflineWords): Line[] {
  const number = (column: string) => numbersOf(table, column)[row] ?? null
  const text = (column: string) => textsOf(table, column)[row] ?? ''
  const entries: Line[] = [
    [words.shapes, text('shapes')],
    [words.type, [text('dtype'), text('roof')].filter(Boolean).join(' · ')],
    [words.calls, countText(number('calls'))],
    [words.time, timeText(number('total_ns'))],
    [words.ofRoof, percentText(number('pct_of_roof'))],
    [words.beyond, timeText(number('gap_ns'))],
    [words.flops, flopsText(number('flops'))],
    [words.bandwidth, rateText(number('achieved_bandwidth'), 'B/s')],
  ]
  return entries.filter(([, value]) => value !== '')
}

/** Roofs as lines over the intensities shown, with a little room on either side. */
function limitsOf(roofs: Roofs, points: Point[], words: RooflineWords): Limit[] {
  if (points.length === 0) return []
  const [low, high] = [Math.min(...points.map((one) => one.x)), Math.max(...points.map((one) => one.x))]
  const [from, to] = [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)]
  const { memory } = roofs
  const top = Math.max(0, ...roofs.arithmetic.values())
  const flat = [...roofs.arithmetic].map(([name, peak]): Limit => {
    const start = memory ? Math.max(from, peak / memory) : from
    return {
      name: `${name} ${rateText(peak, 'FLOP/s')}`,
      points: [
        [Math.min(start, to), peak],
        [to, peak],
      ],
      dashed: false,
    }
  })
  if (!memory) return flat
  const end = top > 0 ? Math.min(to, top / memory) : to
  const name = `${words.memory} ${rateText(memory, 'B/s')}`
  return [
    ...flat,
    {
      name,
      points: [
        [from, from * memory],
        [Math.max(end, from), Math.max(end, from) * memory],
      ],
      dashed: true,
    },
  ]
}

/** Operators with a known intensity as points, the area of each its GPU time, under the roofs of the device. */
export function rooflineChart(table: Columns, mfu: Columns | null, words: RooflineWords): ScatterChart {
  const points = pointsOf(table, words)
  const bounds = [...new Set(textsOf(table, 'bound'))]
  const groups = bounds.map((bound) => ({ name: words.bounds[bound] ?? bound, tint: { meaning: boundMeaning(bound) } }))
  const shown = new Set(points.map((point) => point.group))
  return {
    kind: 'scatter',
    x: { column: 'intensity', title: words.intensity, log: true },
    y: { column: 'achieved_flops', title: words.speed, log: true },
    groups: groups.filter((group) => shown.has(group.name)),
    points,
    limits: limitsOf(roofsOf(table, mfu), points, words),
  }
}
