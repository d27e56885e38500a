import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  heatCsv,
  labelledPlaces,
  matrixHeat,
  matrixScale,
  measureOf,
  MEASURES,
  valuesOf,
  waitsHeat,
} from './rank_matrix.ts'

const MATRIX = {
  data: {
    rank: [0, 0, 2, 2],
    step: [7, 8, 8, 7],
    duration_ns: [1000, 1000, 1000, 1000],
    lateness_ns: [0, 3, 400, null],
  },
}

test('ranks stand below each other and steps beside, in order; what is not known stays open', () => {
  const heat = matrixHeat(MATRIX, 'lateness_ns')
  assert.deepEqual(
    [heat.rows, heat.columns, [...heat.values]],
    [
      [0, 2],
      [7, 8],
      [0, 3, NaN, 400],
    ],
  )
  assert.equal(heatCsv(heat, 'rank'), 'rank,7,8\r\n0,0,3\r\n2,,400\r\n')
})

test('lateness counts from nothing, and a small one gets no strong colour', () => {
  const table = { data: { ...MATRIX.data, lateness_ns: [0, 1, 2, 1] } }
  const scale = matrixScale(table, 'lateness_ns', matrixHeat(table, 'lateness_ns'))
  assert.deepEqual([scale?.low, scale?.high, scale?.most], [0, 50, 2])
})

test('whole steps are told apart by how much they differ', () => {
  const scale = matrixScale(MATRIX, 'duration_ns', matrixHeat(MATRIX, 'duration_ns'))
  assert.deepEqual([scale?.low, scale?.high], [900, 1100])
})

test('who waits for whom is a square of all ranks that do either', () => {
  const heat = waitsHeat({ data: { rank: [0, 1], for_rank: [2, 2], wait_ns: [50, 60] } }, 'wait_ns')
  assert.deepEqual([heat.rows, heat.columns], [[0, 1, 2], [0, 1, 2]]) // prettier-ignore
  assert.deepEqual([...heat.values], [NaN, NaN, 50, NaN, NaN, 60, NaN, NaN, NaN])
})

test('numbers of an axis are thinned to what has room', () => {
  assert.deepEqual(labelledPlaces(4, 100, 16), [0, 1, 2, 3])
  assert.deepEqual(labelledPlaces(256, 256, 16).slice(0, 3), [0, 20, 40])
  assert.deepEqual(labelledPlaces(100, 1000, 34).slice(0, 3), [0, 5, 10])
  assert.deepEqual(labelledPlaces(0, 100, 16), [])
})

test('the strip shows who is late first, and knows no measure that is none', () => {
  assert.equal(MEASURES[0].id, 'delay')
  assert.equal(measureOf('waiting')?.table, 'rank_matrix')
  assert.equal(measureOf('slowness'), null)
})

test('a measure of several columns is their sum, of what is known', () => {
  const table = { data: { a: [1, null, null], b: [10, 20, null] } }
  assert.deepEqual(valuesOf(table, ['a', 'b']), [11, 20, null])
})
