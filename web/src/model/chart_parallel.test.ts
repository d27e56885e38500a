import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkHeat, loadBars, sizeBars } from './chart_parallel.ts'

test('sizes add up over operations, those not recorded stand last', () => {
  const data = {
    op: ['all_reduce', 'send', 'send', 'barrier'],
    from_bytes: [1024, 0, 1024, null],
    calls_pct: [10, 20, 30, 40],
    transfer_pct: [50, 5, 45, null],
  }
  const words = { size: 'size', share: 'share', calls: 'calls', transfer: 'transfer', unknown: 'not recorded' }
  const chart = sizeBars({ data }, words)
  assert.deepEqual(chart.categories, ['0 B', '1.00 KiB', 'not recorded'])
  assert.deepEqual(
    chart.series.map((one) => one.values),
    [
      [20, 40, 40],
      [5, 95, 0],
    ],
  )
})

test('of several kinds of calls over one link the slowest shows', () => {
  const heat = linkHeat({ data: { src: [0, 0, 3], dst: [3, 3, 0], bandwidth: [20, 5, null] } })
  assert.deepEqual([heat.rows, heat.columns, [...heat.values]], [[0, 3], [0, 3], [NaN, 5, NaN, NaN]]) // prettier-ignore
})

test('ranks of several groups are named by their group', () => {
  const words = { rank: 'rank', load: 'load' }
  const data = { group: ['ep0', 'ep1'], rank: [0, 1], load_pct: [150, 50] }
  assert.deepEqual(loadBars({ data }, words).categories, ['ep0 · 0', 'ep1 · 1'])
  assert.deepEqual(loadBars({ data: { ...data, group: ['ep', 'ep'] } }, words).categories, ['0', '1'])
})
