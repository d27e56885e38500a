import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kernelRoofline, nearestRoof } from './kernel_roofline.ts'

const words = {
  intensity: 'FLOPs per byte',
  speed: 'FLOP/s',
  ofRoof: 'of roofline',
  bound: 'bound',
  bounds: { compute: 'compute', memory: 'memory' },
  bandwidth: 'bandwidth',
  levels: { dram: 'DRAM', l2: 'L2', l1: 'L1' },
  precision: (name: string) => name.toUpperCase(),
  base: 'baseline',
  baseline: (name: string) => `${name} (baseline)`,
}
const table = {
  data: {
    precision: ['fp32', 'fp32', 'tensor bf16'],
    level: ['dram', 'l2', 'dram'],
    intensity: [2, 4, null],
    achieved_flops: [2e12, 2e12, 1e12],
    peak_flops: [60e12, 60e12, 900e12],
    achieved_bandwidth: [1e12, 0.5e12, 0],
    peak_bandwidth: [4e12, 10e12, 4e12],
    bound: ['memory', 'memory', 'compute'],
    pct_of_roof: [25, 5, null],
  },
}

test('a kernel has a mark for each level, a second kernel marks of its own', () => {
  const chart = kernelRoofline(table, [0], [1], words)
  assert.deepEqual(
    chart.points.map((one) => [one.name, one.group, one.x, one.y]),
    [
      ['FP32 · DRAM', 'DRAM 4.00 TB/s', 2, 2e12],
      ['FP32 · L2 (baseline)', 'baseline', 4, 2e12],
    ],
  )
  assert.deepEqual(
    chart.groups.map((one) => one.name),
    ['DRAM 4.00 TB/s', 'baseline'],
  )
})

test('slopes end where they meet the highest roof', () => {
  const { limits, points } = kernelRoofline(table, [0, 1, 2], [], words)
  assert.equal(points.length, 2)
  const [fp32, tensor, dram, l2] = limits
  assert.deepEqual(
    [fp32, tensor].map((one) => one?.name),
    ['FP32 60.0 TFLOP/s', 'TENSOR BF16 900 TFLOP/s'],
  )
  assert.deepEqual(dram?.points[1], [225, 900e12])
  assert.deepEqual(l2?.points[1], [90, 900e12])
  assert.ok((tensor?.points[1]?.[0] ?? 0) >= 450)
})

test('the level nearest to its roof is named; without one none is', () => {
  assert.deepEqual(nearestRoof(table, [0, 1, 2]), { row: 0, share: 25 })
  assert.equal(nearestRoof(table, [2]), null)
  assert.deepEqual(kernelRoofline(table, [], [], words).points, [])
})
