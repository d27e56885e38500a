import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from './cells.ts'
import {
  boardOf,
  endOf,
  gpusOf,
  hertzText,
  measuredText,
  MOST_PANELS,
  outstanding,
  pathOf,
  stepsWithin,
} from './telemetry.ts'

/** Rows of `telemetry` by `slice`. */
function table(rows: Record<string, Cell>[]) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return { data: Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])) }
}

const power = (gpu: number, slice: number, mean: number | null, rank = 0) => ({
  ...{ rank, gpu, slice, start_ns: 10 * slice, metric: 'power', counter: 'power', unit: 'W' },
  ...{ mean, min: mean, max: mean },
})
const named = (rows: Record<string, Cell>[]) =>
  gpusOf(
    table(rows),
    (gpu, rank) => `${gpu} of ${rank}`,
    (gpu) => `GPU ${gpu}`,
  )

test('GPUs are named with their rank only where numbers repeat', () => {
  assert.deepEqual(
    named([power(0, 0, 1), power(1, 0, 1)]).map((one) => one.name),
    ['GPU 0', 'GPU 1'],
  )
  assert.deepEqual(
    named([power(0, 0, 1), power(0, 0, 1, 1)]).map((one) => one.name),
    ['0 of 0', '0 of 1'],
  )
})

test('a panel has a line for each GPU, with gaps, and the limit that was sampled', () => {
  const limit = { ...power(0, 0, 700), metric: 'power_limit', counter: 'power.limit' }
  const rows = [power(0, 0, 100), power(0, 1, null), power(0, 2, 300), power(1, 0, 400), limit]
  const board = boardOf(table(rows), named(rows))
  assert.deepEqual(board.x, [0, 10, 20])
  assert.equal(board.panels.length, 1)
  const [panel] = board.panels
  assert.equal(panel?.limit, 700)
  assert.equal(panel?.largest, 400)
  assert.deepEqual(
    panel?.lines.map((one) => one.mean),
    [
      [100, null, 300],
      [400, null, null],
    ],
  )
})

test('known panels come first, and no more than have room', () => {
  const others = Array.from({ length: 14 }, (_, i) => ({ ...power(0, 0, 1), metric: null, counter: `c${i}` }))
  const rows = [...others, power(0, 0, 1)]
  const board = boardOf(table(rows), named(rows))
  assert.equal(board.panels[0]?.key, 'power')
  assert.deepEqual([board.panels.length, board.more], [MOST_PANELS, 3])
})

test('neighbouring parts with one reason are one', () => {
  const reason = (slice: number, what: string) => ({
    ...power(0, slice, 4),
    ...{ metric: 'throttle_reasons', counter: 'r', reason: what },
  })
  const rows = [reason(0, 'thermal'), reason(1, 'power-cap'), reason(2, 'power-cap'), reason(3, '')]
  const board = boardOf(table(rows), named(rows))
  assert.deepEqual(
    board.held.map(({ reason, from, to }) => [reason, from, to]),
    [
      ['thermal', 0, 10],
      ['power-cap', 10, 30],
    ],
  )
  assert.equal(board.hasReasons, true)
  assert.equal(board.panels.length, 0)
})

test('a path breaks at gaps', () => {
  const path = pathOf(
    [1, 2, null, 3],
    (slice) => 10 * slice,
    (value) => 9 - value,
  )
  assert.equal(path, 'M0.0 8.0H10.0L10.0 7.0H20.0M30.0 6.0H40.0')
})

test('the last part is as long as the one before', () => {
  assert.equal(endOf([0, 10, 20], 2), 30)
  assert.equal(endOf([5], 0), 6)
})

test('values have the units that people read', () => {
  const texts = [
    measuredText(437_338, 'mW'),
    measuredText(1980, 'MHz'),
    measuredText(2 ** 31, 'B'),
    measuredText(78_500, 'KB/s'),
    measuredText(61, '°C'),
    measuredText(12_345.678, null),
    measuredText(null, 'W'),
  ]
  assert.deepEqual(texts, ['437 W', '1.98 GHz', '2.00 GiB', '78.5 MB/s', '61 °C', '12,346', '–'])
  assert.deepEqual([hertzText(62e6), hertzText(1e9)], ['16 Hz', '1.0 Hz'])
})

test('the GPU that was held down most is looked at first, else the slowest', () => {
  const gpus = named([power(0, 0, 1), power(1, 0, 1)])
  const rows = (slowed: (number | null)[]) =>
    table(slowed.map((throttled_pct, gpu) => ({ rank: 0, gpu, throttled_pct, sm_clock_mhz: gpu === 0 ? 1400 : 1900 })))
  assert.equal(outstanding(rows([1, 30]), gpus)?.gpu, 1)
  assert.equal(outstanding(rows([0, 0]), gpus)?.gpu, 0)
  assert.equal(outstanding(null, gpus)?.gpu, 0)
})

test('a window selects the steps that lie in it with half of their length', () => {
  const steps = table([
    { rank: 0, step: 3, start_ns: 0, duration_ns: 100 },
    { rank: 0, step: 4, start_ns: 100, duration_ns: 100 },
    { rank: 0, step: 5, start_ns: 200, duration_ns: 100 },
    { rank: 1, step: 9, start_ns: 0, duration_ns: 300 },
  ])
  assert.deepEqual(stepsWithin(steps, 0, [50, 249]), [3, 4])
  assert.deepEqual(stepsWithin(steps, 0, [51, 250]), [4, 5])
  assert.deepEqual(stepsWithin(steps, 0, [20, 60]), null)
  assert.deepEqual(stepsWithin(steps, 1, [0, 150]), [9, 9])
})
