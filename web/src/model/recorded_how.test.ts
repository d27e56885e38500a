import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedHow, shared } from './recorded_how.ts'

function metadata(rows: [number | null, string, string][]) {
  const column = (at: 0 | 1 | 2) => rows.map((row) => row[at])
  return { data: { rank: column(0), key: column(1), value: column(2) } }
}

test('what all ranks say stands once, and belongs to each', () => {
  const found = recordedHow(
    metadata([
      [null, 'stepscopeRecording.program', 'train.py'],
      [null, 'stepscopeRecording.first_step', '23'],
      [0, 'stepscopeRecording.slowdown', '1.35'],
      [1, 'stepscopeRecording.slowdown', '1.5'],
      [null, 'trace_id', 'x'],
    ]),
    [0, 1],
  )
  assert.deepEqual(
    found.map((one) => [one.rank, one.program, one.firstStep, one.slowdown, one.lastStep]),
    [
      [0, 'train.py', 23, 1.35, null],
      [1, 'train.py', 23, 1.5, null],
    ],
  )
  assert.equal(
    shared(found, (one) => one.program),
    'train.py',
  )
  assert.equal(
    shared(found, (one) => one.slowdown),
    null,
  )
})

test('a recording of another recorder says nothing of it', () => {
  assert.deepEqual(recordedHow(metadata([[null, 'with_stack', '1']]), [0]), [])
})
