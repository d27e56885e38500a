import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestFirst, fuzzy } from './fuzzy.ts'

const NAMES = ['aten::mm', 'aten::addmm', 'Kernels', '内核 kernels', 'void gemm<float>(int)', '<img onerror=x>']

test('parts of names in any order, best first', () => {
  assert.equal(fuzzy(NAMES, 'gemm void', 5)[0], 4)
  assert.deepEqual(fuzzy(NAMES, 'aten mm', 5)[0], 0)
  assert.deepEqual(fuzzy(NAMES, 'kernels', 5).sort(), [2, 3])
})

test('Chinese and signs are found as they stand', () => {
  assert.deepEqual(fuzzy(NAMES, '内核', 5), [3])
  assert.deepEqual(fuzzy(NAMES, '<img', 5), [5])
  assert.deepEqual(fuzzy(NAMES, '::', 5), [0, 1])
})

test('an empty query shows the beginning, an impossible one nothing', () => {
  assert.deepEqual(fuzzy(NAMES, ' ', 2), [0, 1])
  assert.deepEqual(fuzzy(NAMES, 'zzzzqq', 5), [])
})

test('what is called exactly so comes first', () => {
  assert.deepEqual(closestFirst([0, 1, 2, 3], ['unhealthy', 'health checks', 'x', 'Health'], 'health '), [3, 1, 0, 2])
  assert.deepEqual(closestFirst([1, 0], ['Health', 'health'], 'health'), [0, 1])
})
