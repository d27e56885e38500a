import assert from 'node:assert/strict'
import test from 'node:test'
import type { PathAnswer } from '../api/timeline.ts'
import { causeMeaning, meaningOf } from './colours.ts'
import { pathInSight, pieceKind } from './path.ts'
import { sideMeaning } from './what_if_path.ts'

const pieces = {
  start: [0, 40, 50, 90],
  end: [40, 50, 90, 100],
  lane: [1, 1, 2, 1],
  row: [0, -1, 3, 4],
  kind: ['compute', 'launch_latency', 'compute', 'compute'],
} as unknown as PathAnswer['pieces']

test('what of a path is in sight, latencies left out', () => {
  const found = pathInSight(pieces, { start: 20, end: 95 }, (lane) => lane === 1)
  assert.deepEqual(found, { all: 65, seen: 25, longest: 2, within: true })
})

test('where nothing of it runs, the longest piece of all is the one to go to', () => {
  const found = pathInSight(pieces, { start: 42, end: 48 }, () => true)
  assert.deepEqual(found, { all: 0, seen: 0, longest: 0, within: false })
})

// It was the colour of annotations.
test('launch latency has one colour in Idle, What if and the critical path, its own', () => {
  const meanings = [
    causeMeaning('launch_latency'),
    sideMeaning('launch_latency'),
    meaningOf(pieceKind('launch_latency')),
  ]
  assert.deepEqual(meanings, Array(3).fill('launch_latency'))
})
