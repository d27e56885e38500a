import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckedRun, Prediction } from '../api/types.ts'
import { markOf, pctAxis, placeOn, valueScale } from './results.ts'

const prediction = (outcome: Prediction['outcome'], from_zero = true): Prediction =>
  ({ promised: [12, 20, 31], came: [-4, -2, 3], outcome, from_zero }) as unknown as Prediction

test('the axis holds ranges, what came, and 0', () => {
  assert.deepEqual(pctAxis([prediction('less')]), [-10, 40])
  assert.equal(placeOn([-10, 40], 0), 20)
  assert.equal(placeOn([-10, 40], 90), 100)
})

test('what may be 0 is neither inside nor outside', () => {
  assert.deepEqual(
    [prediction('inside'), prediction('more'), prediction('unclear'), prediction('inside', false)].map(markOf),
    ['inside', 'outside', 'unclear', 'unclear'],
  )
})

test('a scale holds values, their ranges and limits', () => {
  const run = { value: 10, range: [8, 12], limit: 18 } as unknown as CheckedRun
  assert.deepEqual(valueScale([run]), [7, 19])
  assert.deepEqual(valueScale([]), [0, 1])
})
