/** What ECharts draws of a chart. Pure: colours and fonts come in, an option object goes out. */

import type { EChartsCoreOption } from 'echarts/core'
import type { Axis, BarChart, BarSeries, ChartModel, Limit, ScatterChart, Tint, TreemapChart } from './chart.ts'
import { linesOption } from './chart_option_lines.ts'
import { type Look, tintColour } from './chart_look.ts'
import { inkOn, mix } from './colours.ts'
import { middleCut } from './format.ts'
import type { LineChart } from './line_chart.ts'
import { axisEnd, tickText } from './ticks.ts'
import { cellText } from './units.ts'

/** Longest names that fit beside horizontal bars. */
const NAME_WIDTH = 34

/** What is drawn in a plot of so many pixels. */
export function optionOf(model: ChartModel | LineChart, look: Look, width = 800): EChartsCoreOption {
  return {
    // Nothing moves: numbers are read, not watched.
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: look.font, fontSize: 11, color: look.quiet },
    ...kindOption(model, look, width),
  }
}

function kindOption(model: ChartModel | LineChart, look: Look, width: number): EChartsCoreOption {
  if (model.kind === 'bars') return bars(model, look, width)
  if (model.kind === 'scatter') return scatter(model, look)
  return model.kind === 'lines' ? linesOption(model, look, width) : treemap(model, look)
}

/** Boxes that no pointer moves: what a click does is the page's. */
function treemap(model: TreemapChart, look: Look): EChartsCoreOption {
  const data = model.parts.map((part, item) => {
    const color = tintColour(part.tint, look.theme)
    return { item, name: part.name, value: part.value, itemStyle: { color }, label: { color: inkOn(color) } }
  })
  const label = {
    overflow: 'truncate',
    fontSize: 11,
    lineHeight: 15,
    align: 'center',
    position: 'inside',
    formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${cellText(model.column, value)}`,
  }
  const still = { roam: false, nodeClick: false, breadcrumb: { show: false }, emphasis: { disabled: true } }
  const itemStyle = { borderWidth: 0, gapWidth: 1, borderColor: look.back }
  return { series: [{ type: 'treemap', ...still, left: 0, right: 0, top: 0, bottom: 0, data, label, itemStyle }] }
}

/** The largest sum of a stack, or the largest value where nothing is stacked. */
export function largestBar(model: BarChart): number {
  let largest = 0
  for (let i = 0; i < model.categories.length; i++) {
    const stacks = new Map<string, number>()
    model.series.forEach((series, at) => {
      const stack = series.stack ?? `#${at}`
      stacks.set(stack, (stacks.get(stack) ?? 0) + Math.max(0, series.values[i] ?? 0))
    })
    for (const sum of stacks.values()) largest = Math.max(largest, sum)
  }
  return largest
}

function bars(model: BarChart, look: Look, room: number): EChartsCoreOption {
  const names = model.categories.map((name) => middleCut(name, model.horizontal ? NAME_WIDTH : 24))
  const { scale, width } = valueScale(model, model.horizontal ? marksIn(room - textWidth(names)) : 5)
  const value = {
    ...axisStyle(look),
    ...scale,
    axisLabel: { color: look.quiet, formatter: (at: number) => tickText(model.column, at) },
    name: model.valueTitle,
    ...titleStyle(look, model.horizontal ? 'x' : 'y', width),
  }
  const category = {
    ...axisStyle(look),
    type: 'category',
    data: names,
    inverse: model.horizontal,
    splitLine: { show: false },
    axisLabel: { color: look.quiet, hideOverlap: true, ...(model.horizontal ? { interval: 0 } : {}) },
    ...(model.horizontal ? {} : { name: model.categoryTitle, ...titleStyle(look, 'x') }),
  }
  return {
    grid: grid(model.horizontal),
    xAxis: model.horizontal ? value : category,
    yAxis: model.horizontal ? category : value,
    series: model.series.map((series) => barSeries(series, model, look)),
  }
}

/** Room of a mark's text on a horizontal axis, with a gap to the next one, in pixels. */
const MARK = 76

/** How many marks a horizontal axis has room for. */
function marksIn(width: number): number {
  return Math.min(6, Math.max(1, Math.floor(width / MARK)))
}

/** From where to where the axis of values goes, and how wide its marks are. */
function valueScale(model: BarChart, marks: number) {
  if (model.log) {
    const values = model.series.flatMap((series) => series.values.filter((value) => value !== null && value > 0))
    const limits = powersAround(values.map(Number)) ?? { min: 1, max: 10 }
    return { scale: { type: 'log', ...limits, interval: decades(limits) }, width: 48 }
  }
  const { max, step } = axisEnd(largestBar(model), model.column, marks)
  const scale = { type: 'value', min: lowest(model, step), max, interval: step }
  return { scale, width: labelWidth(model.column, max, step) }
}

/** Powers of ten around values, the least of them with room for a bar. */
export function powersAround(values: number[]): { min: number; max: number } | null {
  if (values.length === 0) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return { min: 10 ** Math.floor(Math.log10(low) - 0.3), max: 10 ** Math.ceil(Math.log10(high) - 1e-9) }
}

/** Where the axis of values starts: 0, or the mark below the least value where some are negative. */
function lowest(model: BarChart, step: number): number {
  const least = Math.min(0, ...model.series.map((series) => series.values.reduce<number>(lesser, 0)))
  return Math.floor(least / step) * step
}

