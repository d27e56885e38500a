import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BarChart, legendOf, type Part, partsOf, without } from './chart.ts'
import { chartCsv } from './chart_csv.ts'
import { largestBar, powersAround } from './chart_option.ts'
import { spokenTip, tipOf } from './chart_tip.ts'

const HOSTILE = '<img src=x onerror=alert(1)>,"a"'

const chart: BarChart = {
  kind: 'bars',
  column: 'total_ns',
  categories: ['1', HOSTILE],
  categoryTitle: 'step',
  valueTitle: 'time',
  horizontal: false,
  series: [
    { name: 'compute', tint: { meaning: 'compute' }, stack: 'step', values: [1_000_000, 2_000_000] },
    { name: 'idle', tint: { meaning: 'idle' }, stack: 'step', values: [500_001, null] },
    { name: 'alone', tint: { meaning: 'other' }, values: [1_400_000, 7] },
  ],
  rows: [0, 1],
}

test('the axis holds the tallest stack, not the tallest part', () => {
  assert.equal(largestBar(chart), 2_000_000)
  assert.equal(largestBar({ ...chart, series: chart.series.slice(0, 2), categories: ['1'] }), 1_500_001)
})

test('a tip gives every digit, and says what is unknown', () => {
  const tip = tipOf(chart, 0)
  assert.deepEqual(
    tip?.lines.map((line) => line.text),
    ['1.00 ms (1,000,000 ns)', '500 us (500,001 ns)', '1.40 ms (1,400,000 ns)'],
  )
  assert.equal(tipOf(chart, 1)?.lines[1]?.text, '–')
  assert.equal(tipOf(chart, 2), null)
})

test('names of a trace stay text in tips and CSV', () => {
  assert.equal(tipOf(chart, 1)?.title, HOSTILE)
  assert.match(spokenTip(tipOf(chart, 1) ?? { title: '', lines: [] }), /^<img src=x/)
  assert.equal(
    chartCsv(chart),
    'step,compute,idle,alone\r\n1,1000000,500001,1400000\r\n' + '"<img src=x onerror=alert(1)>,""a""",2000000,,7\r\n',
  )
})

test('what is hidden leaves the chart and stays in the legend', () => {
  assert.deepEqual(
    without(chart, new Set(['idle'])).kind === 'bars' &&
      legendOf(without(chart, new Set(['idle']))).map((one) => one.name),
    ['compute', 'alone'],
  )
  assert.equal(legendOf(chart).length, 3)
})

test('at most so many parts, and none of the total is lost', () => {
  const parts = [5, 1, 9, 0, 3, 2].map((value, i): Part => ({
    name: `${i}`,
    value,
    tint: { meaning: 'compute' },
    row: i,
  }))
  const shown = partsOf(parts, 3, (count) => `${count} others`)
  assert.deepEqual(
    shown.map(({ name, value }) => [name, value]),
    [
      ['2', 9],
      ['0', 5],
      ['3 others', 6],
    ],
  )
  assert.equal(partsOf(parts, 5, String).length, 5)
})

test('a logarithmic axis leaves room for its least bar', () => {
  assert.deepEqual(powersAround([1000, 126_000_000]), { min: 100, max: 1e9 })
  assert.deepEqual(powersAround([6620]), { min: 1000, max: 10_000 })
  assert.equal(powersAround([]), null)
})
