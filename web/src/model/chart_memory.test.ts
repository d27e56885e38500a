import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CurveWords,
  deviceFilter,
  devicesOf,
  devicesOfPools,
  memoryChart,
  peakParts,
  rowsOfDevice,
  rowsWithin,
} from './chart_memory.ts'

const table = {
  data: {
    rank: [0, 0, 0, 1, 1],
    device: ['cpu', 'cuda:0', 'cuda:0', 'cuda:0', 'cuda:0'],
    at_ns: [0, 5, 9, 5, 9],
    allocated_bytes: [1e12, 100, 300, 50, 400],
    reserved_bytes: [null, 500, 500, null, 600],
    capacity_pct: [null, 1, 3, 0.5, 4],
  },
}
const words: CurveWords = {
  at: 'at',
  memory: 'memory',
  allocated: 'allocated',
  reserved: 'reserved',
  card: (size) => `card ${size}`,
}

test('the fullest GPU comes first, host memory last, each with its fullest moment', () => {
  assert.deepEqual(
    devicesOf(table).map(({ key, peak_bytes, at }) => [key, peak_bytes, at]),
    [
      ['1|cuda:0', 400, 9],
      ['0|cuda:0', 300, 9],
      ['0|cpu', 1e12, 0],
    ],
  )
  assert.deepEqual(rowsOfDevice(table, { rank: 0, device: 'cuda:0' }), [1, 2])
})

test('moments of a filter keep every digit', () => {
  assert.deepEqual(deviceFilter({ rank: 0, device: 'cpu' }, null, null), { equal: { rank: 0, device: 'cpu' } })
  assert.deepEqual(deviceFilter({ rank: 1, device: 'cpu' }, { origin_ns: '9223372036854775000' }, [1, 800]), {
    equal: { rank: 1, device: 'cpu' },
    between: { column: 'at_ns', first: '9223372036854775001', last: '9223372036854775800' },
  })
})

test('a card far larger than what is used is no line: it would press the curve flat', () => {
  const chart = (capacity: number | null) => memoryChart(table, [1, 2], capacity, words).levels
  assert.deepEqual(chart(1000), [{ name: 'card 1000 B', value: 1000 }])
  assert.deepEqual(chart(100_000), [])
  assert.deepEqual(chart(null), [])
  assert.equal(memoryChart({ data: { at_ns: [0], allocated_bytes: [1] } }, [0], null, words).series.length, 1)
})

test('what was alive at the peak: at most twelve boxes, negative rows left out', () => {
  const peak = {
    data: {
      op: [...Array.from({ length: 20 }, (_, i) => `op${i}`), '(not in the recorded events)'],
      source: Array.from({ length: 21 }, (_, i) => (i === 0 ? 'a.py:1' : null)),
      alive_bytes: [...Array.from({ length: 20 }, (_, i) => 20 - i), -5],
    },
  }
  const rows = Array.from({ length: 21 }, (_, i) => i)
  const parts = peakParts(peak, rows, { blocks: 'b', share: 's', kept: 'k', others: (n) => `${n} others` })
  assert.equal(parts.length, 12)
  assert.equal(parts[0]?.name, 'op0 · a.py:1')
  assert.equal(parts[11]?.name, '9 others')
  const called = peakParts(
    peak,
    rows,
    { blocks: 'b', share: 's', kept: 'k', others: (n) => `${n} others` },
    (op) => `${op}!`,
  )
  assert.equal(called[0]?.name, 'op0! · a.py:1')
  assert.equal(
    parts.reduce((sum, part) => sum + part.value, 0),
    210,
  )
})

test('rows of a range, both ends included', () => {
  assert.deepEqual([...rowsWithin(table, [1, 2, 3, 4], [5, 5])], [1, 3])
  assert.deepEqual([...rowsWithin(table, [1, 2], null)], [1, 2])
})

test('without levels, devices are those of the pools, with what these hold together', () => {
  const pools = {
    data: {
      rank: [0, 0, 1],
      device: ['cuda:0', 'cuda:0', 'cuda:1'],
      allocated_bytes: [10, 5, 90],
      reserved_bytes: [20, 8, 100],
    },
  }
  assert.deepEqual(
    devicesOfPools(pools).map((one) => [one.key, one.peak_bytes, one.reserved_bytes]),
    [
      ['1|cuda:1', 90, 100],
      ['0|cuda:0', 15, 28],
    ],
  )
})
