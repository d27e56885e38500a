import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SimulatedAnswer } from '../api/simulated.ts'
import type { Track } from '../api/timeline.ts'
import { placed, simulatedAt } from './simulated.ts'

test('labels of the ends never cover each other, nor leave the lane', () => {
  const taken: [number, number][] = []
  assert.equal(placed(100, 40, 200, taken), 105)
  assert.equal(placed(105, 40, 200, taken), 60)
  assert.equal(placed(112, 40, 200, taken), null)
  assert.equal(placed(195, 40, 200, []), 150)
  assert.equal(placed(-300, 40, 200, []), null)
})

test('the piece under the pointer is that of the track, the innermost', () => {
  const pieces = { lane: [3, 5, 5, 6], start: [0, 0, 20, 4], end: [90, 10, 30, 8] }
  const answer = { pieces } as unknown as SimulatedAnswer
  const track = (first_lane: number, depths: number) => ({ first_lane, depths }) as Track
  assert.equal(simulatedAt(answer, track(5, 2), 6), 3)
  assert.equal(simulatedAt(answer, track(5, 2), 9), 1)
  assert.equal(simulatedAt(answer, track(5, 2), 15), -1)
  assert.equal(simulatedAt(answer, track(3, 1), 15), 0)
  assert.equal(simulatedAt(answer, track(9, 1), 15), -1)
})
