import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstName, histogram, kindsOf, MOST_POINTS, strip } from './instances.ts'

const words = {
  duration: 'duration',
  start: 'start',
  instances: 'instances',
  usual: 'usual',
  outliers: 'outliers',
  step: 'step',
  rank: 'rank',
  place: 'place',
}

test('bars of a histogram hold every instance once', () => {
  const bins = {
    data: {
      kind: ['operator', 'operator', 'annotation'],
      from_ns: [10, 80, 5],
      to_ns: [20, 161, 6],
      calls: [7, 3, 9],
      outliers: [0, 2, 0],
    },
  }
  const chart = histogram(bins, 'operator', words)
  assert.deepEqual(
    chart.series.map((one) => [one.name, one.values]),
    [
      ['usual', [7, 0, 0, 1]],
      ['outliers', [0, 0, 0, 2]],
    ],
  )
  assert.equal(chart.titleOf?.(1), '20 ns – 40 ns')
  assert.equal(chart.categories.length, 4, 'bins without instances have their place')
})

test('points of the strip plot lead to their rows, and are no more than can be told apart', () => {
  const count = MOST_POINTS + 5
  const each = <T>(value: (i: number) => T) => Array.from({ length: count }, (_, i) => value(i))
  const instances = {
    data: {
      kind: each((i) => (i === 0 ? 'annotation' : 'operator')),
      start_ns: each((i) => 10 * i),
      duration_ns: each((i) => count - i),
      outlier: each((i) => i === 1),
      rank: each(() => 0),
      step: each(() => null),
      thread: each(() => '7'),
      stream: each(() => null),
    },
  }
  const chart = strip(instances, 'operator', words)
  assert.equal(chart.points.length, MOST_POINTS)
  assert.equal(chart.points[0]?.row, 1)
  assert.equal(chart.points[0]?.group, 'outliers')
  assert.deepEqual(
    chart.points[0]?.details.map(([name]) => name),
    ['start', 'rank', 'place'],
  )
})

test('what is shown first takes most time on the GPU, and is no step', () => {
  const durations = {
    data: {
      kind: ['annotation', 'kernel', 'kernel', 'operator'],
      name: ['ProfilerStep#3', 'gemm', 'flash', 'aten::mm'],
      total_ns: [100, 10, 30, 90],
    },
  }
  assert.equal(firstName(durations), 2)
  assert.deepEqual(kindsOf(durations), ['annotation', 'operator', 'kernel'])
  assert.equal(firstName({ data: { kind: ['annotation'], name: ['ProfilerStep#3'], total_ns: [1] } }), 0)
  assert.equal(firstName({ data: { kind: [], name: [], total_ns: [] } }), null)
})
