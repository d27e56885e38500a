/** A chart of values over time, of any length. */

import type { Tint } from './chart.ts'
import { csvText, type CsvCell } from './csv.ts'
import { indexAt, type Numbers, type Values } from './decimate.ts'
import type { Tip } from './chart_tip.ts'
import { exactText } from './ticks.ts'

interface LineSeries {
  name: string
  tint: Tint
  values: Values
  dashed?: boolean
  filled?: boolean
}

export interface LineChart {
  kind: 'lines'
  /** Moments, ascending, as offsets in ns. */
  x: Numbers
  xTitle: string
  /** Column whose unit the values have. */
  column: string
  yTitle: string
  series: LineSeries[]
  /** Values that never change, drawn across: the size of a card. */
  levels: { name: string; value: number }[]
  /** Moments shown; null for all. */
  range?: readonly [number, number] | null
}

/** First and last moment; a single one gets a little room. */
export function extentOf(model: LineChart): [number, number] {
  const [first, last] = [model.x[0] ?? 0, model.x[model.x.length - 1] ?? 0]
  return last > first ? [first, last] : [first, first + 1]
}

/** The largest value of all series between two moments, levels left out. */
export function largestIn(model: LineChart, from: number, to: number): number {
  let largest = 0
  const [first, last] = [indexAt(model.x, from), indexAt(model.x, to)]
  for (const { values } of model.series) for (let i = first; i <= last; i++) largest = Math.max(largest, values[i] ?? 0)
  return largest
}

export function lineTip(model: LineChart, index: number): Tip {
  const at = model.x[index] ?? 0
  const lines = model.series.map(({ name, tint, values }) => ({
    name,
    tint,
    text: exactText(model.column, values[index] ?? null),
  }))
  return { title: `${model.xTitle} ${exactText('at_ns', at)}`, lines }
}

/** All points, not only those drawn. */
export function lineCsv(model: LineChart): string {
  const header = [model.xTitle, ...model.series.map((series) => series.name)]
  const rows = Array.from(model.x, (at, i): CsvCell[] => [at, ...model.series.map(({ values }) => values[i] ?? null)])
  return csvText([header, ...rows])
}
