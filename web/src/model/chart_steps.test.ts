import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakdownParts, shownRows, stepChart, type StepWords } from './chart_steps.ts'

const words: StepWords = {
  step: 'step',
  rank: 'rank',
  time: 'time',
  total: 'step',
  longestOf: (n) => `of ${n}`,
  cut: (step) => `${step} cut`,
}
const parts = breakdownParts({ compute: 'compute', host: 'host' })

test('the parts of the table steps become one part for each meaning, and none is lost', () => {
  const columns = parts.flatMap((part) => part.columns).sort()
  assert.deepEqual(columns, [
    'communication_ns',
    'compute_ns',
    'cpu_ns',
    'data_loading_ns',
    'memcpy_ns',
    'memset_ns',
    'other_ns',
    'runtime_ns',
  ])
  assert.equal(new Set(parts.map((part) => part.tint.meaning)).size, parts.length)
})

test('a bar adds up what a part holds; what the table lacks stays unknown', () => {
  const table = { data: { rank: [0, 0], step: [3, 4], compute_ns: [5, 6], runtime_ns: [1, null], cpu_ns: [2, 3] } }
  const chart = stepChart(table, parts, words)
  const values = Object.fromEntries(chart.series.map((series) => [series.tint.meaning, series.values]))
  assert.deepEqual(values['compute'], [5, 6])
  assert.deepEqual(values['host'], [3, 3])
  assert.deepEqual(values['communication'], [null, null])
  assert.deepEqual(chart.categories, ['3', '4'])
})

test('a step that was cut is named so: its parts are not those of a whole one', () => {
  const table = { data: { rank: [0, 0], step: [3, 4], cut: [false, true], compute_ns: [5, 6] } }
  const chart = stepChart(table, parts, words)
  assert.deepEqual(chart.categories, ['3', '4 cut'])
  assert.equal(chart.titleOf?.(1), 'step 4 cut')
})

test('several ranks are told apart by name', () => {
  const chart = stepChart({ data: { rank: [0, 1], step: [3, 3], compute_ns: [5, 6] } }, parts, words)
  assert.deepEqual(chart.categories, ['rank 0 · 3', 'rank 1 · 3'])
})

test('ten thousand steps become real ones, the longest of each few', () => {
  const totals = Array.from({ length: 10_000 }, (_, i) => (i === 7777 ? 1000 : i % 7))
  const { rows, each } = shownRows(totals, 240)
  assert.ok(rows.length <= 240)
  assert.equal(each, 42)
  assert.ok(rows.includes(7777))
  assert.deepEqual(shownRows([1, 2, 3], 240), { rows: [0, 1, 2], each: 1 })
})
