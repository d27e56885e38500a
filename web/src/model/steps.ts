/** The steps of a run as the strip draws them: from rows of the table `steps` to columns of numbers. */

import { firstWhere } from './binary_search.ts'
import type { Cell } from './cells.ts'
import { type Meaning, STEP_PARTS } from './colours.ts'

/** The parts of a step, in the order in which they are stacked, from below. */
export const PARTS: Meaning[] = [...new Set(STEP_PARTS.map((part) => part.meaning))]

/** Steps in the order of their numbers; with several ranks, the mean of those that have the step. */
export interface StepSeries {
  numbers: number[]
  /** Time of each part of `PARTS`, ns: `parts[part][step]`. */
  parts: Float64Array[]
  /** Recorded length of the step on the host, ns; the parts add up to it. */
  total: Float64Array
  /** Length on the GPU's clock, ns; NaN where it is not known. */
  period: Float64Array
  /** Whether the window cut the step, on any rank. */
  cut: Uint8Array
  /** How many ranks it is the mean of. */
  ranks: number
}

type Columns = Record<string, readonly Cell[] | undefined>

/** The steps of some ranks, or of all with null. */
export function stepSeries(columns: Columns, ranks: number[] | null): StepSeries {
  const rows = chosenRows(columns['rank'] ?? [], ranks)
  const numbers = [...new Set(rows.map((row) => Number(columns['step']?.[row])))].sort((a, b) => a - b)
  const at = new Map(numbers.map((number, index) => [number, index]))
  const places = rows.map((row) => at.get(Number(columns['step']?.[row])) ?? 0)
  const mean = (names: string[]) => means(names, columns, rows, places, numbers.length)
  const cut = new Uint8Array(numbers.length)
  rows.forEach((row, i) => {
    if (columns['cut']?.[row]) cut[places[i] ?? 0] = 1
  })
  return {
    numbers,
    parts: PARTS.map((meaning) => mean(STEP_PARTS.filter((part) => part.meaning === meaning).map((p) => p.column))),
    total: mean(['duration_ns']),
    period: mean(['period_ns']),
    cut,
    ranks: new Set(rows.map((row) => columns['rank']?.[row])).size,
  }
}

function chosenRows(rankOf: readonly Cell[], ranks: number[] | null): number[] {
  const wanted = ranks && new Set(ranks)
  const rows: number[] = []
  rankOf.forEach((rank, row) => {
    if (!wanted || wanted.has(Number(rank))) rows.push(row)
  })
  return rows
}

/** Mean over the rows of each step of the sum of some columns; NaN where all of them are null. */
function means(names: string[], columns: Columns, rows: number[], places: number[], steps: number): Float64Array {
  const sums = new Float64Array(steps)
  const counts = new Uint32Array(steps)
  rows.forEach((row, i) => {
    const values = names.map((name) => columns[name]?.[row]).filter((value) => typeof value === 'number')
    if (values.length === 0) return
    const place = places[i] ?? 0
    sums[place] = (sums[place] ?? 0) + values.reduce((sum, value) => sum + value, 0)
    counts[place] = (counts[place] ?? 0) + 1
  })
  return sums.map((sum, i) => (counts[i] ? sum / (counts[i] ?? 1) : NaN))
}

/** Steps `first` to `last` (indices, both included) as one bar. */
export interface Bar {
  first: number
  last: number
  parts: number[]
  mean: number
  least: number
  most: number
  /** Mean length on the GPU's clock, or null. */
  period: number | null
  cut: boolean
}

/** As many bars as fit: each step has its own, or neighbours share one. */
export function bars(series: StepSeries, most: number): Bar[] {
  const count = Math.min(series.numbers.length, Math.max(1, Math.floor(most)))
  return Array.from({ length: count }, (_, i) => bar(series, ...share(i, count, series.numbers.length)))
}

/** First and last of the items that part `i` of `count` has. */
export function share(i: number, count: number, items: number): [number, number] {
  return [Math.floor((i * items) / count), Math.floor(((i + 1) * items) / count) - 1]
}

/** Some neighbours as one: of those that the window cut, as in all means, only where there are no others. */
export function bar(series: StepSeries, first: number, last: number): Bar {
  const of = uncut(series, first, last)
  const totals = known(series.total, of)
  const periods = known(series.period, of)
  return {
    first,
    last,
    parts: series.parts.map((part) => average(known(part, of)) ?? 0),
    mean: average(totals) ?? 0,
    least: totals.reduce((a, b) => Math.min(a, b), Infinity),
    most: totals.reduce((a, b) => Math.max(a, b), 0),
    period: average(periods),
    cut: series.cut.subarray(first, last + 1).includes(1),
  }
}

/** Parts of a bar that show, as shares of it, largest first. */
export function meanParts(one: Bar): { meaning: Meaning; pct: number }[] {
  const shares = PARTS.map((meaning, i) => ({ meaning, pct: (100 * (one.parts[i] ?? 0)) / (one.mean || 1) }))
  return shares.filter((part) => part.pct >= 0.5).sort((a, b) => b.pct - a.pct)
}

/** Indices of the whole steps among some neighbours; of all where none is whole. */
function uncut(series: StepSeries, first: number, last: number): Uint32Array {
  const all = Uint32Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const whole = all.filter((at) => !series.cut[at])
  return whole.length ? whole : all
}

function known(values: Float64Array, of: Uint32Array): Float64Array {
  return Float64Array.from(of, (at) => values[at] ?? NaN).filter((value) => !Number.isNaN(value))
}

function average(values: Float64Array): number | null {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null
}

/** So many of the steps fit under the top of the strip, with a little room: few far longer ones flatten no others. */
const UNDER_TOP = 0.95
const ROOM = 1.1

/**
 * What the top of the strip stands for, ns. The GPU's clock sets no scale: one late mark would press all bars flat; so
 * would a step that the window cut, which may be all that came before the loop.
 */
export function scaleTop(series: StepSeries): number {
  return topOf(known(series.total, uncut(series, 0, series.numbers.length - 1)))
}

/** The same of any lengths. */
export function topOf(lengths: Iterable<number>): number {
  const sorted = Float64Array.from(lengths)
    .filter((value) => value > 0)
    .sort()
  return ROOM * (sorted[Math.ceil(UNDER_TOP * sorted.length) - 1] ?? 1 / ROOM)
}

/** Index of the step with a number, or of the nearest. */
export function nearestStep(numbers: number[], number: number): number {
  const low = firstWhere(0, numbers.length - 1, (at) => (numbers[at] ?? 0) >= number)
  const before = numbers[low - 1]
  return before !== undefined && Math.abs(before - number) < Math.abs((numbers[low] ?? Infinity) - number)
    ? low - 1
    : low
}

/** The selection moved by some steps, inside of what there is; `ends` 'last' moves its end only. */
export function moved(
  numbers: number[],
  chosen: [number, number] | null,
  by: number,
  ends: 'both' | 'last',
): [number, number] | null {
  const top = numbers.length - 1
  if (top < 0) return null
  if (!chosen) return pair(numbers, by > 0 ? 0 : top, by > 0 ? 0 : top)
  const [first, last] = [nearestStep(numbers, chosen[0]), nearestStep(numbers, chosen[1])]
  if (ends === 'last') return pair(numbers, first, Math.min(top, Math.max(first, last + by)))
  const shift = Math.max(-first, Math.min(top - last, by))
  return pair(numbers, first + shift, last + shift)
}

/** Numbers of the first and last of some steps, given as indices in any order. */
export function pair(numbers: number[], one: number, other: number): [number, number] {
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  return [numbers[first] ?? 0, numbers[last] ?? 0]
}
