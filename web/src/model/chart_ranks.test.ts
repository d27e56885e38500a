import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankChart } from './chart_ranks.ts'

test('the parts of a rank add up to its span', () => {
  const data = {
    rank: [0, 5],
    span_ns: [100, 200],
    compute_ns: [40, 10],
    exposed_communication_ns: [30, 150],
    exposed_memory_ns: [5, 0],
    idle_ns: [25, 40],
  }
  const chart = rankChart({ data }, { rank: 'rank', time: 'time', total: 'span', parts: { idle: 'GPU idle' } })
  assert.deepEqual(chart.categories, ['0', '5'])
  assert.deepEqual(
    chart.series.map((one) => one.name),
    ['compute', 'communication', 'memory', 'GPU idle'],
  )
  for (const row of [0, 1])
    assert.equal(
      chart.series.reduce((sum, one) => sum + (one.values[row] ?? 0), 0),
      data.span_ns[row],
    )
})
