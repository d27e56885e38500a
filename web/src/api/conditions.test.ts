import assert from 'node:assert/strict'
import { test } from 'node:test'
import { condition } from './conditions.ts'
import type { TableData } from './types.ts'

const data: TableData = {
  table: 't',
  by: '',
  source: false,
  total: 4,
  columns: [
    { name: 'kind', type: 'text', moment: false, description: '' },
    { name: 'calls', type: 'int', moment: false, description: '' },
    { name: 'at_ns', type: 'int', moment: true, description: '' },
  ],
  data: { kind: ['gemm', 'communication', "it's AND", null], calls: [1, 2, 3, null], at_ns: [0, 10, 20, 30] },
  origin_ns: '9007199254740993000',
  notes: [],
  command: '',
}

function rows(text: string): number[] | null {
  const test = condition(text, data)
  return test && [0, 1, 2, 3].filter(test)
}

test('comparisons with texts and numbers', () => {
  assert.deepEqual(rows("kind = 'communication'"), [1])
  assert.deepEqual(rows('calls >= 2'), [1, 2])
  assert.deepEqual(rows('calls != 2'), [0, 2])
  assert.deepEqual(rows('calls < 1.5'), [0])
})

test('several of them', () => {
  assert.deepEqual(rows("calls > 1 AND kind = 'it''s AND'"), [2])
  assert.deepEqual(rows("calls > 1 and kind <> 'gemm' and calls <= 2"), [1])
})

test('moments are those of the trace', () => {
  assert.deepEqual(rows('at_ns >= 9007199254740993010 AND at_ns <= 9007199254740993020'), [1, 2])
})

test('moments of a rank are those of its own clock', () => {
  const own = { ...data, data: { ...data.data, rank: [0, 1, 1, 0] }, shifts: { 1: '100' } }
  const test = condition('at_ns > 9007199254740993015', own)
  assert.deepEqual(test && [0, 1, 2, 3].filter(test), [1, 2, 3])
})

test('what is no comparison is not answered', () => {
  for (const text of [
    '',
    'calls',
    'calls > 1 OR calls < 0',
    'calls > calls',
    'nothing = 1',
    'calls > 1 AND',
    'calls = 1; x',
  ])
    assert.equal(rows(text), null, text)
})
