import assert from 'node:assert/strict'
import { test } from 'node:test'
import { treeOf } from '../model/tree.ts'
import { ALL, boxAt, boxBeside, icicleBoxes } from './icicle.ts'

const TREE = treeOf(['net', 'net/a', 'net/b', 'net/b/c', 'other'])
const VALUES = Float64Array.of(80, 20, 40, 60, 10)
const flat = (boxes: ReturnType<typeof icicleBoxes>) =>
  boxes.map((box) => [box.row, box.level, box.x, box.width]).toSorted((a, b) => a[1]! - b[1]! || a[2]! - b[2]!)

test('boxes are as wide as their share, and never wider than what is around them', () => {
  assert.deepEqual(flat(icicleBoxes(TREE, VALUES, 100, ALL, 1000)), [
    [ALL, 0, 0, 1000],
    [0, 1, 0, 800],
    [4, 1, 800, 100],
    [2, 2, 0, 400],
    [1, 2, 400, 200],
    [3, 3, 0, 400],
  ])
})

test('the row in focus takes the whole width, under those around it', () => {
  assert.deepEqual(flat(icicleBoxes(TREE, VALUES, 100, 2, 1000)), [
    [ALL, 0, 0, 1000],
    [0, 1, 0, 1000],
    [2, 2, 0, 1000],
    [3, 3, 0, 1000],
  ])
})

test('boxes are found under the pointer and by arrow keys', () => {
  const boxes = icicleBoxes(TREE, VALUES, 100, ALL, 1000)
  assert.deepEqual([boxAt(boxes, 450, 50)?.row, boxAt(boxes, 950, 30)?.row], [1, undefined])
  const way = (row: number, key: string) => boxBeside(boxes, row, key)?.row
  assert.deepEqual(
    [way(0, 'ArrowRight'), way(0, 'ArrowDown'), way(1, 'ArrowUp'), way(1, 'ArrowLeft'), way(4, 'ArrowDown')],
    [4, 2, 0, 2, undefined],
  )
})

test('nothing at all is one empty box', () => {
  assert.equal(icicleBoxes(TREE, new Float64Array(5), 0, ALL, 100).length, 1)
})
