import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rooflineChart, type RooflineWords, roofsOf } from './chart_roofline.ts'

const words: RooflineWords = {
  intensity: 'intensity',
  speed: 'speed',
  bounds: { compute: 'compute', memory: 'memory', latency: 'latency' },
  shapes: 'shapes',
  type: 'type',
  calls: 'calls',
  time: 'time',
  ofRoof: 'of the roof',
  flops: 'FLOPs',
  bandwidth: 'bandwidth',
  beyond: 'beyond',
  memory: 'memory',
}

// A device of 100 TFLOP/s in bf16 and 2 TB/s. The third row is neither here nor there: latency says nothing of peaks.
const table = {
  data: {
    op: ['aten::mm', 'aten::add', 'aten::tiny', 'aten::copy_', '(unattributed)'],
    bound: ['compute', 'memory', 'latency', 'memory', ''],
    roof: ['bf16', 'fp32', 'bf16', 'fp32', ''],
    flops: [1e12, 1e6, 10, 0, null],
    bytes: [1e9, 4e9, 10, 8e9, null],
    ideal_ns: [10_000_000, 2_000_000, 1, 4_000_000, null],
    modelled_pct: [100, 100, 100, 100, 0],
    intensity: [1000, 0.00025, 1, 0, null],
    achieved_flops: [50e12, 4e8, 1e6, 0, null],
    total_ns: [20_000_000, 3_000_000, 9000, 5_000_000, 7],
    gap_ns: [10_000_000, 1_000_000, 8999, 1_000_000, null],
  },
}

test('the peaks are those that the least times were made with', () => {
  const { arithmetic, memory } = roofsOf(table, null)
  assert.deepEqual([...arithmetic], [['bf16', 1e14]])
  assert.equal(memory, 2e12)
})

test('a peak that mfu names comes first', () => {
  const mfu = { data: { roof: ['bf16', null], peak_flops: [989e12, null] } }
  assert.equal(roofsOf(table, mfu).arithmetic.get('bf16'), 989e12)
})

test('only what has an intensity and a speed is a point: copies have no place on a logarithmic axis', () => {
  const chart = rooflineChart(table, null, words)
  assert.deepEqual(
    chart.points.map((point) => [point.name, point.row]),
    [
      ['aten::mm', 0],
      ['aten::add', 1],
      ['aten::tiny', 2],
    ],
  )
  assert.equal(chart.points[0]?.size, 1)
})

test('the roofs meet at the intensity where memory feeds the arithmetic', () => {
  const limits = rooflineChart(table, null, words).limits
  const [arithmetic, memory] = limits
  assert.equal(arithmetic?.name, 'bf16 100 TFLOP/s')
  assert.deepEqual(arithmetic?.points[0], [50, 1e14])
  assert.deepEqual(memory?.points[1], [50, 1e14])
})

test('where most could be won, and nothing of an empty table', () => {
  assert.deepEqual(rooflineChart({ data: { op: [] } }, null, words).limits, [])
})
