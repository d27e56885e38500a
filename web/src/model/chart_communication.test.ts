import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandwidthChart, exposedSteps, rowNames, waitingChart } from './chart_communication.ts'

const WORDS = {
  category: 'operation',
  time: 'time',
  total: 'in all',
  bandwidth: 'GB/s',
  algbw: 'algorithm',
  busbw: 'bus',
  step: 'step',
  rank: (rank: string) => `rank ${rank}`,
  parts: { transfer: 'transfer', wait: 'waiting', unmatched: 'not told apart' },
}

const CALLS = {
  op: ['all_reduce', 'all_gather', 'barrier'],
  group: ['dp', 'tp', 'dp'],
  dtype: ['float', 'float', null],
  total_ns: [100, 300, 0],
  transfer_ns: [60, 100, 0],
  wait_ns: [40, 150, 0],
  unmatched_ns: [0, 50, 0],
  algbw: [1.5, null, null],
  busbw: [2.25, null, null],
}

test('a row is named by its operation and by what tells it from the others', () => {
  assert.deepEqual(rowNames({ data: CALLS }, WORDS.rank), [
    'all_reduce · dp · float',
    'all_gather · tp · float',
    'barrier · dp',
  ])
  const sizes = { op: ['send', 'send'], group: ['0', '0'], call_bytes: [1024, null], rank: [1, 2] }
  assert.deepEqual(rowNames({ data: sizes }, WORDS.rank), ['rank 1 · send · 1.00 KiB', 'rank 2 · send'])
  const alike = { op: ['send', 'send', 'send'], call_bytes: [8_409_088, 8_411_264, 1024] }
  assert.deepEqual(rowNames({ data: alike }, WORDS.rank), [
    'send · 8,409,088 B',
    'send · 8,411,264 B',
    'send · 1.00 KiB',
  ])
})

test('the parts of a row add up to it, and the longest stands first', () => {
  const chart = waitingChart({ data: CALLS }, WORDS)
  assert.deepEqual(chart.rows, [1, 0])
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [100, 60],
      [150, 40],
      [50, 0],
    ],
  )
})

test('bandwidth is drawn where it is known', () => {
  const chart = bandwidthChart({ data: CALLS }, WORDS)
  assert.deepEqual([chart.rows, chart.series.map((one) => one.values)], [[0], [[1.5], [2.25]]])
})

test('a step is the mean over the ranks that have it', () => {
  const matrix = {
    rank: [0, 1, 0],
    step: [5, 5, 4],
    exposed_transfer_ns: [10, 20, 7],
    exposed_wait_ns: [0, 100, null],
    exposed_unmatched_ns: [0, 0, 0],
  }
  const chart = exposedSteps({ data: matrix }, WORDS)
  assert.deepEqual(chart.categories, ['4', '5'])
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [7, 15],
      [null, 50],
    ],
  )
  assert.equal(chart.rows[1], 5)
})
