import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableData } from '../api/types.ts'
import { byName, flameOf, foldedStacks, hitsOf, shortName, timeIn } from './flame.ts'

type Row = [frame: number, parent: number | null, name: string, total: number, own: number, frames: number]

function table(rows: Row[]): TableData {
  const data = {
    frame: rows.map((row) => row[0]),
    parent: rows.map((row) => row[1]),
    name: rows.map((row) => row[2]),
    kind: rows.map(() => 'python'),
    calls: rows.map(() => 1),
    device_total_ns: rows.map((row) => row[3]),
    device_self_ns: rows.map((row) => row[4]),
    host_total_ns: rows.map(() => 0),
    host_self_ns: rows.map(() => 0),
    frames: rows.map((row) => row[5]),
  }
  return { data } as unknown as TableData
}

const rows: Row[] = [
  [0, null, 'main', 100, 10, 4],
  [1, 0, 'mm', 60, 40, 2],
  [2, 1, 'mm', 20, 20, 1],
  [3, 0, 'add', 30, 30, 1],
  [4, null, '(unattributed)', 5, 5, 1],
]

test('a table of frames is a tree as wide as their time', () => {
  const flame = flameOf([table(rows)], 'device')
  assert.equal(flame.whole, 105)
  assert.deepEqual(flame.tree.roots, [0, 4])
  assert.deepEqual(flame.tree.children[0], [1, 3])
  assert.deepEqual([...flame.tree.depth], [0, 1, 2, 1, 0])
  assert.equal(flameOf([table(rows)], 'host').names.length, 0, 'no frame has time on the host')
})

test('a later answer adds frames, and none twice', () => {
  const flame = flameOf([table(rows.slice(0, 2)), table(rows)], 'device')
  assert.deepEqual(flame.ids, [0, 1, 2, 3, 4])
})

test('time in frames inside one another counts once', () => {
  const flame = flameOf([table(rows)], 'device')
  const hits = hitsOf(flame, 'MM')
  assert.deepEqual([...hits], [1, 2])
  assert.equal(timeIn(flame, hits), 60)
  assert.equal(hitsOf(flame, ' ').size, 0)
  const [first] = byName(flame)
  assert.deepEqual(first, { name: 'mm', kind: 'python', own: 60, total: 60, calls: 2 })
  const every = byName(flame).reduce((sum, one) => sum + one.own, 0)
  assert.equal(every, flame.whole)
})

test('folded stacks hold all of the time', () => {
  const text = foldedStacks(flameOf([table(rows)], 'device'), { stack: 'stack', time: 'ns' })
  assert.match(text, /main;mm;mm,20/)
  const times = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',').at(-1)))
  assert.equal(
    times.reduce((sum, one) => sum + one),
    105,
  )
})

test('a short name has no folders', () => {
  assert.equal(shortName('torch/nn/modules/module.py(1783): _call_impl'), 'module.py(1783): _call_impl')
  assert.equal(shortName('aten::mm'), 'aten::mm')
  assert.equal(shortName('a/b'), 'a/b')
})
