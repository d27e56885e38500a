import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beside } from './kernel_baseline.ts'

const table = {
  data: {
    reason: ['wait', 'drain', 'selected', 'drain', 'wait', 'sleeping'],
    cycles: [10, 3, 1, 6, 10, 40],
  },
}

test('what both have is paired by name, in the order of the kernel; what the baseline alone has comes last', () => {
  assert.deepEqual(
    beside(table, ['reason', 'cycles'], [0, 1, 2], [3, 4, 5]).map((one) => [one.name, one.value, one.base]),
    [
      ['wait', 10, 10],
      ['drain', 3, 6],
      ['selected', 1, null],
      ['sleeping', null, 40],
    ],
  )
  const [, , selected, sleeping] = beside(table, ['reason', 'cycles'], [0, 1, 2], [3, 4, 5])
  assert.deepEqual([selected?.row, selected?.baseRow, sleeping?.row, sleeping?.baseRow], [2, null, null, 5])
})

test('of many those are kept that come first in either', () => {
  assert.deepEqual(
    beside(table, ['reason', 'cycles'], [0, 1, 2], [3, 4, 5], 2).map((one) => one.name),
    ['wait', 'sleeping'],
  )
  assert.deepEqual(
    beside(table, ['reason', 'cycles'], [0, 1, 2], [], 1).map((one) => [one.name, one.base]),
    [['wait', null]],
  )
})
