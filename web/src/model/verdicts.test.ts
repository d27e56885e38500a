import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceOf, inOrder, isTimed, stepsTaken, waitsFor } from './verdicts.ts'

const one = (rank: number, step_ns: number | null, compute_pct: number | null) => ({ rank, step_ns, compute_pct })

test('verdicts are in the order of the answer, which has the worst first', () => {
  const verdicts = [one(0, 100, 50), one(1, 200, 90), one(2, 199, 10)]
  const ranks = inOrder({ verdicts, alike: [[1, 2], [0]] }).map((verdict) => verdict.rank)
  assert.deepEqual(ranks, [1, 2, 0])
})

test('a memory snapshot tells nothing of the time of steps', () => {
  assert.equal(isTimed([one(0, null, null)]), false)
  assert.equal(isTimed([one(0, null, null), one(1, 100, null)]), true)
})

test('what a step’s time is of which steps', () => {
  const text = {
    single: 'one step',
    mean: (steps: number) => `mean of ${steps}`,
    median: (steps: number) => `median of ${steps}`,
    medianIs: (time: string) => `median ${time}`,
  }
  const taken = (steps: number, averaged: 'mean' | 'median', median_ns: number | null = null) =>
    stepsTaken({ steps, averaged, median_ns }, text)
  assert.equal(taken(1, 'mean'), 'one step')
  assert.equal(taken(5, 'median'), 'median of 5')
  assert.equal(taken(3, 'mean'), 'mean of 3')
  assert.equal(taken(3, 'mean', 82_500_000), 'mean of 3 · median 82.5 ms')
})

test('what is said of memory, kernels and telemetry is to be seen where the sentence says, each place once', () => {
  assert.deepEqual(evidenceOf(['verdict-memory-grows', 'verdict-memory-peak', 'verdict-memory-holes']), [
    { page: 'memory', tab: 'growth' },
    { page: 'memory', tab: 'peak' },
    { page: 'memory', tab: 'segments' },
  ])
  const told = ['verdict-kernel-reports', 'verdict-kernel', 'verdict-kernel', 'verdict-step']
  assert.deepEqual(evidenceOf(told), [{ page: 'kernel_reports', tab: null }])
  assert.deepEqual(evidenceOf(['verdict-telemetry-power', 'verdict-throttled-power-cap']), [
    { page: 'telemetry', tab: null },
  ])
})

test('who is waited for is known from the sentence', () => {
  const said = (id: string, params: Record<string, unknown>) => ({ sentences: [{ id, params }] })
  assert.equal(waitsFor(said('verdict-waits-for', { rank: '2' })), 2)
  assert.equal(waitsFor(said('verdict-waits-for', {})), null)
  assert.equal(waitsFor(said('verdict-host-bound', { rank: 2 })), null)
})
