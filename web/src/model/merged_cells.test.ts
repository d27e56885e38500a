import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergedCells } from './merged_cells.ts'

// With several events chosen as one, the keys of the chosen event did nothing and did not say why.
test('a merged cell is read from its key', () => {
  assert.deepEqual(mergedCells('4.17.250'), { lane: 4, first: 17, count: 250 })
  for (const key of ['', '4.17', '4.17.0', '4.17.x', '4.17.2.9', '-4.17.2', '<img>'])
    assert.equal(mergedCells(key), null)
})
