import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ticks } from './minimap_marks.ts'

test('a tick for each pixel with a moment, within the minimap', () => {
  const bounds = { start: 100, end: 1100 }
  assert.deepEqual(ticks([1100, 105, 109, 600, 50], bounds, 100), [0, 50, 99])
  assert.deepEqual(ticks([], bounds, 100), [])
})
