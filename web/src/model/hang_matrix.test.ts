import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  columnWidth,
  fits,
  headsOf,
  hangsIn,
  initials,
  marksIn,
  MARKS,
  matrixCsv,
  matrixOf,
  ranksOf,
  ranksText,
} from './hang_matrix.ts'

type Row = [hang: number, sequence: number, ranks: string, state: string, differs?: string]

function table(...rows: Row[]) {
  const column = (at: number) => rows.map((row) => row[at] ?? null)
  return {
    data: {
      hang: column(0),
      sequence: column(1),
      ranks: column(2),
      state: column(3),
      differs: column(4),
      collective: rows.map((row) => (row[1] < 4 ? 'all_reduce' : 'broadcast')),
      count: rows.map((row) => ranksOf(row[2]).length),
      hangs: rows.map((row) => row[1] === 4),
    },
  }
}

const FOUR = table([0, 3, '0-3', 'completed'], [0, 4, '3', 'missing'], [0, 4, '0-2', 'started'])

test('a few ranks have a row each, in their order', () => {
  const matrix = matrixOf(FOUR, 0, new Set())
  assert.deepEqual(matrix.rows.map(ranksText), ['0', '1', '2', '3'])
  assert.deepEqual(
    matrix.rows.map((row) => row.cells.map((cell) => MARKS[matrix.marks[cell] ?? 'no_dump']).join('')),
    ['✓…', '✓…', '✓…', '✓×'],
  )
  assert.deepEqual(matrix.first, { row: 3, column: 2 })
  assert.deepEqual(marksIn(matrix), ['missing', 'started', 'completed'])
})

const MANY = table(
  [0, 3, '0-63', 'completed'],
  [0, 4, '7', 'missing'],
  [0, 4, '12', 'started', 'sizes'],
  [0, 4, '0-6, 8-11, 13-63', 'started'],
)

test('of many ranks those alike are one row, and those that are odd stand first', () => {
  assert.deepEqual(matrixOf(MANY, 0, new Set()).rows.map(ranksText), ['7', '12', '0-6, 8-11, 13-63'])
})

test('a row of many ranks opens', () => {
  const rows = matrixOf(MANY, 0, new Set(['0+'])).rows
  assert.equal(rows.length, 3 + 62)
  assert.deepEqual(rows.slice(2, 5).map(ranksText), ['0-6, 8-11, 13-63', '0', '1'])
  assert.deepEqual(
    rows.slice(1, 4).map((row) => row.inside),
    [false, false, true],
  )
})

test('a hang has its own matrix', () => {
  const both = table([0, 4, '0', 'missing'], [2, 4, '1', 'started'])
  assert.deepEqual(hangsIn(both), [0, 2])
  assert.deepEqual(matrixOf(both, 2, new Set()).rows.map(ranksText), ['1'])
})

test('neighbouring columns of one collective share their heading', () => {
  assert.deepEqual(headsOf(matrixOf(FOUR, 0, new Set()).columns), [
    { collective: 'all_reduce', columns: 1 },
    { collective: 'broadcast', columns: 1 },
  ])
})

test('headings are whole where there is room, else they differ', () => {
  // Calls that alternate all_gather and all_reduce had the heading "all…" each.
  const columns = ['all_gather', 'all_reduce'].map((collective, sequence) => ({ collective, sequence, hangs: false }))
  const wide = columnWidth(columns, 1000, 36)
  assert.ok(columns.every((one) => fits(one.collective, wide)))
  assert.equal(columnWidth(columns, 100, 36), 36)
  assert.deepEqual(['all_gather', 'all_reduce', 'broadcast'].map(initials), ['AG', 'AR', 'broadcast'])
  const alike = [1, 2, 3, 4].map((sequence) => ({ collective: 'all_reduce', sequence, hangs: false }))
  assert.equal(columnWidth(alike, 1000, 36), 36)
})

test('the matrix as CSV', () => {
  assert.equal(
    matrixCsv(matrixOf(MANY, 0, new Set())).replaceAll('\r', ''),
    'rank,all_reduce 3,broadcast 4\n7,completed,missing\n12,completed,differs\n"0-6, 8-11, 13-63",completed,started\n',
  )
})
