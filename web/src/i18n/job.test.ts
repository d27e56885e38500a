import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ranksEn } from './ranks.en.ts'
import { jobAnswer } from '../model/job.ts'

const JOB = {
  step: [null, 3],
  duration_ns: [341e6, 342e6],
  best_rank: [1, 1],
  best_ns: [221e6, 220e6],
  slowest_rank: [2, 2],
  slowest_ns: [339e6, 340e6],
  exposed_communication_ns: [130e6, 131e6],
  exposed_wait_ns: [88e6, 88e6],
  exposed_transfer_ns: [40e6, 41e6],
  exposed_unmatched_ns: [2e6, 2e6],
  waited_for: [2, 2],
  waited_for_pct: [96.2, 96.1],
}

test('the mean over steps says what the job takes and what it waits for', () => {
  assert.equal(
    jobAnswer({ data: JOB }, ranksEn.rankPage),
    'A step of the job takes 341 ms; without waiting for others, rank 1 would take 221 ms and rank 2 339 ms. ' +
      'Exposed communication, mean over ranks: 130 ms, of which 88.0 ms waiting for another rank and 40.0 ms ' +
      'transfer. 96.2 % of the waiting is for rank 2. 2.00 ms could not be separated.',
  )
})

test('nothing is said of what is not there', () => {
  const none = [0, 0]
  const quiet = { ...JOB, exposed_communication_ns: none, exposed_wait_ns: none, waited_for: [null, null] }
  assert.equal(
    jobAnswer({ data: quiet }, ranksEn.rankPage),
    'A step of the job takes 341 ms; without waiting for others, rank 1 would take 221 ms and rank 2 339 ms.',
  )
  assert.equal(jobAnswer({ data: {} }, ranksEn.rankPage), null)
})
