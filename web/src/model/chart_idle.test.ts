import assert from 'node:assert/strict'
import { test } from 'node:test'
import { around, causeChart, type IdleWords, streamChart } from './chart_idle.ts'

const words: IdleWords = {
  cause: 'cause',
  time: 'time',
  rank: 'rank',
  all: 'all',
  causes: { host_late: 'host late' },
  share: 'share',
  gaps: 'gaps',
  longest: 'longest',
  perStep: 'per step',
  during: 'meanwhile',
  device: 'device',
  stream: 'stream',
}

const twoRanks = {
  data: {
    rank: [0, 0, 1],
    cause: ['sync', 'host_late', 'host_late'],
    duration_ns: [5, 10, 20],
    share_pct: [33, 67, 100],
    gaps: [1, 2, 3],
    longest_ns: [5, 9, 12],
    per_step_ns: [null, 4, 5],
    host_event: ['<img src=x onerror=alert(1)>', null, 'aten::mm'],
    source: [null, null, 'a.py:3'],
  },
}

test('causes of several ranks stand in one bar each, longest first, and nothing is lost', () => {
  const chart = causeChart(twoRanks, words)
  assert.deepEqual(chart.categories, ['host late', 'sync'])
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [10, 5],
      [20, null],
    ],
  )
})

test('of one rank a bar says what the row says, names as they are', () => {
  const one = {
    data: Object.fromEntries(Object.entries(twoRanks.data).map(([name, cells]) => [name, cells.slice(0, 2)])),
  }
  const chart = causeChart(one, words)
  assert.equal(chart.total, undefined)
  assert.deepEqual(chart.details?.(1).at(-1), ['meanwhile', '<img src=x onerror=alert(1)>'])
  assert.deepEqual(chart.rows, [1, 0])
})

test('the source lines of a cause are one bar, their sum', () => {
  const lines = { data: { rank: [0, 0, 0], cause: ['sync', 'host_late', 'sync'], duration_ns: [5, 9, 20] } }
  const chart = causeChart(lines, words)
  assert.deepEqual(
    [chart.categories, chart.series[0]?.values],
    [
      ['sync', 'host late'],
      [25, 9],
    ],
  )
})

test('streams are bars, their causes the parts; a cause that a stream lacks is unknown there, not zero', () => {
  const chart = streamChart(
    {
      data: {
        rank: [0, 0, 0],
        device: [0, 0, 0],
        stream: [7, 7, 20],
        cause: ['sync', 'host_late', 'sync'],
        duration_ns: [5, 10, 20],
      },
    },
    words,
  )
  assert.deepEqual(chart.categories, ['device 0 · stream 7', 'device 0 · stream 20'])
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [5, 20],
      [10, null],
    ],
  )
})

test('nothing idle has no main cause', () => {})

test('a gap is shown with its surroundings, never before the start', () => {
  assert.deepEqual(around(10_000, 4000), [7000, 17_000])
  assert.deepEqual(around(10, 4), [0, 1014])
})
