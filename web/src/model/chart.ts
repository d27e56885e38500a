/**
 * What a chart shows, before anything is drawn: numbers of a table with their names, units and meanings.
 *
 * Pages make one of these from a table; `chart_option.ts` turns it into what ECharts draws, `chart_csv.ts` into CSV, and
 * `chart_tip.ts` into the words that hover and keyboard show.
 */

import type { Meaning } from './colours.ts'

/** A colour as what it means; `shade` 0 to 7 tells things of one meaning apart. */
export interface Tint {
  meaning: Meaning
  shade?: number
}

/** A name and a text beside it. */
export type Line = readonly [name: string, text: string]

/** Values drawn as bars, one for each category. */
export interface BarSeries {
  name: string
  tint: Tint
  /** A colour for each category, where that is what tells them apart. */
  tints?: Tint[]
  values: (number | null)[]
  /** Series of one stack lie on top of each other; without it they stand side by side. */
  stack?: string
}

export interface BarChart {
  kind: 'bars'
  /** Column whose unit the values have. */
  column: string
  categories: string[]
  /** What the categories are: `step`. */
  categoryTitle: string
  /** What the values are, for the axis. */
  valueTitle: string
  horizontal: boolean
  /** On a logarithmic axis, where values lie powers of ten apart; nothing is stacked there. */
  log?: boolean
  series: BarSeries[]
  /** Row of the table behind each category. */
  rows: (number | null)[]
  /** What a category's tip is headed with, where its name alone does not say what it is. */
  titleOf?: (category: number) => string
  /** Further lines for a category's tip. */
  details?: (category: number) => Line[]
  /** Show the sum of a stack in the tip: where the parts of a row add up. */
  total?: string
}

/** Something with a size: a box of a treemap. */
export interface Part {
  name: string
  value: number
  tint: Tint
  row: number | null
  details?: Line[]
}

export interface TreemapChart {
  kind: 'treemap'
  column: string
  valueTitle: string
  parts: Part[]
}

export interface Axis {
  column: string
  title: string
  log: boolean
}

export interface Point {
  x: number
  y: number
  /** Share of the largest, 0 to 1: the area of the mark. */
  size: number
  name: string
  /** The legend's entry it belongs to. */
  group: string
  row: number | null
  details: Line[]
}

/** A line that limits points, as a roof. */
export interface Limit {
  name: string
  points: [number, number][]
  dashed: boolean
  /** Colour of the group that it belongs to, whose entry in the legend names it; without one its name stands beside it. */
  tint?: Tint
}

export interface ScatterChart {
  kind: 'scatter'
  x: Axis
  y: Axis
  groups: { name: string; tint: Tint }[]
  points: Point[]
  limits: Limit[]
}

/** A chart of things that can be chosen one by one; `LineChart` is the other kind. */
export type ChartModel = BarChart | ScatterChart | TreemapChart

/** The names and colours that a legend explains; hidden ones stay in it. */
export function legendOf(model: ChartModel): { name: string; tint: Tint }[] {
  // Where colours tell categories apart, those have their names beside them.
  if (model.kind === 'bars') return model.series.length > 1 && !model.series[0]?.tints ? model.series : []
  if (model.kind === 'scatter') return model.groups
  return []
}

/** How many things the keyboard walks through: categories, parts or points. */
export function itemCount(model: ChartModel): number {
  if (model.kind === 'bars') return model.categories.length
  return model.kind === 'scatter' ? model.points.length : model.parts.length
}

/** Row of the table behind an item. */
export function rowOf(model: ChartModel, item: number): number | null {
  if (model.kind === 'bars') return model.rows[item] ?? null
  return (model.kind === 'scatter' ? model.points[item]?.row : model.parts[item]?.row) ?? null
}

/** The same chart without the series or groups that are hidden. */
export function without(model: ChartModel, hidden: ReadonlySet<string>): ChartModel {
  if (hidden.size === 0) return model
  if (model.kind === 'bars') return { ...model, series: model.series.filter((one) => !hidden.has(one.name)) }
  if (model.kind === 'scatter') return { ...model, points: model.points.filter((one) => !hidden.has(one.group)) }
  return model
}

/** Largest parts as they are, the rest as one: at most `most` parts. Sums only what is on hand. */
export function partsOf(parts: Part[], most: number, rest: (count: number) => string): Part[] {
  const sorted = parts.filter((part) => part.value > 0).sort((a, b) => b.value - a.value)
  if (sorted.length <= most) return sorted
  const [shown, others] = [sorted.slice(0, most - 1), sorted.slice(most - 1)]
  const value = others.reduce((sum, part) => sum + part.value, 0)
  return [...shown, { name: rest(others.length), value, tint: { meaning: 'other' }, row: null }]
}

/** One of eight shades for a name, the same in every chart. */
export function shadeOfName(name: string): number {
  let hash = 2166136261
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619)
  return (hash >>> 8) % 8
}
