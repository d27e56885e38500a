import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addressed, hasSteps, sidesOf } from './compare_sides.ts'

test('what an address names is what is written into it', () => {
  for (const sides of [
    { base: [], new: [] },
    { base: ['a'], new: ['b'] },
    { base: ['a', 'x/é ,"1"'], new: ['b', 'c', 'd'] },
  ]) {
    const written = Object.entries(addressed(sides)).filter(([, value]) => value !== null)
    assert.deepEqual(sidesOf(Object.fromEntries(written) as Record<string, string>), sides)
  }
})

test('what is no list of runs names none, and a run counts once', () => {
  for (const more of ['', '{', '3', '{"a": 1}', '[1, null]']) {
    assert.deepEqual(sidesOf({ base: 'a', more_base: more }), { base: ['a'], new: [] })
  }
  assert.deepEqual(sidesOf({ base: 'a', more_base: '["a", "b", "b"]' }).base, ['a', 'b'])
})

test('what never has steps is not offered', () => {
  // Snapshots and telemetry were in the lists, and refused once they were chosen.
  assert.ok(hasSteps({ kind: 'trace', steps: null }))
  assert.ok(!hasSteps({ kind: 'trace', steps: 0 }))
  assert.ok(!hasSteps({ kind: 'memory_snapshot', steps: null }))
  assert.ok(!hasSteps({ kind: 'telemetry', steps: 1 }))
})
