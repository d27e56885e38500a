import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byKind, lengthBars, topRows } from './chart_rows.ts'

test('the rows with most of the first column come first, without what could not be attributed', () => {
  const table = {
    data: { name: ['a', '(unattributed)', 'b', 'c', 'd'], gpu: [5, 99, 0, 7, 0], host: [1, 99, 6, 2, 0] },
  }
  const chart = topRows(
    table,
    'name',
    [
      { column: 'gpu', name: 'GPU', tint: { meaning: 'compute' } },
      { column: 'host', name: 'host', tint: { meaning: 'host' } },
    ],
    2,
    { category: 'operator', value: 'time', nameless: '(no name)' },
  )
  assert.deepEqual(
    [chart.categories, chart.rows],
    [
      ['c', 'a'],
      [3, 0],
    ],
  )
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [7, 5],
      [2, 1],
    ],
  )
})

test('kinds are summed, the smallest together, each with the colour it has elsewhere', () => {
  const kinds = ['gemm', 'copy', 'gemm', 'a', 'b', 'c', '']
  const table = { data: { kind: kinds, total_ns: [10, 9, 5, 4, 3, 2, 8] } }
  const words = {
    kind: 'kind',
    value: 'time',
    parts: { compute: 'computing' },
    rest: (count: number) => `${count} others`,
    kinds: { norm: 'a' },
  }
  const chart = byKind(table, 'total_ns', 5, words)
  assert.deepEqual(chart.categories, ['gemm', 'copy', 'other', 'a', '2 others'])
  assert.deepEqual(
    chart.series.map((one) => [one.name, one.tint.meaning, one.values]),
    [
      ['computing', 'compute', [15, null, 8, 4, null]],
      ['memory', 'memory', [null, 9, null, null, null]],
      ['other', 'other', [null, null, null, null, 5]],
    ],
  )
  assert.deepEqual(chart.details?.(0), [['', '36.6 %']])
})

test('classes of lengths show both shares', () => {
  const table = { data: { from_ns: [0, 1000], to_ns: [1000, null], of_kernels_pct: [90, 10], share_pct: [20, 80] } }
  const words = { length: 'length', share: 'share', count: 'kernels', time: 'time' }
  const chart = lengthBars(table, (from, to) => `${from}-${to}`, words)
  assert.deepEqual(chart.categories, ['0-1000', '1000-null'])
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [90, 10],
      [20, 80],
    ],
  )
})
