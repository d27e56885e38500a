import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsOf } from './arrows.ts'

test('an arrow in sight is drawn from end to end', () => {
  assert.deepEqual(endsOf(0, 800, 800), { from: 0, to: 800, cut: false })
  assert.deepEqual(endsOf(500, 300, 800), { from: 500, to: 300, cut: false })
})

// An arrow to a kernel far to the right was a black line across the row, as if it were an event.
test('an arrow that leaves the plot ends at its edge; one that only crosses it is not drawn', () => {
  assert.deepEqual(endsOf(500, 1e9, 800), { from: 500, to: 797, cut: true })
  assert.deepEqual(endsOf(-1e9, 400, 800), { from: 3, to: 400, cut: true })
  assert.deepEqual(endsOf(500, -20, 800), { from: 500, to: 3, cut: true })
  assert.equal(endsOf(-5, 805, 800), null)
  assert.equal(endsOf(900, 950, 800), null)
})
