import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell, TableData } from '../api/types.ts'
import { parseSort, sortedNext, sortRows, sortText } from './sorting.ts'

function table(
  columns: Record<string, Cell[]>,
  types: Record<string, 'int' | 'text' | 'bigint' | 'bool'> = {},
): TableData {
  const facts = Object.keys(columns).map((name) => ({
    name,
    type: types[name] ?? ('int' as const),
    moment: false,
    description: '',
  }))
  return {
    table: 't',
    by: '',
    source: false,
    total: 0,
    columns: facts,
    data: columns,
    origin_ns: '0',
    notes: [],
    command: '',
  }
}

const sorted = (data: TableData, sort: string, rows = Object.values(data.data)[0]?.length ?? 0) => [
  ...sortRows(
    data,
    Uint32Array.from({ length: rows }, (_, i) => i),
    parseSort(sort),
  ),
]

test('numbers of any size and sign sort as numbers, whichever way', () => {
  const data = table({ n: [3, -1, 0, -0, 2 ** 53, -2.5, 0.1] })
  assert.deepEqual(sorted(data, '-n'), [5, 1, 2, 3, 6, 0, 4])
  assert.deepEqual(sorted(data, 'n'), [4, 0, 6, 2, 3, 1, 5])
})

test('equal rows keep their order, also of the second column', () => {
  const data = table({ a: [1, 2, 1, 2, 1], b: [5, 5, 6, 6, 5] })
  assert.deepEqual(sorted(data, 'a'), [1, 3, 0, 2, 4])
  assert.deepEqual(sorted(data, 'a,-b'), [1, 3, 0, 4, 2])
  assert.deepEqual(sorted(data, '-b,a'), [1, 0, 4, 3, 2])
})

test('what is missing comes last either way', () => {
  const data = table({ n: [null, 2, Number.NaN, 1] })
  assert.deepEqual(sorted(data, 'n'), [1, 3, 0, 2])
  assert.deepEqual(sorted(data, '-n'), [3, 1, 0, 2])
})

test('texts sort by their code units; whole numbers beyond 2^53 by their value', () => {
  assert.deepEqual(sorted(table({ t: ['b', 'B', 'a', '算'] }, { t: 'text' }), '-t'), [1, 2, 0, 3])
  const big = table({ n: ['9007199254740993', '-5', '10', '9007199254740992'] }, { n: 'bigint' })
  assert.deepEqual(sorted(big, 'n'), [0, 3, 2, 1])
})

test('a random table sorts as Array.sort does it', () => {
  let seed = 7
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  const values = Array.from({ length: 5000 }, () => Math.round((random() - 0.5) * 2e12) * (random() < 0.3 ? 1e3 : 1))
  const expected = values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b)
  assert.deepEqual(sorted(table({ n: values }), 'n'), expected)
})

test('a click sorts numbers by the largest and texts by the smallest, a second click turns it round', () => {
  const once = sortedNext([], 'calls', false, false)
  assert.equal(sortText(once), 'calls')
  assert.equal(sortText(sortedNext(once, 'calls', false, false)), '-calls')
  assert.equal(sortText(sortedNext(once, 'name', true, true)), 'calls,-name')
  assert.deepEqual(parseSort('calls,-name'), sortedNext(once, 'name', true, true))
})
