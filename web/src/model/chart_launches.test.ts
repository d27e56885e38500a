import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depthChart, type DepthWords, lengthChart, type LengthWords, queuesOf } from './chart_launches.ts'
import { lineTip } from './line_chart.ts'

const lengths: LengthWords = {
  length: 'length',
  share: 'share',
  ofKernels: 'of kernels',
  ofTime: 'of time',
  kernels: 'kernels',
  total: 'time',
  shorter: 'shorter',
  inGraph: 'in graphs',
  andMore: (from) => `${from}+`,
}

test('classes of lengths are named by their limits', () => {
  const chart = lengthChart(
    {
      data: {
        from_ns: [0, 1000, 500_000, 500_000_000],
        to_ns: [1000, 2000, 1_000_000, null],
        of_kernels_pct: [1, 2, 3, 94],
        share_pct: [0, 0, 1, 99],
        calls: [1, 2, 3, 94],
      },
    },
    lengths,
  )
  assert.deepEqual(chart.categories, ['0–1 us', '1–2 us', '500 us–1 ms', '500 ms+'])
  assert.deepEqual(chart.details?.(3)[0], ['kernels', '94'])
})

const depth: DepthWords = { at: 'at', launches: 'launches', most: 'most', mean: 'mean', fewest: 'fewest' }
const table = {
  data: {
    rank: [0, 0, 0],
    device: [0, 0, 0],
    stream: [20, 7, 7],
    start_ns: [0, 0, 100],
    duration_ns: [100, 100, 100],
    launches: [1, 5, 6],
    depth_min: [0, 1, 2],
    depth_mean: [0.5, 1.5, 2.5],
    depth_max: [1, 2, 3],
  },
}

test('the busiest queue comes first; its last stretch ends where it ends', () => {
  const queues = queuesOf(table, (rank, device, stream) => `${rank}.${device}.${stream}`)
  assert.deepEqual(
    queues.map(({ name, launches }) => [name, launches]),
    [
      ['0.0.7', 11],
      ['0.0.20', 1],
    ],
  )
  const chart = depthChart(table, queues[0] ?? { name: '', launches: 0, rows: [] }, depth)
  assert.deepEqual([...Array.from(chart.x)], [0, 100, 200])
  assert.deepEqual(Array.from(chart.series[1]?.values ?? []), [1.5, 2.5, 2.5])
  assert.equal(lineTip(chart, 1).lines[0]?.text, '3')
})
