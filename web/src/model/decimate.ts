/** Fewer points that draw the same picture: of each pixel's points the first, the lowest, the highest and the last. */

import { firstWhere } from './binary_search.ts'

export type Numbers = ArrayLike<number>
export type Values = ArrayLike<number | null>

/** First index whose value is not below `value`; `x` ascends. */
function lowerBound(x: Numbers, value: number): number {
  return firstWhere(0, x.length, (at) => (x[at] ?? 0) >= value)
}

/** The last index at or before `value`, where a level that holds until the next point stands; 0 before the first. */
export function indexAt(x: Numbers, value: number): number {
  let at = lowerBound(x, value)
  while (at < x.length && x[at] === value) at++
  return Math.max(0, at - 1)
}

/**
 * Indices to draw of the points between `from` and `to`, at most four per series and pixel, ascending. The point before
 * and the one after the window are kept, so that lines enter and leave it as they should.
 */
export function drawnIndices(x: Numbers, series: Values[], from: number, to: number, pixels: number): number[] {
  const [first, end] = [Math.max(0, lowerBound(x, from) - 1), Math.min(x.length, indexAt(x, to) + 2)]
  const all = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
  if (all.length <= 4 * pixels || !(to > from)) return all
  const kept = new Set<number>([first, end - 1])
  const width = (to - from) / pixels
  let start = first
  while (start < end) {
    const bin = Math.floor(((x[start] ?? 0) - from) / width)
    let stop = start + 1
    while (stop < end && Math.floor(((x[stop] ?? 0) - from) / width) === bin) stop++
    for (const values of series) keepExtremes(values, start, stop, kept)
    start = stop
  }
  return [...kept].sort((a, b) => a - b)
}

function keepExtremes(values: Values, start: number, stop: number, kept: Set<number>): void {
  let [low, high] = [start, start]
  for (let i = start; i < stop; i++) {
    const value = values[i] ?? null
    if (value === null) continue
    if (value < (values[low] ?? Infinity)) low = i
    if (value > (values[high] ?? -Infinity)) high = i
  }
  kept
    .add(start)
    .add(low)
    .add(high)
    .add(stop - 1)
}
