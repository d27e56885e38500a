import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell, TableData } from '../api/types.ts'
import { emptyColumns, findRow, mayAdd, orderOf, rowKey, sumOf } from './rows.ts'
import { parseSort } from './sorting.ts'

function table(name: string, data: Record<string, Cell[]>, by = ''): TableData {
  const columns = Object.entries(data).map(([one, values]) => ({
    name: one,
    type: values.some((value) => typeof value === 'string') ? ('text' as const) : ('int' as const),
    moment: false,
    description: '',
  }))
  return { table: name, by, source: false, total: 0, columns, data, origin_ns: '0', notes: [], command: '' }
}

const OPERATORS = table('operators', {
  name: ['aten::mm', '(unattributed)', 'aten::add'],
  host_self_ns: [5, 100, 7],
  host_total_ns: [9, 100, 7],
  flops: [null, null, null],
})

test('what could not be attributed stays below the rows, whatever the order', () => {
  const { rows, pinned } = orderOf(OPERATORS, parseSort('host_self_ns'), null)
  assert.deepEqual([[...rows], pinned], [[2, 0], [1]])
  assert.deepEqual(orderOf(OPERATORS, [], Uint32Array.of(0)).pinned, [])
})

test('only columns whose rows do not overlap are added up, exactly', () => {
  assert.deepEqual([mayAdd(OPERATORS, 'host_self_ns'), mayAdd(OPERATORS, 'host_total_ns')], [true, false])
  assert.equal(sumOf(OPERATORS, 'host_self_ns', [2, 0], [1]), 112)
  assert.equal(sumOf(OPERATORS, 'flops', [0, 1, 2]), null)
  const big = table('kernels', { total_ns: [2 ** 53 - 1, 2 ** 53 - 1, 1] })
  assert.equal(sumOf(big, 'total_ns', [0, 1, 2]), 2n ** 54n - 1n)
})

test('a row is found again by its key, or by its name alone', () => {
  const shapes = table('operators', { name: ['mm', 'mm'], shape: ['[2]', '[3]'] }, 'shape')
  assert.equal(rowKey(OPERATORS, 2), 'aten::add')
  assert.equal(rowKey(shapes, 1), '["mm","[3]"]')
  assert.deepEqual([findRow(shapes, '["mm","[3]"]'), findRow(shapes, 'mm'), findRow(shapes, '["mm"]')], [1, 0, null])
  assert.equal(findRow(OPERATORS, '[broken'), null)
})

test('columns with nothing in them are known', () => {
  assert.deepEqual([...emptyColumns(OPERATORS)], ['flops'])
})
