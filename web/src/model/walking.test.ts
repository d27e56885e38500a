import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walked } from './walking.ts'

test('single steps go round, pages stop at the ends, other keys lead nowhere', () => {
  assert.deepEqual([walked('ArrowDown', 2, 3), walked('ArrowUp', 0, 3)], [0, 2])
  assert.deepEqual([walked('PageDown', 1, 20), walked('PageDown', 15, 20), walked('PageUp', 3, 20)], [9, 19, 0])
  assert.deepEqual([walked('KeyA', 0, 3), walked('ArrowDown', 0, 0)], [null, null])
})
