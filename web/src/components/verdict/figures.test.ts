import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobFigures, Verdict } from '../../api/types.ts'
import { en } from '../../i18n/en.ts'
import { figuresOfJob, figuresOfRank } from './figures.ts'

const rank = (number: number, computing_pct: number) => ({
  rank: number,
  step_ns: 339e6,
  computing_pct,
  delays_ns: 0,
  waits_ns: 0,
  waits_for: null,
})
const job: JobFigures = {
  step_ns: 341e6,
  wait_pct: 26,
  transfer_pct: 62,
  computing_pct: 10,
  straggler: 2,
  delay_ns: 117e6,
  delay_pct: 34,
  without_ns: [205e6, 224e6, 242e6],
  ranks: [rank(2, 37), rank(0, 0.6)],
}
const verdict: Verdict = {
  rank: 3,
  bound: 'gpu',
  step_ns: 20e6,
  steps: 3,
  gpu_busy_pct: 90,
  sentences: [],
  compute_pct: 80,
  exposed_pct: 0,
  averaged: 'mean',
  median_ns: null,
  unprofiled_ns: null,
  incomplete: [],
}

test('figures of a job say whose they are, the simulated one with its range', () => {
  const found = figuresOfJob(job, en)
  assert.deepEqual(
    found.map((one) => one.label),
    ['job step time', 'straggler delay', 'exposed communication: transfer', 'GPU computing', 'without the straggler'],
  )
  assert.match(found[1]?.notes?.[0] ?? '', /^rank.2, 34.0.% of the job’s step$/)
  assert.match(found[3]?.notes?.[0] ?? '', /^0.6.% to 37.0.%, mean over ranks$/)
  assert.match(found[4]?.value ?? '', /^~224.ms$/)
  assert.match(found[4]?.notes?.[0] ?? '', /^simulated, 205.ms to 242.ms$/)
})

test('without a straggler the job waits, or does not', () => {
  const even = { ...job, straggler: null, delay_ns: null, delay_pct: null, without_ns: null }
  assert.equal(figuresOfJob(even, en)[1]?.label, 'exposed communication: waiting')
  assert.equal(figuresOfJob({ ...even, wait_pct: 0, transfer_pct: 0 }, en).length, 2)
})

test('no figure is nothing by construction: one GPU exposes no communication', () => {
  const labels = figuresOfRank(verdict, en, false).map((one) => one.label)
  assert.deepEqual(labels, ['recorded step time', 'GPU busy', 'GPU computing'])
})

test('of several ranks every label says which', () => {
  for (const one of figuresOfRank(verdict, en, true)) assert.match(one.label, /, rank.3$/)
})

test('a step that takes as long without the profiler is one figure', () => {
  const said = { id: 'verdict-step-time', params: { is_same: true }, text: { en: '', zh: '' } }
  const unprofiled_ns: [number, number, number] = [18e6, 20.05e6, 22e6]
  const [step, next] = figuresOfRank({ ...verdict, unprofiled_ns, sentences: [said] }, en, false)
  assert.equal(step?.notes?.at(-1), 'about the same excluding profiler overhead')
  assert.equal(next?.label, 'GPU busy')
})

test('a CPU run has the parts of its step instead of dashes', () => {
  const part = (id: string, share_pct: number) => ({ id, params: { share_pct }, text: { en: '', zh: '' } })
  const parts = [part('verdict-part-other', 63), part('verdict-part-operators', 37), part('verdict-part-loader', 1)]
  const sentences = [{ id: 'verdict-cpu-time', params: { parts }, text: { en: '', zh: '' } }]
  const cpu = { ...verdict, gpu_busy_pct: null, compute_pct: null, exposed_pct: null, sentences }
  const found = figuresOfRank({ ...cpu, unprofiled_ns: [1e6, 2e6, 3e6] }, en, false)
  assert.deepEqual(
    found.map((one) => one.label),
    ['recorded step time', 'excluding profiler overhead', 'Python and other code', 'operators and what they call'],
  )
})
