/** The tables `telemetry` and `hardware`: counters of GPUs over time, one panel for each thing that is measured. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { bytesText, countText, fixedText, NOTHING, rateText } from './format.ts'

/** What panels show, in their order; the others follow. */
const FIRST = [
  'utilization',
  'power',
  'sm_clock',
  'memory_used',
  'temperature',
  'pcie_rx',
  'pcie_tx',
  'nvlink',
  'sm_active',
  'tensor_active',
  'dram_active',
]
/** What is said of them elsewhere: as limits, as a lane, as energy of a step. */
const NO_PANEL = new Set(['throttle_reasons', 'power_limit', 'pcie_generation', 'pcie_lanes', 'energy'])

/** A board of two columns shows so many without scrolling. */
export const MOST_PANELS = 12

/** A GPU of a rank. */
export interface Gpu {
  key: string
  rank: number
  gpu: number
  name: string
}

export interface PanelLine {
  gpu: Gpu
  mean: (number | null)[]
  least: (number | null)[]
  most: (number | null)[]
}

export interface TelemetryPanel {
  /** The metric, else the counter's own name. */
  key: string
  counter: string
  unit: string | null
  lines: PanelLine[]
  limit: number | null
  largest: number
}

/** A part of the time in which something held a GPU's clock down. */
export interface Held {
  gpu: Gpu
  reason: string
  from: number
  to: number
}

export interface Board {
  /** Where each part of the time begins, in ns; the last one as long as the one before. */
  x: number[]
  gpus: Gpu[]
  panels: TelemetryPanel[]
  /** Panels for which there is no room. */
  more: number
  held: Held[]
  /** Whether reasons were sampled at all. */
  hasReasons: boolean
}

/** GPUs of a table with the columns `rank` and `gpu`, named with their ranks only where numbers repeat. */
export function gpusOf(table: Columns, ofRank: (gpu: number, rank: number) => string, plain: (gpu: number) => string) {
  const [ranks, numbers] = [numbersOf(table, 'rank'), numbersOf(table, 'gpu')]
  const found = new Map<string, Gpu>()
  numbers.forEach((gpu, row) => {
    const [rank, key] = [ranks[row] ?? 0, keyOf(ranks[row], gpu)]
    if (gpu !== null) found.set(key, { key, rank, gpu, name: '' })
  })
  const all = [...found.values()]
  const repeat = (one: Gpu) => all.some((other) => other !== one && other.gpu === one.gpu)
  return all.map((one) => ({ ...one, name: repeat(one) ? ofRank(one.gpu, one.rank) : plain(one.gpu) }))
}

const keyOf = (rank: number | null | undefined, gpu: number | null | undefined) => `${rank ?? 0}|${gpu ?? ''}`

/** Of a table with the columns `rank` and `gpu` the GPU that a row is of; undefined of counters of the host. */
function gpuOfRow(table: Columns, gpus: Gpu[]): (row: number) => Gpu | undefined {
  const [ranks, numbers] = [numbersOf(table, 'rank'), numbersOf(table, 'gpu')]
  const found = new Map(gpus.map((one) => [one.key, one]))
  return (row) => found.get(keyOf(ranks[row], numbers[row]))
}

/** The row of a GPU in a table with one for each; null without any. */
export function rowOfGpu(table: Columns, gpu: Gpu): number | null {
  const [ranks, numbers] = [numbersOf(table, 'rank'), numbersOf(table, 'gpu')]
  const row = ranks.findIndex((rank, at) => keyOf(rank, numbers[at]) === gpu.key)
  return row < 0 ? null : row
}

/** The board of the table `telemetry` by `slice`. */
export function boardOf(table: Columns, gpus: Gpu[]): Board {
  const x = momentsOf(numbersOf(table, 'start_ns'))
  const places = numbersOf(table, 'start_ns').map((start) => (start === null ? null : placeIn(x, start)))
  const metrics = textsOf(table, 'metric')
  const found = panelsOf(table, gpus, places, x.length)
  const panels = found.filter((one) => !NO_PANEL.has(one.key)).sort((a, b) => placeOf(a.key) - placeOf(b.key))
  const limit = found.find((one) => one.key === 'power_limit')
  const power = panels.find((one) => one.key === 'power')
  if (power && limit && limit.unit === power.unit) power.limit = limit.largest
  return {
    x,
    gpus,
    panels: panels.slice(0, MOST_PANELS),
    more: Math.max(0, panels.length - MOST_PANELS),
    held: heldOf(table, gpus, places, x),
    hasReasons: metrics.includes('throttle_reasons'),
  }
}

