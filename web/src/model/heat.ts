/** Ranks against steps, or against ranks, as a field of colours: the scale, and what shares a pixel. */

import type { Cell } from './cells.ts'

export interface Heat {
  /** Numbers of the ranks, from top to bottom. */
  rows: number[]
  /** Numbers of the steps, or of ranks, from left to right. */
  columns: number[]
  /** Row by row, `values[row * columns.length + column]`, ns; NaN where nothing is known. */
  values: Float64Array
}

/** A field without values, for ranks and steps that are known before their rows arrive. */
export function emptyHeat(rows: number[], columns: number[]): Heat {
  return { rows, columns, values: new Float64Array(rows.length * columns.length).fill(NaN) }
}

/** Put the rows of a table into the field. Rows of other ranks or steps are left out. */
export function fillHeat(heat: Heat, rank: readonly Cell[], step: readonly Cell[], value: readonly Cell[]): void {
  const rows = new Map(heat.rows.map((number, row) => [number, row]))
  const columns = new Map(heat.columns.map((number, column) => [number, column]))
  value.forEach((one, i) => {
    const row = rows.get(Number(rank[i]))
    const column = columns.get(Number(step[i]))
    if (row === undefined || column === undefined || typeof one !== 'number') return
    heat.values[row * heat.columns.length + column] = one
  })
}

/** What the two ends of the colours stand for; values beyond them take the end's colour. */
export interface HeatScale {
  low: number
  high: number
  /** Least and most of all values. */
  least: number
  most: number
}

/** One per cent at either end may lie beyond the scale: one slow step must not make all others look alike. */
const BEYOND = 0.01

/** The scale reaches this share of the median to either side at least: steps that differ by little look alike. */
const SPREAD = 0.1

/** The scale for a field, or null when it has no values. */
export function heatScale(values: Float64Array): HeatScale | null {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  if (sorted.length === 0) return null
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0
  const least = at(0.5) * SPREAD
  return {
    low: Math.min(at(BEYOND), at(0.5) - least),
    high: Math.max(at(1 - BEYOND), at(0.5) + least),
    least: at(0),
    most: at(1),
  }
}

/**
 * The scale for times of which none would be best, as lateness: from nothing, and never so short that its end is less
 * than `least`, or what nobody would mend gets the colours of what hurts.
 */
export function scaleFromNothing(values: Float64Array, least: number): HeatScale | null {
  const scale = heatScale(values)
  return scale && { ...scale, low: 0, high: Math.max(scale.high, least) }
}

/** Where on the colours a value lies, 0 to 1; the middle when all are alike. */
export function heatShare(value: number, scale: HeatScale): number {
  if (scale.high <= scale.low) return value > scale.high ? 1 : value < scale.low ? 0 : 0.5
  return Math.min(1, Math.max(0, (value - scale.low) / (scale.high - scale.low)))
}

/**
 * The longest value behind each of `width` x `height` pixels, row by row; NaN where nothing is known. The longest, not
 * the mean: one slow rank among many that share a pixel has to show.
 */
export function heatPixels(heat: Heat, width: number, height: number): Float64Array {
  const steps = heat.columns.length
  const pixels = new Float64Array(width * height).fill(NaN)
  heat.values.forEach((value, i) => {
    if (Number.isNaN(value)) return
    const y = Math.floor((Math.floor(i / steps) * height) / heat.rows.length)
    const x = Math.floor(((i % steps) * width) / steps)
    const at = y * width + x
    if (!(value <= (pixels[at] ?? NaN))) pixels[at] = value
  })
  return pixels
}

/** First and last place of numbers, ascending, that lie between two ends; null where none does or no ends are given. */
export function spanOf(numbers: number[], ends: readonly [number, number] | null): readonly [number, number] | null {
  if (!ends) return null
  const first = numbers.findIndex((one) => one >= ends[0])
  const last = numbers.findLastIndex((one) => one <= ends[1])
  return first < 0 || last < first ? null : [first, last]
}
