import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineage, treeOf, visibleRows } from './tree.ts'

const PATHS = ['net', 'net/a', 'net/b', '', 'net/b/c/d', 'other', 'net/a', 'netty/x']

test('rows stand under the nearest row above them', () => {
  const tree = treeOf(PATHS)
  assert.deepEqual([...tree.parent], [-1, 0, 0, -1, 2, -1, 0, -1])
  assert.deepEqual([...tree.depth], [0, 1, 1, 0, 2, 0, 1, 0])
  assert.deepEqual(tree.roots, [0, 5, 7])
  assert.deepEqual(lineage(tree, 4), [0, 2, 4])
})

test('what is inside a closed row is not in sight; siblings stand as they are sorted', () => {
  const tree = treeOf(PATHS)
  const sorted = Uint32Array.of(5, 4, 6, 2, 1, 0, 3, 7)
  assert.deepEqual([...visibleRows(tree, sorted, () => true)], [5, 0, 6, 2, 4, 1, 7])
  assert.deepEqual([...visibleRows(tree, sorted, (row) => row === 0)], [5, 0, 6, 2, 1, 7])
  assert.deepEqual([...visibleRows(tree, sorted, () => false)], [5, 0, 7])
})