/** The place of a panel; what is not known by name comes last. */
function placeOf(key: string): number {
  const place = FIRST.indexOf(key)
  return place < 0 ? FIRST.length : place
}

/** Every part of the time that any rank has: all are as long, and clocks of ranks differ by less than that. */
function momentsOf(starts: (number | null)[]): number[] {
  const [first, last] = [least(starts, 1), -least(starts, -1)]
  const next = starts.find((start, row) => start !== null && start > (starts[row - 1] ?? Infinity))
  const before = next === undefined ? null : starts[starts.indexOf(next) - 1]
  const part = Math.max(1, (next ?? 1) - (before ?? 0))
  const count = starts.length === 0 ? 0 : Math.round((last - first) / part) + 1
  return Array.from({ length: count }, (_, i) => first + i * part)
}

function least(values: (number | null)[], sign: 1 | -1): number {
  return values.reduce<number>((found, value) => (value === null ? found : Math.min(found, sign * value)), Infinity)
}

function placeIn(x: readonly number[], start: number): number {
  const part = (x[1] ?? Infinity) - (x[0] ?? 0)
  return Math.round((start - (x[0] ?? 0)) / part)
}

function panelsOf(table: Columns, gpus: Gpu[], slices: (number | null)[], length: number): TelemetryPanel[] {
  const of = (column: string) => numbersOf(table, column)
  const gpuAt = gpuOfRow(table, gpus)
  const [means, leasts, mosts] = [of('mean'), of('min'), of('max')]
  const [metrics, counters, units] = [textsOf(table, 'metric'), textsOf(table, 'counter'), textsOf(table, 'unit')]
  const panels = new Map<string, TelemetryPanel>()
  const lines = new Map<string, PanelLine>()
  const empty = () => new Array<number | null>(length).fill(null)
  slices.forEach((slice, row) => {
    const gpu = gpuAt(row)
    if (!gpu || slice === null) return
    const [counter, unit] = [counters[row] ?? '', units[row] || null]
    const key = metrics[row] || counter
    const panel = panels.get(key) ?? { key, counter, unit, lines: [], limit: null, largest: 0 }
    panels.set(key, panel)
    // Of several counters of one thing, as mean and instantaneous power, the first one is drawn.
    if (panel.counter !== counter) return
    const line = lines.get(`${key}|${gpu.key}`) ?? { gpu, mean: empty(), least: empty(), most: empty() }
    if (!lines.has(`${key}|${gpu.key}`)) panel.lines.push(line)
    lines.set(`${key}|${gpu.key}`, line)
    line.mean[slice] = means[row] ?? null
    line.least[slice] = leasts[row] ?? null
    line.most[slice] = mosts[row] ?? null
    panel.largest = Math.max(panel.largest, mosts[row] ?? 0)
  })
  return [...panels.values()]
}

/** Neighbouring parts of the time with one reason are one. */
function heldOf(table: Columns, gpus: Gpu[], slices: (number | null)[], x: number[]): Held[] {
  const gpuAt = gpuOfRow(table, gpus)
  const found: Held[] = []
  textsOf(table, 'reason').forEach((reason, row) => {
    const [gpu, slice] = [gpuAt(row), slices[row]]
    if (!reason || !gpu || slice === null || slice === undefined) return
    const last = found.at(-1)
    const [from, to] = [x[slice] ?? 0, endOf(x, slice)]
    if (last && last.gpu === gpu && last.reason === reason && last.to === from) last.to = to
    else found.push({ gpu, reason, from, to })
  })
  return found
}

/** Where a part of the time ends. */
export function endOf(x: readonly number[], slice: number): number {
  const [here, next, before] = [x[slice] ?? 0, x[slice + 1], x[slice - 1]]
  return next ?? (before === undefined ? here + 1 : 2 * here - before)
}

