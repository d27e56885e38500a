/** The table `kernel_roofline`: one profiled kernel under the roofs of its GPU, and perhaps another beside it. */

import type { Limit, Point, ScatterChart, Tint } from './chart.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { fixedText, percentText, rateText } from './format.ts'

export interface KernelRooflineWords {
  intensity: string
  speed: string
  ofRoof: string
  bound: string
  bounds: Record<string, string>
  bandwidth: string
  levels: Record<string, string>
  /** A precision as people call it. */
  precision: (name: string) => string
  /** What marks of the second kernel are. */
  base: string
  baseline: (name: string) => string
}

const TINTS: Record<string, Tint> = {
  dram: { meaning: 'memory' },
  l2: { meaning: 'host' },
  l1: { meaning: 'compute' },
}
const OTHER: Tint = { meaning: 'other' }

/** Rows of a kernel as marks: its colour says at which level of memory the bytes are counted. */
function pointsOf(
  table: Columns,
  rows: number[],
  groups: Map<string, string>,
  words: KernelRooflineWords,
  isBase: boolean,
): Point[] {
  const of = (column: string) => numbersOf(table, column)
  const [x, y, roof, bytes] = [of('intensity'), of('achieved_flops'), of('pct_of_roof'), of('achieved_bandwidth')]
  const [precisions, levels, bounds] = ['precision', 'level', 'bound'].map((column) => textsOf(table, column))
  return rows.flatMap((row): Point[] => {
    const [intensity, speed, level] = [x[row] ?? 0, y[row] ?? 0, levels?.[row] ?? '']
    if (!(intensity > 0) || !(speed > 0)) return []
    const name = `${words.precision(precisions?.[row] ?? '')} · ${words.levels[level] ?? level}`
    return [
      {
        x: intensity,
        y: speed,
        size: isBase ? 0.05 : 0.12,
        name: isBase ? words.baseline(name) : name,
        group: isBase ? words.base : (groups.get(level) ?? level),
        row,
        details: [
          [words.ofRoof, percentText(roof[row])],
          [words.bound, words.bounds[bounds?.[row] ?? ''] ?? ''],
          [words.bandwidth, rateText(bytes[row], 'B/s')],
        ],
      },
    ]
  })
}

/** What the roofs are: of each precision a flat one, of each level a slope up to the highest of them. */
function limitsOf(table: Columns, rows: number[], points: Point[], words: KernelRooflineWords): Limit[] {
  const [precisions, levels] = [textsOf(table, 'precision'), textsOf(table, 'level')]
  const [peaks, bytes] = [numbersOf(table, 'peak_flops'), numbersOf(table, 'peak_bandwidth')]
  const flat = new Map<string, number>()
  const slopes = new Map<string, number>()
  for (const row of rows) {
    if (peaks[row]) flat.set(precisions[row] ?? '', peaks[row])
    if (bytes[row]) slopes.set(levels[row] ?? '', bytes[row])
  }
  const top = Math.max(0, ...flat.values())
  if (top === 0 || slopes.size === 0 || points.length === 0) return []
  const ridges = [...slopes.values()].map((rate) => top / rate)
  const from = 10 ** Math.floor(Math.log10(Math.min(...points.map((one) => one.x), ...ridges)))
  const to = 10 ** Math.ceil(Math.log10(Math.max(...points.map((one) => one.x), ...ridges) * 2))
  const steepest = Math.max(...slopes.values())
  return [
    ...[...flat].map(([name, peak]): Limit => ({
      name: `${words.precision(name)} ${rateText(peak, 'FLOP/s')}`,
      points: [
        [Math.max(from, peak / steepest), peak],
        [to, peak],
      ],
      dashed: false,
    })),
    ...[...slopes].map(([name, rate]): Limit => ({
      name: `${words.levels[name] ?? name} ${rateText(rate, 'B/s')}`,
      points: [
        [from, from * rate],
        [top / rate, top],
      ],
      dashed: true,
      tint: TINTS[name] ?? OTHER,
    })),
  ]
}

/** The marks of a kernel, and of a second one, under the roofs of the first. */
export function kernelRoofline(
  table: Columns,
  rows: number[],
  baseRows: number[],
  words: KernelRooflineWords,
): ScatterChart {
  const groups = groupsOf(table, rows, words)
  const [own, base] = [pointsOf(table, rows, groups, words, false), pointsOf(table, baseRows, groups, words, true)]
  const shown = new Set([...own, ...base].map((one) => one.group))
  return {
    kind: 'scatter',
    x: { column: 'intensity', title: words.intensity, log: true },
    y: { column: 'achieved_flops', title: words.speed, log: true },
    groups: [
      ...[...groups].map(([level, name]) => ({ name, tint: TINTS[level] ?? OTHER })),
      { name: words.base, tint: OTHER },
    ].filter(({ name }) => shown.has(name)),
    points: [...own, ...base],
    limits: limitsOf(table, rows, own, words),
  }
}

/** The levels of a kernel as entries of the legend: with the slope of their colour, which is their bandwidth. */
function groupsOf(table: Columns, rows: number[], words: KernelRooflineWords): Map<string, string> {
  const [levels, peaks] = [textsOf(table, 'level'), numbersOf(table, 'peak_bandwidth')]
  return new Map(
    rows.map((row) => {
      const [level, peak] = [levels[row] ?? '', peaks[row] ?? null]
      const name = words.levels[level] ?? level
      return [level, peak === null ? name : `${name} ${rateText(peak, 'B/s')}`]
    }),
  )
}

/** What of the roof a kernel reaches at the level that binds it most, and where that is. */
export function nearestRoof(table: Columns, rows: number[]): { row: number; share: number } | null {
  const shares = numbersOf(table, 'pct_of_roof')
  const known = rows.flatMap((row) => (shares[row] === null ? [] : [{ row, share: shares[row] ?? 0 }]))
  return known.sort((a, b) => b.share - a.share)[0] ?? null
}

/** FLOPs per byte as people read them. */
export function intensityText(value: number | null): string {
  return value === null ? '' : fixedText(value, value < 10 ? 2 : 0)
}
