import assert from 'node:assert/strict'
import test from 'node:test'
import type { Board, Gpu } from './telemetry.ts'
import { boardWithin, heatOf, sumOf } from './telemetry_window.ts'

const gpu = (number: number): Gpu => ({ key: `0|${number}`, rank: 0, gpu: number, name: `GPU ${number}` })
const [first, second] = [gpu(0), gpu(1)]
const line = (of: Gpu, mean: (number | null)[]) => ({ gpu: of, mean, least: mean, most: mean })
const power = {
  key: 'power',
  counter: 'power',
  unit: 'W',
  lines: [line(first, [1, 2, 30, 4]), line(second, [5, null, 7, 8])],
  limit: null,
  largest: 30,
}
const board: Board = {
  x: [0, 10, 20, 30],
  gpus: [first, second, gpu(2)],
  panels: [power],
  more: 0,
  held: [{ gpu: first, reason: 'thermal', from: 5, to: 25 }],
  hasReasons: true,
}

test('a window has the parts of the time that reach into it, and what held a clock down then', () => {
  const within = boardWithin(board, [12, 28])
  assert.deepEqual(within.x, [10, 20])
  assert.deepEqual(
    within.panels[0]?.lines.map((one) => one.mean),
    [
      [2, 30],
      [null, 7],
    ],
  )
  assert.equal(within.panels[0]?.largest, 30)
  assert.deepEqual(
    within.held.map((one) => [one.from, one.to]),
    [[10, 25]],
  )
  assert.equal(boardWithin(board, null), board)
  assert.deepEqual(boardWithin(board, [100, 200]).x, [])
})

test('sums are of what is known', () => {
  assert.deepEqual(sumOf(line(second, [5, null, 7])), { mean: 6, least: 5, most: 7 })
  assert.equal(sumOf(line(second, [null])), null)
})

test('a field has a row for each GPU, also of one without samples', () => {
  const heat = heatOf(board, power)
  assert.deepEqual(
    [heat.rows, heat.columns],
    [
      [0, 1, 2],
      [0, 1, 2, 3],
    ],
  )
  assert.deepEqual([...heat.values], [1, 2, 30, 4, 5, NaN, 7, 8, NaN, NaN, NaN, NaN])
})
