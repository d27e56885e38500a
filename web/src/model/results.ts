/** Where predictions and results of checks are drawn. */

import type { CheckedRun, Prediction } from '../api/types.ts'

/** An axis in per cent that holds every range, 0, and ends at tens. */
export function pctAxis(predictions: readonly Prediction[]): [number, number] {
  const ends = predictions.flatMap((one) => [...one.promised, one.came[1]])
  const low = Math.floor(Math.min(0, ...ends) / 10) * 10
  const high = Math.ceil(Math.max(10, ...ends) / 10) * 10
  return [Math.max(low, -100), Math.min(high, 100)]
}

/** Place on an axis, in per cent of its width; what lies beyond stands at its end. */
export function placeOn([low, high]: readonly [number, number], value: number): number {
  return (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low)
}

/** What a prediction is drawn as: measured inside, outside, or inconclusive. */
export type Mark = 'inside' | 'outside' | 'unclear'
export function markOf(one: Prediction): Mark {
  if (one.outcome === 'unclear' || !one.from_zero) return 'unclear'
  return one.outcome === 'inside' ? 'inside' : 'outside'
}

/** The scale of a figure over runs, with a tenth of room at both ends; values, ranges and limits lie in it. */
export function valueScale(runs: readonly CheckedRun[]): [number, number] {
  const all = runs.flatMap((one) => [
    ...(one.value === null ? [] : [one.value, ...(one.range ?? [])]),
    ...(one.limit === null ? [] : [one.limit]),
  ])
  if (all.length === 0) return [0, 1]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const room = (high - low || Math.abs(high) || 1) / 10
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room]
}
