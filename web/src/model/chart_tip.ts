/** The words that a chart shows where the pointer is, and that a screen reader speaks. */

import type { BarChart, ChartModel, Line, Part, Point, ScatterChart, Tint } from './chart.ts'
import { NOTHING } from './format.ts'
import { exactText } from './ticks.ts'

export interface TipLine {
  name: string
  text: string
  tint?: Tint
}

export interface Tip {
  title: string
  lines: TipLine[]
}

const plain = ([name, text]: Line): TipLine => ({ name, text })

/** Lines that fit beside the pointer. */
const MOST_LINES = 14

/** With hundreds of series, those with nothing here say least. */
function mostLines(lines: TipLine[]): TipLine[] {
  if (lines.length <= MOST_LINES) return lines
  return lines.filter((line) => line.text !== NOTHING).slice(-MOST_LINES)
}

function barTip(model: BarChart, item: number): Tip {
  const lines = model.series.map((series): TipLine => {
    const text = exactText(model.column, series.values[item] ?? null)
    return { name: series.name, text, tint: series.tints?.[item] ?? series.tint }
  })
  const known = model.series.map((series) => series.values[item] ?? null).filter((value) => value !== null)
  if (model.total && known.length > 0) {
    const sum = known.reduce((total, value) => total + value, 0)
    lines.push({ name: model.total, text: exactText(model.column, sum) })
  }
  const title = model.titleOf?.(item) ?? model.categories[item] ?? ''
  return { title, lines: [...mostLines(lines), ...(model.details?.(item) ?? []).map(plain)] }
}

function partTip(part: Part, column: string, title: string): Tip {
  const own = { name: title, text: exactText(column, part.value), tint: part.tint }
  return { title: part.name, lines: [own, ...(part.details ?? []).map(plain)] }
}

function pointTip(model: ScatterChart, point: Point): Tip {
  const lines: TipLine[] = [
    { name: model.x.title, text: exactText(model.x.column, point.x) },
    { name: model.y.title, text: exactText(model.y.column, point.y) },
  ]
  return { title: point.name, lines: [...lines, ...point.details.map(plain)] }
}

/** What is known of an item of a chart; null where there is none. */
export function tipOf(model: ChartModel, item: number): Tip | null {
  if (model.kind === 'bars') return item >= 0 && item < model.categories.length ? barTip(model, item) : null
  if (model.kind === 'scatter') {
    const point = model.points[item]
    return point ? pointTip(model, point) : null
  }
  const part = model.parts[item]
  return part ? partTip(part, model.column, model.valueTitle) : null
}
