import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnIndices, indexAt } from './decimate.ts'

/** Numbers that look random and are the same in every run. */
function noise(count: number): number[] {
  let state = 7
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32
  })
}

test('a million points become few, and no pixel loses its lowest or highest value', () => {
  const [count, pixels] = [1_000_000, 800]
  const x = Float64Array.from({ length: count }, (_, i) => i * 1000)
  const values = Float64Array.from(noise(count))
  values[345_678] = 99
  const drawn = drawnIndices(x, [values], 0, count * 1000, pixels)
  assert.ok(drawn.length <= 4 * pixels + 2)
  const width = (count * 1000) / pixels
  const bins = (indices: Iterable<number>) => {
    const extremes = new Map<number, [number, number]>()
    for (const i of indices) {
      const [bin, value] = [Math.floor((x[i] ?? 0) / width), values[i] ?? 0]
      const [low, high] = extremes.get(bin) ?? [value, value]
      extremes.set(bin, [Math.min(low, value), Math.max(high, value)])
    }
    return extremes
  }
  assert.deepEqual(bins(drawn), bins(Array(count).keys()))
})

test('a zoomed window keeps the points beside it, and all within it when they fit', () => {
  const x = Array.from({ length: 100 }, (_, i) => i * 10)
  assert.deepEqual(drawnIndices(x, [x], 205, 235, 50), [20, 21, 22, 23, 24])
  assert.deepEqual(drawnIndices([], [[]], 0, 10, 50), [])
  assert.deepEqual(drawnIndices([5], [[1]], 5, 5, 50), [0])
})

test('missing values are no extremes, and equal moments stay in order', () => {
  const x = Array(1000).fill(0).concat([1])
  const values = x.map((_, i) => (i === 500 ? 7 : i % 3 === 0 ? null : 1))
  const drawn = drawnIndices(x, [values], 0, 1, 10)
  assert.ok(drawn.includes(500))
  assert.deepEqual(
    drawn,
    [...drawn].sort((a, b) => a - b),
  )
})

test('the level at a moment is the last one set', () => {
  assert.deepEqual(
    [-5, 0, 5, 10, 15, 99].map((at) => indexAt([0, 10, 10, 20], at)),
    [0, 0, 0, 2, 2, 3],
  )
})