/** A line as an SVG path: each value holds through its part of the time, what is not known is a gap. */
export function pathOf(
  values: readonly (number | null)[],
  left: (slice: number) => number,
  top: (value: number) => number,
): string {
  let path = ''
  values.forEach((value, slice) => {
    if (value === null) return
    const joins = slice > 0 && values[slice - 1] !== null
    path += `${joins ? 'L' : 'M'}${left(slice).toFixed(1)} ${top(value).toFixed(1)}H${left(slice + 1).toFixed(1)}`
  })
  return path
}

/** A value with its unit: mW as W, MHz as GHz, sizes as everywhere. */
export function measuredText(value: number | null | undefined, unit: string | null): string {
  if (value === null || value === undefined) return NOTHING
  if (unit === 'mW') return `${fixedText(value / 1000, 0)} W`
  if (unit === 'W') return `${fixedText(value, 0)} W`
  if (unit === 'MHz') return `${fixedText(value / 1000, 2)} GHz`
  if (unit === 'Hz') return `${fixedText(value / 1e9, 2)} GHz`
  if (unit === '%' || unit === '°C') return `${fixedText(value, 0)} ${unit}`
  if (unit === 'B') return bytesText(value)
  if (unit === 'MiB') return bytesText(value * 2 ** 20)
  if (unit === 'KB/s' || unit === 'MB/s' || unit === 'GB/s' || unit === 'B/s')
    return rateText(
      value * { KB: 1e3, MB: 1e6, GB: 1e9, B: 1 }[unit.replace('/s', '') as 'KB' | 'MB' | 'GB' | 'B'],
      'B/s',
    )
  const whole = Number.isInteger(value) || Math.abs(value) >= 1000
  const text = whole ? countText(Math.round(value)) : fixedText(value, 2)
  return unit ? `${text} ${unit}` : text
}

/** How often a second something is sampled, by the time from sample to sample. */
export function hertzText(interval: number): string {
  const hertz = 1e9 / interval
  return `${hertz >= 10 ? countText(Math.round(hertz)) : fixedText(hertz, 1)} Hz`
}

/** The GPU that a reader looks at first: the one held down most, else the one with the lowest clock, else the first. */
export function outstanding(hardware: Columns | null, gpus: Gpu[]): Gpu | undefined {
  if (!hardware) return gpus[0]
  const [slowed, clocks] = [numbersOf(hardware, 'throttled_pct'), numbersOf(hardware, 'sm_clock_mhz')]
  const most = Math.max(0, ...slowed.map((one) => one ?? 0))
  const least = Math.min(...clocks.map((one) => one ?? Infinity))
  const row = most > 0 ? slowed.indexOf(most) : clocks.indexOf(least)
  return (row >= 0 ? gpuOfRow(hardware, gpus)(row) : undefined) ?? gpus[0]
}

/** Where steps of a rank end on the GPU, and the first one begins; of the table `steps` the rows of that rank. */
export function stepMarks(steps: Columns, rows: number[]): number[] {
  const of = (column: string) => numbersOf(steps, column)
  const [start, duration, lag] = [of('start_ns'), of('duration_ns'), of('lag_ns')]
  const ends = rows.map((row) => (start[row] ?? 0) + (duration[row] ?? 0) + (lag[row] ?? 0))
  return [...new Set([start[rows[0] ?? 0] ?? 0, ...ends])]
}

/** First and last of the steps of a rank that lie in a window with half of their length or more; null of none. */
export function stepsWithin(
  steps: Columns,
  rank: number,
  window: readonly [number, number],
): [first: number, last: number] | null {
  const of = (column: string) => numbersOf(steps, column)
  const [ranks, numbers, start, duration] = [of('rank'), of('step'), of('start_ns'), of('duration_ns')]
  const inside = numbers.filter((_, row) => {
    const [begin, length] = [start[row] ?? 0, duration[row] ?? 0]
    const common = Math.min(window[1], begin + length) - Math.max(window[0], begin)
    return ranks[row] === rank && common > 0 && 2 * common >= length
  })
  const known = inside.filter((one) => one !== null)
  return known.length > 0 ? [Math.min(...known), Math.max(...known)] : null
}
