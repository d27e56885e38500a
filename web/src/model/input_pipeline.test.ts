import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersOf, queuesOf, rankPipelines, stageHeld } from './input_pipeline.ts'

test('operators stand from the source to the step, those of each rank together', () => {
  const table = {
    data: {
      rank: [0, 0, 3],
      id: [0, 1, 0],
      operator: ['BatchOp', 'GeneratorOp', 'MapOp'],
      workers: [1, 2, null],
      fill_pct: [0, 96, null],
      verdict: ['bottleneck', '', ''],
    },
  }
  assert.deepEqual(rankPipelines(table), [
    {
      rank: 0,
      operators: [
        { id: 1, name: 'GeneratorOp', workers: 2, fill: 96, slow: false },
        { id: 0, name: 'BatchOp', workers: 1, fill: 0, slow: true },
      ],
    },
    { rank: 3, operators: [{ id: 0, name: 'MapOp', workers: null, fill: null, slow: false }] },
  ])
})

test('notes about samples are no answers', () => {
  const said = (id: string) => ({ id, params: {}, text: { en: id, zh: id } })
  const notes = ['input-processing', 'input-slow', 'input-cpu-doubled'].map(said)
  assert.deepEqual(
    answersOf(notes).map((one) => one.id),
    ['input-processing', 'input-slow'],
  )
})

test('each queue counts the batches that found it empty and full', () => {
  const table = {
    data: {
      queue: ['host', 'host', 'host', 'device'],
      queued: [0, 16, 3, 0],
      capacity: [16, 16, 16, null],
      get_ns: [30, 0, 0, 20],
    },
  }
  assert.deepEqual(queuesOf(table), {
    host: { batches: 3, empty: 1, full: 1, wait_ns: 10 },
    device: { batches: 1, empty: 1, full: 0, wait_ns: 20 },
  })
  assert.deepEqual(queuesOf({ data: {} }), { host: null, device: null })
})

test('the stage that makes training wait is that of the notes', () => {
  const said = (id: string) => ({ id, params: {}, text: { en: id, zh: id } })
  assert.equal(stageHeld([said('input-processing'), said('input-slow')]), 'processing')
  assert.equal(stageHeld([said('input-transfer')]), 'transfer')
  assert.equal(stageHeld([said('input-fine')]), null)
})
