import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BarChart, legendOf, type Part, partsOf, without } from './chart.ts'
import { chartCsv } from './chart_csv.ts'
import { largestBar, optionOf, powersAround } from './chart_option.ts'
import type { LineChart } from './line_chart.ts'
import { tipOf } from './chart_tip.ts'

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

const look = { theme: 'light' as const, text: '', quiet: '', line: '', back: '', font: '' }

test('marks of time stand at round moments, also of a window that begins between two', () => {
  const model: LineChart = {
    kind: 'lines',
    x: [0, 5_000_000, 40_000_000],
    xTitle: 'time',
    column: 'allocated_bytes',
    yTitle: 'memory',
    series: [{ name: 'allocated', tint: { meaning: 'memory' }, values: [1, 9, 3] }],
    levels: [{ name: 'card', value: 16 }],
    range: [3_000_000, 31_000_000],
  }
  const { xAxis, yAxis, series } = optionOf(model, look, 480) as Record<string, Record<string, unknown>>
  assert.deepEqual((xAxis?.['axisLabel'] as { customValues: number[] }).customValues, [10e6, 20e6, 30e6])
  assert.deepEqual([xAxis?.['min'], xAxis?.['max'], yAxis?.['max']], [3e6, 31e6, 16])
  const lines = series as unknown as { data: number[][] }[]
  assert.deepEqual(
    lines[0]?.data,
    model.series[0]?.values && [0, 1, 2].map((i) => [model.x[i], model.series[0]?.values[i]]),
  )
  assert.deepEqual(lines[1]?.data, [
    [3e6, 16],
    [31e6, 16],
  ])
})

test('a box says its name and its size as text', () => {
  const parts: Part[] = [{ name: HOSTILE, value: 1024, tint: { meaning: 'memory' }, row: 0 }]
  const model = { kind: 'treemap' as const, column: 'alive_bytes', valueTitle: '', parts }
  const { series } = optionOf(model, look) as { series: { label: { formatter: (one: Part) => string } }[] }
  assert.equal(series[0]?.label.formatter(parts[0] as Part), `${HOSTILE}\n1.00 KiB`)
})
