import assert from 'node:assert/strict'
import test from 'node:test'
import { cutAt } from './cut_column.ts'

test('a column is cut where the edge lies before the end of its contents, not in its padding or beside it', () => {
  const widths = [100, 80, 60]
  assert.deepEqual(
    [150, 169, 170, 180, 185, 229, 230, 500].map((edge) => cutAt(widths, edge)),
    [1, 1, null, null, 2, 2, null, null],
  )
})
