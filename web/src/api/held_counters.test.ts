import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countersIn, type HeldCounters } from './held_counters.ts'

const held: HeldCounters = {
  t0: 0,
  t1: 400,
  bins: {
    bins: 4,
    tracks: [
      { track: 7, offset: 0 },
      { track: 9, offset: 4 },
    ],
    min: new Float32Array([0, 1, 2, NaN, 5, 5, 5, 5]),
    max: new Float32Array([2, 3, 4, NaN, 5, 5, 5, 5]),
    mean: new Float32Array([1, 2, 3, NaN, 5, 5, 5, 5]),
  },
}

test('the whole time in as many bins is what is held', () => {
  const found = countersIn(held, 0, 400, 4, [7])
  assert.deepEqual([...found.mean], [1, 2, 3, NaN])
  assert.deepEqual([...found.min], [0, 1, 2, NaN])
  assert.deepEqual(found.tracks, [{ track: 7, offset: 0 }])
})

test('fewer bins take the least, the most and the mean by time', () => {
  const found = countersIn(held, 0, 400, 2, [9, 7])
  assert.deepEqual(found.tracks, [
    { track: 7, offset: 0 },
    { track: 9, offset: 2 },
  ])
  assert.deepEqual([...found.min], [0, 2, 5, 5])
  assert.deepEqual([...found.max], [3, 4, 5, 5])
  // What nothing is known of does not count.
  assert.deepEqual([...found.mean], [1.5, 3, 5, 5])
})

test('more bins than are held repeat them', () => {
  assert.deepEqual([...countersIn(held, 100, 200, 3, [7]).mean], [2, 2, 2])
})

test('a bin that touches two takes its part of each', () => {
  assert.deepEqual(
    [...countersIn(held, 50, 200, 1, [7]).mean].map((one) => one.toFixed(3)),
    ['1.667'],
  )
})

test('beyond the recording nothing is known', () => {
  assert.deepEqual([...countersIn(held, 400, 800, 2, [9]).mean], [NaN, NaN])
  assert.deepEqual([...countersIn({ ...held, t1: 0 }, 0, 10, 1, [9]).mean], [NaN])
})
