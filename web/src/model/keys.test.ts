import assert from 'node:assert/strict'
import test from 'node:test'
import { findingKeys } from './keys.ts'

test('as many keys as there are recommendations, nine at most', () => {
  assert.deepEqual(findingKeys(0), [])
  assert.deepEqual(findingKeys(2), ['1', '2'])
  assert.deepEqual(findingKeys(5), ['1', '…', '5'])
  assert.deepEqual(findingKeys(12), ['1', '…', '9'])
  assert.deepEqual(findingKeys(null), ['1', '…', '9'])
})
