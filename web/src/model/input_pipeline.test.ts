import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersOf, rankPipelines } from './input_pipeline.ts'

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