function lesser(least: number, value: number | null): number {
  return Math.min(least, value ?? 0)
}

function barSeries(series: BarSeries, model: BarChart, look: Look) {
  return {
    type: 'bar',
    name: series.name,
    data: series.tints ? series.values.map((value, i) => tinted(value, series.tints?.[i], look)) : series.values,
    ...(series.stack === undefined ? {} : { stack: series.stack }),
    barMaxWidth: model.horizontal ? 18 : 56,
    barCategoryGap: model.categories.length > 60 ? '8%' : '30%',
    itemStyle: { color: tintColour(series.tint, look.theme) },
    emphasis: { disabled: true },
  }
}

function tinted(value: number | null, tint: Tint | undefined, look: Look) {
  return tint ? { value, itemStyle: { color: tintColour(tint, look.theme) } } : { value }
}

/** Marks of 5 to 30 px: their area follows the size. */
function markSize(share: number): number {
  return 5 + 25 * Math.sqrt(Math.min(1, Math.max(0, share)))
}

function scatter(model: ScatterChart, look: Look): EChartsCoreOption {
  const tints = new Map(model.groups.map((group) => [group.name, tintColour(group.tint, look.theme)]))
  const points = model.points.map((point, item) => {
    const fill = tints.get(point.group) ?? look.quiet
    return {
      item,
      value: [point.x, point.y],
      symbolSize: markSize(point.size),
      itemStyle: { color: fill, opacity: 0.75, borderColor: mix(fill, look.back, 0.6), borderWidth: 1 },
    }
  })
  const limits = model.limits.map((limit) => limitSeries(limit, look))
  return {
    grid: { left: 30, right: limits.length > 0 ? 168 : 24, top: 16, bottom: 28, containLabel: true },
    xAxis: { ...pointAxis(model.x, extent(model, 0), look), ...titleStyle(look, 'x') },
    yAxis: { ...pointAxis(model.y, extent(model, 1), look), ...titleStyle(look, 'y', 80) },
    series: [{ type: 'scatter', data: points, emphasis: { scale: 1.15 } }, ...limits],
  }
}

/** A roof, named at its right end, or above its left one where it slopes. */
function limitSeries(limit: Limit, look: Look) {
  const label = { show: !limit.tint, color: look.text, fontSize: 11, formatter: () => limit.name }
  const colour = limit.tint ? tintColour(limit.tint, look.theme) : look.quiet
  const data = limit.points.map((value, i) => {
    const named = limit.dashed ? i === 0 : i === limit.points.length - 1
    const place = limit.dashed ? { position: 'right', offset: [6, -24] } : { position: 'right' }
    return { value, label: named ? { ...label, ...place } : { show: false } }
  })
  return {
    type: 'line',
    name: limit.name,
    data,
    silent: true,
    symbolSize: 0.1,
    lineStyle: { color: colour, width: 1.5, type: limit.dashed ? 'dashed' : 'solid' },
  }
}

/** Whole powers of ten around all points and roofs of a logarithmic axis. */
function extent(model: ScatterChart, axis: 0 | 1): { min: number; max: number } | null {
  const points = model.points.map((point) => (axis === 0 ? point.x : point.y))
  const values = [...points, ...model.limits.flatMap((limit) => limit.points.map((one) => one[axis]))]
  if (values.length === 0) return null
  // A roof at the very edge would lie on the frame.
  const [low, high] = [Math.min(...values), Math.max(...values) * (axis === 1 ? 1.3 : 1)]
  return { min: 10 ** Math.floor(Math.log10(low) + 1e-9), max: 10 ** Math.ceil(Math.log10(high) - 1e-9) }
}

/** Powers of ten from mark to mark: one, unless a screen would be full of them. */
function decades({ min, max }: { min: number; max: number }): number {
  return Math.ceil(Math.round(Math.log10(max / min)) / 12) || 1
}

function pointAxis(axis: Axis, limits: { min: number; max: number } | null, look: Look) {
  return {
    ...axisStyle(look),
    type: axis.log ? 'log' : 'value',
    name: axis.title,
    ...(axis.log && limits ? { ...limits, interval: decades(limits) } : {}),
    minorSplitLine: { show: false },
    axisLabel: { color: look.quiet, hideOverlap: true, formatter: (at: number) => tickText(axis.column, at) },
  }
}

function grid(horizontal: boolean) {
  return { left: horizontal ? 4 : 22, right: 20, top: 12, bottom: 24, containLabel: true }
}

function axisStyle(look: Look) {
  return {
    axisLine: { lineStyle: { color: look.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: look.line, opacity: 0.7 } },
  }
}

/** Width of the marks' texts beside an axis, in pixels. */
function labelWidth(column: string, max: number, step: number): number {
  return textWidth(Array.from({ length: Math.round(max / step) + 1 }, (_, i) => tickText(column, i * step)))
}

/** Width of the longest of some short texts, in pixels, nearly. */
function textWidth(texts: string[]): number {
  return 6.5 * Math.max(0, ...texts.map((text) => text.length))
}

function titleStyle(look: Look, axis: 'x' | 'y', width = 48) {
  const style = { color: look.quiet, fontSize: 11 }
  return { nameLocation: 'middle', nameGap: axis === 'x' ? 26 : width + 16, nameTextStyle: style }
}
