/** What ECharts draws of values over time. */

import type { EChartsCoreOption } from 'echarts/core'
import { type Look, tintColour } from './chart_look.ts'
import { drawnIndices } from './decimate.ts'
import { extentOf, largestIn, type LineChart } from './line_chart.ts'
import { axisEnd, momentTexts, niceStep, tickText } from './ticks.ts'

/** Pixels around the plot: marks of the axes, and room for half a text at the end. */
export const LINES_GRID = { left: 64, right: 16, top: 12, bottom: 28 }

/** Pixels from mark to mark of the axis of time. */
const MARK = 110

export function linesOption(model: LineChart, look: Look, width: number): EChartsCoreOption {
  const [from, to] = model.range ?? extentOf(model)
  const largest = Math.max(largestIn(model, from, to), ...model.levels.map((level) => level.value))
  const { max, step } = axisEnd(largest, model.column)
  const still = { axisTick: { show: false }, axisLine: { show: false } }
  return {
    grid: LINES_GRID,
    xAxis: {
      ...still,
      type: 'value',
      min: from,
      max: to,
      splitLine: { show: false },
      ...moments(from, to, width, look),
    },
    yAxis: {
      ...still,
      type: 'value',
      min: 0,
      max,
      interval: step,
      splitLine: { lineStyle: { color: look.line } },
      axisLabel: { color: look.quiet, formatter: (at: number) => tickText(model.column, at) },
    },
    series: seriesOf(model, from, to, Math.max(1, width - LINES_GRID.left), look),
  }
}

/** Marks at round moments, in one unit. */
function moments(from: number, to: number, width: number, look: Look) {
  const step = niceStep(to - from, 'at_ns', Math.max(2, Math.floor(width / MARK)))
  const first = Math.ceil(from / step)
  const marks = Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) => (first + i) * step)
  const texts = momentTexts(marks, step)
  const formatter = (at: number) => texts[marks.indexOf(at)] ?? ''
  return { axisLabel: { color: look.quiet, customValues: marks, hideOverlap: true, formatter } }
}

/** ECharts thins out by counting points, which loses the level that holds over a pause: so it gets those to draw. */
function seriesOf(model: LineChart, from: number, to: number, pixels: number, look: Look) {
  const values = model.series.map((series) => series.values)
  const indices = drawnIndices(model.x, values, from, to, pixels)
  const still = { type: 'line', symbol: 'none', silent: true, emphasis: { disabled: true } }
  const lines = model.series.map((series) => {
    const color = tintColour(series.tint, look.theme)
    return {
      ...still,
      // Each value holds until the next one.
      step: 'end',
      data: indices.map((i) => [model.x[i] ?? 0, series.values[i] ?? null]),
      lineStyle: { color, width: 1.5, ...(series.dashed ? { type: [5, 4] } : {}) },
      ...(series.filled ? { areaStyle: { color, opacity: 0.19 } } : {}),
    }
  })
  const levels = model.levels.map(({ value }) => ({
    ...still,
    data: [from, to].map((at) => [at, value]),
    lineStyle: { color: look.quiet, width: 1, type: [2, 4] },
  }))
  return [...lines, ...levels]
}
