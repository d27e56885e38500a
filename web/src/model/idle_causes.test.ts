import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causesInSteps, idlestRank, unknownInSteps } from './idle_causes.ts'

const TABLE = {
  data: {
    rank: [0, 0, 0, 1],
    cause: ['unknown', 'data_loading', 'sync', 'sync'],
    duration_ns: [900, 300, 100, 50],
    share_pct: [69.2, 23.1, 7.7, 100],
    per_step_ns: [20, 60, 0, 25],
  },
}

test('shares are of the idle time in steps, whatever passes between them', () => {
  const found = causesInSteps(TABLE, 0)
  assert.deepEqual(
    found.map((one) => [one.cause, one.row, one.per_step_ns, one.pct]),
    [
      ['data_loading', 1, 60, 75],
      ['unknown', 0, 20, 25],
    ],
  )
})

test('where no step is marked, all idle time is taken', () => {
  // The verdict of such a trace had an empty place.
  const unmarked = { data: { ...TABLE.data, per_step_ns: [null, null, null, null] } }
  assert.deepEqual(
    causesInSteps(unmarked, 0).map((one) => [one.cause, one.per_step_ns]),
    [
      ['unknown', 900],
      ['data_loading', 300],
      ['sync', 100],
    ],
  )
})

test('of another rank, and of one without any', () => {
  assert.deepEqual(causesInSteps(TABLE, 1), [{ cause: 'sync', row: 3, per_step_ns: 25, pct: 100 }])
  assert.deepEqual(causesInSteps(TABLE, 7), [])
})

test('the rank that idles most is that of the largest sum, not of the largest cause', () => {
  const two = { data: { rank: [0, 1, 1], duration_ns: [99, 0, 0], per_step_ns: [50, 30, 30] } }
  assert.equal(idlestRank(two), 1)
  assert.equal(idlestRank({ data: {} }), null)
})

test('idle time without a cause: launched in time, or of a launch that was not recorded', () => {
  const places = {
    data: {
      rank: [0, 0, 0, 0, 1],
      cause: ['unknown', 'unknown', 'unknown', 'sync', 'unknown'],
      host_event: [null, 'cudaLaunchKernel', 'cudaMemcpyAsync', 'cudaStreamSynchronize', null],
      duration_ns: [900, 8, 3, 7, 5],
      per_step_ns: [2, 7, 1, 4, 5],
    },
  }
  assert.deepEqual(unknownInSteps(places, 0), { late: 8, lost: 2 })
})
