import assert from 'node:assert/strict'
import { test } from 'node:test'
import { largestRow, rowsWhere, withRows } from './columns_of.ts'

test('some rows of a table', () => {
  const table = { name: 'steps', data: { rank: [0, 1, 0], step: [3, 3, 4] } }
  assert.deepEqual(rowsWhere(table, 'rank', 0), [0, 2])
  assert.deepEqual(rowsWhere(table, 'missing', 0), [])
  assert.deepEqual(withRows(table, [2, 0]), { name: 'steps', data: { rank: [0, 0], step: [4, 3] } })
})

test('the largest row is one of those to keep, and above nothing', () => {
  const table = { data: { name: ['(unattributed)', 'a', 'b', 'c'], ns: [99, 5, 7, null] } }
  assert.equal(largestRow(table, 'ns'), 0)
  assert.equal(
    largestRow(table, 'ns', (row) => row > 0),
    2,
  )
  assert.equal(largestRow({ data: { ns: [0, null] } }, 'ns'), null)
  assert.equal(largestRow(table, 'none'), null)
})
