import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionText } from './row_filter.ts'

test('conditions hold every digit of a moment and no way out of the text', () => {
  assert.equal(conditionText({ equal: { rank: 0, device: "a' OR 1" } }), "rank = 0 AND device = 'a'' OR 1'")
  const between = { column: 'at_ns', first: '9223372036854775001', last: '9223372036854775800' }
  assert.equal(
    conditionText({ equal: { rank: 1 }, between }),
    'rank = 1 AND at_ns >= 9223372036854775001 AND at_ns <= 9223372036854775800',
  )
})
