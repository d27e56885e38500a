import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bar, bars, moved, nearestStep, PARTS, scaleTop, share, stepSeries } from './steps.ts'

const COLUMNS = {
  rank: [0, 0, 1, 1],
  step: [3, 4, 3, 4],
  duration_ns: [100, 200, 300, 400],
  period_ns: [null, 210, null, 390],
  cut: [false, true, false, false],
  compute_ns: [60, 100, 200, 300],
  communication_ns: [0, 0, 50, 0],
  memcpy_ns: [1, 2, 3, 4],
  memset_ns: [9, 8, 7, 6],
  data_loading_ns: [0, 0, 0, 0],
  runtime_ns: [10, 40, 20, 50],
  cpu_ns: [10, 40, 10, 20],
  other_ns: [10, 10, 10, 20],
}

function plain(count: number, total: (i: number) => number) {
  const each = Array.from({ length: count }, (_, i) => i)
  return stepSeries(
    { rank: each.map(() => 0), step: each, duration_ns: each.map(total), compute_ns: each.map(total) },
    [0],
  )
}

test('a step of several ranks is their mean, and its parts still add up', () => {
  const series = stepSeries(COLUMNS, null)
  assert.deepEqual(series.numbers, [3, 4])
  assert.deepEqual([...series.total], [200, 300])
  assert.deepEqual([...(series.parts[PARTS.indexOf('memory')] ?? [])], [10, 10])
  for (const step of [0, 1])
    assert.equal(
      series.parts.reduce((sum, part) => sum + (part[step] ?? 0), 0),
      series.total[step],
    )
  assert.deepEqual([Number.isNaN(series.period[0]), series.period[1], series.ranks], [true, 300, 2])
  assert.deepEqual([...series.cut], [0, 1])
})

test('one rank alone', () => {
  assert.deepEqual([...stepSeries(COLUMNS, [1]).total], [300, 400])
})

test('no rows, no steps', () => {
  const series = stepSeries({}, null)
  assert.deepEqual([series.numbers.length, bars(series, 100).length, scaleTop(series)], [0, 0, 1])
})

test('steps that do not fit share bars, every step in exactly one', () => {
  for (const [steps, most] of [
    [10_000, 617],
    [5, 100],
    [1, 1],
    [7, 3],
  ] as const) {
    const made = bars(
      plain(steps, () => 1),
      most,
    )
    const covered = made.flatMap((one) => Array.from({ length: one.last - one.first + 1 }, (_, i) => one.first + i))
    assert.deepEqual(
      covered,
      Array.from({ length: steps }, (_, i) => i),
    )
    assert.equal(made.length, Math.min(steps, most))
  }
})

test('a shared bar says mean, least and most, so that one slow step of many still shows', () => {
  const [one] = bars(
    plain(4, (i) => (i === 2 ? 900 : 100)),
    1,
  )
  assert.deepEqual([one?.mean, one?.least, one?.most], [300, 100, 900])
})

test('means leave out steps that the window cut, and these set no scale', () => {
  const lengths = [9000, 100, 300, 5]
  const made = (cut: boolean[]) =>
    stepSeries({ rank: [0, 0, 0, 0], step: [0, 1, 2, 3], duration_ns: lengths, compute_ns: lengths, cut }, null)
  const series = made([true, false, false, true])
  const all = bar(series, 0, 3)
  assert.deepEqual([all.mean, all.least, all.most, all.cut], [200, 100, 300, true])
  assert.equal(all.parts[PARTS.indexOf('compute')], 200)
  assert.equal(Math.round(scaleTop(series)), 330)
  assert.equal(bar(series, 0, 0).mean, 9000)
  assert.equal(bar(made([true, true, true, true]), 1, 2).mean, 200)
})

test('a few steps far longer than the others are cut off, equal ones are not', () => {
  const top = (steps: number, each: (i: number) => number) => Math.round(scaleTop(plain(steps, each)))
  assert.equal(
    top(50, (i) => (i === 0 ? 5000 : 100)),
    110,
  )
  assert.equal(
    top(50, () => 100),
    110,
  )
  assert.equal(
    top(3, (i) => 100 * (i + 1)),
    330,
  )
})

test('parts of a whole', () => {
  assert.deepEqual(
    [share(0, 3, 7), share(1, 3, 7), share(2, 3, 7)],
    [
      [0, 1],
      [2, 3],
      [4, 6],
    ],
  )
})

test('numbers with holes lead to the nearest step', () => {
  assert.deepEqual(
    [0, 11, 14, 16, 99].map((number) => nearestStep([10, 11, 20], number)),
    [0, 1, 1, 2, 2],
  )
})

test('the selection moves as a whole and stops at the ends', () => {
  const numbers = [3, 4, 5, 6]
  assert.deepEqual(moved(numbers, [3, 4], 1, 'both'), [4, 5])
  assert.deepEqual(moved(numbers, [5, 6], 1, 'both'), [5, 6])
  assert.deepEqual(moved(numbers, [4, 4], 1, 'last'), [4, 5])
  assert.deepEqual(moved(numbers, [4, 4], -1, 'last'), [4, 4])
  assert.deepEqual(
    [moved(numbers, null, 1, 'both'), moved(numbers, null, -1, 'both')],
    [
      [3, 3],
      [6, 6],
    ],
  )
  assert.equal(moved([], null, 1, 'both'), null)
})
