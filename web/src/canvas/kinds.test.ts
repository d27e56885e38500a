import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindsOf, meaningsIn } from './kinds.ts'

// The legend named waiting and data loading for recordings without either.
test('the legend has what the tracks and the cells seen have, in its own order', () => {
  const bits = kindsOf(Uint8Array.of(4, 0, 0, 3, 2))
  assert.deepEqual(meaningsIn([], bits), ['compute', 'memory', 'host'])
  assert.deepEqual(
    meaningsIn(
      [
        { kind: 'stream', events: 5 },
        { kind: 'python', events: 2 },
        { kind: 'sync', events: 0 },
      ],
      kindsOf(Uint8Array.of(11, 1)),
    ),
    ['communication', 'python', 'other'],
  )
  assert.deepEqual(meaningsIn([], 0), [])
})
