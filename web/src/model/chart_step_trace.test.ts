import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StageName, stageParts, stagesOf, steadySteps, withUndivided } from './chart_step_trace.ts'

const names = Object.fromEntries(
  ['interval', 'forward', 'backward', 'undivided', 'tail'].map((name) => [name, name]),
) as Record<StageName, string>

const table = withUndivided({
  data: {
    rank: [0, 1],
    clock: ['gpu', 'gpu'],
    interval_ns: [10, 20],
    forward_backward_ns: [70, 50],
    forward_ns: [30, null],
    backward_ns: [40, null],
    tail_ns: [20, 40],
    total_ns: [100, 110],
    interval_idle_ns: [10, 1],
    forward_backward_idle_ns: [5, 6],
    tail_idle_ns: [0, null],
  },
})

test('the stages of each step add up to it, whether forward and backward are told apart or not', () => {
  for (const row of [0, 1]) {
    const sum = stagesOf(table, row, names).reduce((total, stage) => total + stage.ns, 0)
    assert.equal(sum, table.data['total_ns']?.[row])
  }
  assert.deepEqual(
    stagesOf(table, 1, names).map(({ name, ns, idle_ns }) => [name, ns, idle_ns]),
    [
      ['interval', 20, 1],
      ['undivided', 50, 6],
      ['tail', 40, null],
    ],
  )
})

test('an interval spent waiting for the data loader has its colour, in the chart and in the bar', () => {
  const waits = (loading: number) => withUndivided({ data: { ...table.data, loading_ns: [loading, loading] } })
  for (const [loading, meaning] of [
    [9, 'data_loading'],
    [2, 'idle'],
  ] as const) {
    assert.equal(stageParts(waits(loading), names)[0]?.tint.meaning, meaning)
    assert.equal(stagesOf(waits(loading), 0, names)[0]?.part.tint.meaning, meaning)
  }
})

test('steps that begin behind another are the steady ones', () => {
  const steps = { data: { rank: [0, 0, 0, 1], steady: [false, true, true, true] } }
  assert.equal(steadySteps(steps, 0), 2)
  assert.equal(steadySteps({ data: { rank: [0], steady: [false] } }, 0), 0)
})

test('only stages that some step has stand in the chart', () => {
  assert.deepEqual(
    stageParts(table, names).map((part) => part.name),
    ['interval', 'forward', 'backward', 'undivided', 'tail'],
  )
  const told = withUndivided({
    data: { interval_ns: [1], forward_ns: [2], backward_ns: [3], forward_backward_ns: [5] },
  })
  assert.deepEqual(
    stageParts(told, names).map((part) => part.name),
    ['interval', 'forward', 'backward'],
  )
})

test('the slowest rank is the one with the longest step', () => {})
