import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryChart, UNIT_WIDTH } from './memory_chart.ts'

const table = {
  data: {
    link: ['global_load', 'shared_load', 'shared_store', 'l2_read', 'l2_write', 'dram_read'],
    from_unit: ['l1', 'shared', 'kernel', 'l2', 'l1', 'dram'],
    to_unit: ['kernel', 'kernel', 'shared', 'l1', 'l2', 'l2'],
    requests: [100, 10, 10, null, null, null],
    transfers: [400, 320, 10, 300, 1, 150],
    bytes: [12800, null, null, 9600, 32, 4800],
    peak_pct: [5, 97, 1, 7, 1, 48],
    hit_pct: [25, null, null, 50, 0, null],
  },
}
const ALL = [0, 1, 2, 3, 4, 5]

test('arrows go from unit to unit, and no two links of a gap lie on each other', () => {
  const { units, links, height } = memoryChart(table, ALL, 800)
  const at = new Map(units.map((one) => [one.id, one]))
  assert.deepEqual([...at.keys()].sort(), ['dram', 'kernel', 'l1', 'l2', 'shared'])
  for (const one of links) {
    const [from, to] = [at.get(one.from), at.get(one.to)]
    assert.ok(from && to)
    assert.equal(one.x1, from.x < to.x ? from.x + UNIT_WIDTH : from.x)
    assert.equal(one.x2, from.x < to.x ? to.x : to.x + UNIT_WIDTH)
    for (const unit of [from, to]) assert.ok(unit.y <= one.y && one.y <= unit.y + unit.height, one.link)
    assert.ok(one.y < height)
  }
  const places = links.map((one) => `${Math.min(one.x1, one.x2)} ${one.y}`)
  assert.equal(new Set(places).size, places.length)
})

test('units of one column do not overlap', () => {
  const { units } = memoryChart(table, ALL, 800)
  const [l1, shared] = ['l1', 'shared'].map((id) => units.find((one) => one.id === id))
  assert.ok(l1 && shared && l1.y + l1.height <= shared.y)
})

test('only the busiest link limits, if it is busy; waste is what a request takes', () => {
  const { links } = memoryChart(table, ALL, 800)
  assert.deepEqual(
    links.filter((one) => one.limits).map((one) => [one.link, one.perRequest]),
    [['shared_load', 32]],
  )
  assert.deepEqual(
    memoryChart(table, [0, 5], 800).links.filter((one) => one.limits),
    [],
  )
  assert.deepEqual(memoryChart(table, [], 800), { units: [], links: [], height: 0 })
})

test('beside a baseline links have its traffic, and those that it alone has are there, too', () => {
  // Rows 0 and 3 are the kernel, 1 and 5 the baseline; 0 and 1 are named alike.
  const data = {
    ...table.data,
    link: ['global_load', 'global_load', 'shared_store', 'l2_read', 'l2_write', 'dram_read'],
  }
  const { links, units, height } = memoryChart({ data }, [0, 3], 800, [1, 5])
  assert.deepEqual(
    links.map((one) => [one.link, one.absent, one.transfers, one.base?.transfers]),
    [
      ['global_load', false, 400, 320],
      ['l2_read', false, 300, undefined],
      ['dram_read', true, null, 150],
    ],
  )
  assert.ok(units.some((one) => one.id === 'dram'))
  assert.ok(height > memoryChart({ data }, [0, 3], 800).height)
})
