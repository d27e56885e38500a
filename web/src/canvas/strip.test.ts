import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Bar } from '../model/steps.ts'
import { axisTicks } from './strip.ts'

/** Bars of `each` steps. */
function barsOf(steps: number, each: number): Bar[] {
  const nothing = { parts: [], mean: 1, least: 1, most: 1, period: null, cut: false }
  return Array.from({ length: Math.ceil(steps / each) }, (_, i) => ({
    ...{ ...nothing, first: i * each },
    last: Math.min(steps, (i + 1) * each) - 1,
  }))
}
const numbered = (from: number, steps: number) => Array.from({ length: steps }, (_, i) => from + i)

test('ten thousand steps have round numbers at their places', () => {
  // Seen with 10,000 steps: bars of 26 steps were counted in tens, so that the axis said 3, 5203, 10403.
  const view = { width: 1004, bars: barsOf(10_000, 26), numbers: numbered(3, 10_000) }
  const ticks = axisTicks(view, 50)
  assert.deepEqual(
    ticks.map((tick) => tick.step),
    [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000],
  )
  // Bars share 1,000 pixels; step 1,000 is the 998th.
  for (const { step, x } of ticks) assert.ok(Math.abs(x - (2 + ((step - 2.5) / 10_010) * 1000)) < 1, `${step} at ${x}`)
})

test('a few steps have a number each, below the middle of their bars', () => {
  const ticks = axisTicks({ width: 400, bars: barsOf(3, 1), numbers: [7, 8, 1000] }, 24)
  assert.deepEqual(ticks, [
    { step: 7, x: 14 },
    { step: 8, x: 38 },
    { step: 1000, x: 62 },
  ])
})

test('where steps are missing the axis names the ones that there are', () => {
  const numbers = numbered(0, 40).map((i) => 101 + 100 * i)
  const ticks = axisTicks({ width: 404, bars: barsOf(40, 1), numbers }, 45)
  assert.deepEqual(
    ticks.map((tick) => tick.step),
    [501, 1001, 1501, 2001, 2501, 3001, 3501, 4001],
  )
})

test('numbers never touch', () => {
  for (const steps of [1, 2, 9, 31, 365, 5000])
    for (const width of [60, 333, 1180, 2400]) {
      const each = Math.max(1, Math.ceil((3 * steps) / (width - 4)))
      const ticks = axisTicks({ width, bars: barsOf(steps, each), numbers: numbered(17, steps) }, 38)
      ticks.slice(1).forEach((tick, i) => assert.ok(tick.x - (ticks[i]?.x ?? 0) >= 38))
    }
})

test('no steps, no numbers', () => {
  assert.deepEqual(axisTicks({ width: 300, bars: [], numbers: [] }, 30), [])
})
