import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cells } from '../api/timeline.ts'
import { Runs } from './runs.ts'

/** Cells of 1 ns each, by name and how many events they stand for. */
function cells(rows: [name: number, count: number][]): Cells {
  return {
    ...{ t0: 0, t1: rows.length, cell_ns: 1, lanes: [] },
    start: Float64Array.from(rows.keys()),
    end: Float64Array.from(rows.keys(), (at) => at + 1),
    first: Uint32Array.from(rows.keys()),
    count: Uint32Array.from(rows, ([, count]) => count),
    name: Uint32Array.from(rows, ([name]) => name),
    busy: new Uint16Array(rows.length).fill(65535),
    kind: new Uint8Array(rows.length),
    shade: new Uint8Array(rows.length),
  }
}

/** Cells of two pixels, one behind the other. */
function found(rows: [number, number][], ratio = 1, gapAfter = -1) {
  const [runs, all] = [new Runs(), cells(rows)]
  runs.begin(ratio)
  runs.inRow(4)
  rows.forEach((_, i) => {
    const from = 2 * i + (gapAfter >= 0 && i > gapAfter ? 10 : 0)
    runs.add(all, i, from, from + 2)
  })
  runs.end()
  return runs.found
}

test('a long run bears the name with most time in it, and says how many events it stands for', () => {
  const same = Array.from({ length: 40 }, (): [number, number] => [7, 3])
  assert.deepEqual(found(same), [{ row: 4, from: 0, to: 80, code: 7, mixed: false, count: 120 }])
  const mixed = same.map(([, count], i): [number, number] => [i % 3 === 0 ? 5000 : 2, count])
  assert.deepEqual(found(mixed), [{ row: 4, from: 0, to: 80, code: 2, mixed: true, count: 120 }])
  // What was added up for one run is no part of the next.
  assert.equal(found(same)[0]?.mixed, false)
})

test('runs of less than 60 CSS pixels bear none, and a gap ends a run', () => {
  const rows = Array.from({ length: 60 }, (): [number, number] => [1, 1])
  assert.equal(found(rows.slice(0, 29)).length, 0)
  assert.equal(found(rows.slice(0, 30)).length, 1)
  assert.equal(found(rows.slice(0, 30), 2).length, 0)
  assert.deepEqual(
    found(rows, 1, 29).map(({ from, to }) => [from, to]),
    [
      [0, 60],
      [70, 130],
    ],
  )
})

test('a run ends at an event that is seen as one, unless it bears the same name', () => {
  // "aten::linear, … ×153" stood over an optimizer of 25 pixels between two runs.
  const around = (name: number) => {
    const [runs, all] = [new Runs(), cells(Array.from({ length: 61 }, (_, i) => [i === 30 ? name : 1, 1]))]
    runs.begin(1)
    runs.inRow(0)
    for (let i = 0, from = 0; i < 61; i++) runs.add(all, i, from, (from += i === 30 ? 25 : 2))
    runs.end()
    return runs.found.map(({ from, to, mixed, count }) => ({ from, to, mixed, count }))
  }
  assert.deepEqual(around(2), [
    { from: 0, to: 60, mixed: false, count: 30 },
    { from: 85, to: 145, mixed: false, count: 30 },
  ])
  assert.deepEqual(around(1), [{ from: 0, to: 145, mixed: false, count: 61 }])
})
