/** Counters of a report: bins over the whole time, from which any window is made. */

import type { CounterBins } from './timeline.ts'

export interface HeldCounters {
  t0: number
  t1: number
  bins: CounterBins
}

/** Bins of a window: least and most of the held bins that it touches, their mean by the time they share with it. */
export function countersIn(held: HeldCounters, t0: number, t1: number, px: number, tracks: number[]): CounterBins {
  const mine = held.bins.tracks.filter((one) => tracks.includes(one.track))
  const length = mine.length * px
  const found: CounterBins = {
    bins: px,
    tracks: mine.map(({ track }, i) => ({ track, offset: i * px })),
    min: new Float32Array(length).fill(NaN),
    max: new Float32Array(length).fill(NaN),
    mean: new Float32Array(length).fill(NaN),
  }
  const each = (held.t1 - held.t0) / held.bins.bins
  if (!(each > 0)) return found
  mine.forEach(({ offset }, i) => {
    for (let x = 0; x < px; x++) {
      const from = (t0 + ((t1 - t0) * x) / px - held.t0) / each
      const to = (t0 + ((t1 - t0) * (x + 1)) / px - held.t0) / each
      sumBin(held.bins, offset, [from, to], found, i * px + x)
    }
  })
  return found
}

function sumBin(bins: CounterBins, offset: number, [from, to]: [number, number], found: CounterBins, at: number): void {
  let [least, most, sum, time] = [Infinity, -Infinity, 0, 0]
  for (let bin = Math.max(0, Math.floor(from)); bin < Math.min(bins.bins, Math.ceil(to)); bin++) {
    const mean = bins.mean[offset + bin] ?? NaN
    const share = Math.min(to, bin + 1) - Math.max(from, bin)
    if (Number.isNaN(mean) || share <= 0) continue
    least = Math.min(least, bins.min[offset + bin] ?? mean)
    most = Math.max(most, bins.max[offset + bin] ?? mean)
    sum += mean * share
    time += share
  }
  if (time === 0) return
  found.min[at] = least
  found.max[at] = most
  found.mean[at] = sum / time
}
