/** Ranks against steps as a field of colours: the scale, and what shares a pixel. */

import type { Cell } from './cells.ts'

export interface Heat {
  ranks: number[]
  steps: number[]
  /** Row by row, `values[rank * steps.length + step]`, ns; NaN where nothing is known. */
  values: Float64Array
}

/** A field without values, for ranks and steps that are known before their rows arrive. */
export function emptyHeat(ranks: number[], steps: number[]): Heat {
  return { ranks, steps, values: new Float64Array(ranks.length * steps.length).fill(NaN) }
}

/** Put the rows of a table into the field. Rows of other ranks or steps are left out. */
export function fillHeat(heat: Heat, rank: readonly Cell[], step: readonly Cell[], value: readonly Cell[]): void {
  const rows = new Map(heat.ranks.map((number, row) => [number, row]))
  const columns = new Map(heat.steps.map((number, column) => [number, column]))
  value.forEach((one, i) => {
    const row = rows.get(Number(rank[i]))
    const column = columns.get(Number(step[i]))
    if (row === undefined || column === undefined || typeof one !== 'number') return
    heat.values[row * heat.steps.length + column] = one
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
  const steps = heat.steps.length
  const pixels = new Float64Array(width * height).fill(NaN)
  heat.values.forEach((value, i) => {
    if (Number.isNaN(value)) return
    const y = Math.floor((Math.floor(i / steps) * height) / heat.ranks.length)
    const x = Math.floor(((i % steps) * width) / steps)
    const at = y * width + x
    if (!(value <= (pixels[at] ?? NaN))) pixels[at] = value
  })
  return pixels
}
