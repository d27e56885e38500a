import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyHeat, fillHeat, heatPixels, heatScale, heatShare } from './heat.ts'

test('rows find their place by rank and step, in any order; strangers and nulls do not', () => {
  const heat = emptyHeat([0, 2], [3, 4])
  fillHeat(heat, [2, 0, 7, 0], [4, 3, 3, 4], [40, 10, 99, null])
  assert.deepEqual([...heat.values], [10, NaN, NaN, 40])
})

test('one value far from the others does not take the scale', () => {
  const values = new Float64Array(1000).fill(100)
  values[5] = 1e9
  const scale = heatScale(values)
  assert.deepEqual(scale, { low: 90, high: 110, least: 100, most: 1e9 })
  assert.deepEqual([scale && heatShare(100, scale), scale && heatShare(1e9, scale)], [0.5, 1])
})

test('steps that differ by a hundredth do not get both ends of the colours', () => {
  const scale = heatScale(new Float64Array([100, 101, 99, 100]))
  assert.deepEqual([scale?.low, scale?.high], [90, 110])
})

test('shares lie between the ends', () => {
  const scale = { low: 10, high: 20, least: 0, most: 50 }
  assert.deepEqual(
    [0, 10, 15, 20, 50].map((value) => heatShare(value, scale)),
    [0, 0, 0.5, 1, 1],
  )
  assert.equal(heatScale(new Float64Array([NaN])), null)
})

test('many cells behind one pixel show the longest', () => {
  const heat = emptyHeat(
    Array.from({ length: 256 }, (_, i) => i),
    Array.from({ length: 10_000 }, (_, i) => i),
  )
  heat.values.fill(1)
  heat.values[200 * 10_000 + 9_999] = 7
  const pixels = heatPixels(heat, 1000, 128)
  assert.deepEqual([pixels.length, pixels.reduce((a, b) => Math.max(a, b)), pixels[100 * 1000 + 999]], [128_000, 7, 7])
})

test('few cells stay apart when there is a pixel for each', () => {
  const heat = emptyHeat([0, 1], [0, 1, 2])
  heat.values.set([1, 2, 3, 4, 5, 6])
  assert.deepEqual([...heatPixels(heat, 3, 2)], [1, 2, 3, 4, 5, 6])
})
