/** A line chart on the page: uPlot behind the few things that the app asks of it. */

import type uPlot from 'uplot'
import { tintColour, type Look } from '../../model/chart_option.ts'
import { drawnIndices, indexAt } from '../../model/decimate.ts'
import { extentOf, largestIn, type LineChart } from '../../model/line_chart.ts'
import { axisEnd, momentTexts, tickText } from '../../model/ticks.ts'

export interface Events {
  /** The pointer is over the point with this index; null when it left. */
  over: (index: number | null) => void
  /** A range was drawn with the pointer; null for all of it. */
  range: (range: [number, number] | null) => void
}

export type Plot = typeof uPlot

/** Loaded once; pages without such a chart do without. */
export async function loadPlot(): Promise<Plot> {
  const [{ default: plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')])
  return plot
}

const AXIS_WIDTH = 64

export class Lines {
  private readonly plot: uPlot
  private readonly model: LineChart

  constructor(load: Plot, element: HTMLElement, model: LineChart, view: View, events: Events) {
    this.model = model
    // Each value holds until the next one.
    const paths = load.paths.stepped?.({ align: 1 })
    this.plot = new load(optionsOf(model, view, events, paths), dataOf(model, view), element)
  }

  dispose(): void {
    this.plot.destroy()
  }

  /** Pixels from the left edge at which a moment lies. */
  left(moment: number): number {
    return this.plot.valToPos(moment, 'x') + this.plot.bbox.left / devicePixelRatio
  }

  index(moment: number): number {
    return indexAt(this.model.x, moment)
  }

  image(): string {
    return this.plot.ctx.canvas.toDataURL('image/png')
  }
}

export interface View {
  range: [number, number] | null
  width: number
  height: number
  look: Look
}

function dataOf(model: LineChart, view: View): uPlot.AlignedData {
  const [from, to] = view.range ?? extentOf(model)
  const values = model.series.map((series) => series.values)
  const indices = drawnIndices(model.x, values, from, to, Math.max(1, view.width - AXIS_WIDTH))
  return [
    indices.map((i) => model.x[i] ?? 0),
    ...values.map((column) => indices.map((i) => column[i] ?? null)),
    ...model.levels.map((level) => indices.map(() => level.value)),
  ]
}

function optionsOf(model: LineChart, view: View, events: Events, paths?: uPlot.Series.PathBuilder): uPlot.Options {
  const [from, to] = view.range ?? extentOf(model)
  const largest = Math.max(largestIn(model, from, to), ...model.levels.map((level) => level.value))
  const { max, step } = axisEnd(largest, model.column)
  return {
    width: view.width,
    height: view.height,
    padding: [12, 16, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => (events.range(null), null) },
    },
    scales: { x: { time: false, range: () => [from, to] }, y: { range: () => [0, max] } },
    axes: axesOf(model, view.look, step, max),
    series: [{}, ...seriesOf(model, view.look, paths)],
    hooks: {
      setCursor: [(plot) => events.over(cursorIndex(model, plot))],
      setSelect: [(plot) => selected(plot, events)],
    },
  }
}

function cursorIndex(model: LineChart, plot: uPlot): number | null {
  const left = plot.cursor.left ?? -1
  return left < 0 || model.x.length === 0 ? null : indexAt(model.x, plot.posToVal(left, 'x'))
}

function selected(plot: uPlot, events: Events): void {
  const { left, width } = plot.select
  if (width < 4) return
  events.range([Math.floor(plot.posToVal(left, 'x')), Math.ceil(plot.posToVal(left + width, 'x'))])
}

function axesOf(model: LineChart, look: Look, step: number, max: number): uPlot.Axis[] {
  const style = { stroke: look.quiet, font: `11px ${look.font}`, ticks: { show: false } }
  const marks = Array.from({ length: Math.round(max / step) + 1 }, (_, i) => i * step)
  return [
    {
      ...style,
      grid: { show: false },
      size: 28,
      values: (_, splits) => momentTexts(splits, (splits[1] ?? 1) - (splits[0] ?? 0) || 1),
    },
    {
      ...style,
      grid: { stroke: look.line, width: 1 },
      size: AXIS_WIDTH,
      splits: () => marks,
      values: (_, splits) => splits.map((value) => tickText(model.column, value)),
    },
  ]
}

function seriesOf(model: LineChart, look: Look, paths?: uPlot.Series.PathBuilder): uPlot.Series[] {
  const lines = model.series.map((series): uPlot.Series => {
    const stroke = tintColour(series.tint, look.theme)
    return {
      label: '',
      stroke,
      width: 1.5,
      ...(series.dashed ? { dash: [5, 4] } : {}),
      ...(series.filled ? { fill: `${stroke}30` } : {}),
      ...(paths ? { paths } : {}),
      points: { show: false },
    }
  })
  const levels = model.levels.map((): uPlot.Series => ({
    label: '',
    stroke: look.quiet,
    width: 1,
    dash: [2, 4],
    points: { show: false },
  }))
  return [...lines, ...levels]
}
