import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsWhere, withRows } from './columns_of.ts'

test('some rows of a table', () => {
  const table = { name: 'steps', data: { rank: [0, 1, 0], step: [3, 3, 4] } }
  assert.deepEqual(rowsWhere(table, 'rank', 0), [0, 2])
  assert.deepEqual(rowsWhere(table, 'missing', 0), [])
  assert.deepEqual(withRows(table, [2, 0]), { name: 'steps', data: { rank: [0, 0], step: [4, 3] } })
})
