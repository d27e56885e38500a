import assert from 'node:assert/strict'
import test from 'node:test'
import { barOf, oomsOf } from './memory_oom.ts'

const table = {
  data: {
    at_ns: [5, 6],
    requested_bytes: [40, 10],
    allocated_bytes: [100, 100],
    reserved_bytes: [120, 130],
    free_bytes: [900, 50],
    hole_bytes: [15, 30],
    largest_free_bytes: [8, 5],
    limit_bytes: [130, null],
    limit_below_bytes: [170, null],
    reason: ['a set limit', 'fragmentation'],
    evict_bytes: [40, null],
    evict_blocks: [1, null],
    source: ['a.py:1', ''],
  },
}
const [limited, broken] = oomsOf(table, [0, 1])
const categories = [
  { category: 'parameters', bytes: 30 },
  { category: 'activations', bytes: 60 },
]

test('parts of the process add up to what is reserved, and a limit hides what is free on the device', () => {
  assert.ok(limited)
  const bar = barOf(limited, categories, null)
  assert.deepEqual(
    bar.parts.map((one) => [one.key, one.from, one.bytes]),
    [
      ['parameters', 0, 30],
      ['activations', 30, 60],
      ['unknown', 90, 10],
      ['holes', 100, 15],
      ['unused', 115, 5],
    ],
  )
  assert.deepEqual(bar.request, { key: 'asked', from: 120, bytes: 40 })
  assert.equal(bar.end, 170)
})

test('without a limit the bar shows the device, others where its size is known', () => {
  assert.ok(broken)
  const bar = barOf(broken, categories, 300)
  assert.deepEqual(
    bar.parts.slice(-2).map((one) => [one.key, one.from, one.bytes]),
    [
      ['others', 130, 120],
      ['free', 250, 50],
    ],
  )
  assert.equal(bar.end, 300)
  assert.deepEqual(
    barOf(broken, categories, null).parts.map((one) => one.key),
    ['parameters', 'activations', 'unknown', 'holes', 'free'],
  )
})

test('what fits only in pieces is laid over the pieces', () => {
  assert.ok(broken)
  assert.equal(barOf(broken, categories, null).request.from, 100)
})
