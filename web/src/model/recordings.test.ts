import assert from 'node:assert/strict'
import test from 'node:test'
import { apartCount, clockOf, fitting, recordingBars } from './recordings.ts'

const table = {
  data: {
    kind: ['trace', 'memory_snapshot', 'telemetry', 'telemetry', 'trace', 'trace', 'memory_snapshot'],
    recorder: ['Kineto', 'torch', 'CSV', 'CSV', 'Kineto', 'Kineto', 'torch'],
    path: [
      '/a/rank0.json',
      '/a/m.pickle',
      '/a/gpu.csv',
      'C:\\old.csv',
      '/a/rank1.json',
      '/a/rank1b.json',
      '/a/n.pickle',
    ],
    rank: [0, 0, null, null, 1, 1, 1],
    start_ns: [0, 10, -100, 6000, 5, 300, null],
    duration_ns: [200, 0, 975, 975, 200, 50, 10],
    joined: [null, 'clock', 'zone', null, null, null, null],
    uncertainty_ns: [0, null, 40, null, 3, null, null],
    span: [null, null, null, null, 1, 2, null],
    events: [8, 2, 160, 80, 8, null, 2],
    used: [true, true, true, false, true, false, true],
    note: [null, null, 'why', 'late', null, null, null],
  },
  messages: { note: { late: { id: 'recording-after', params: {}, text: { en: 'late', zh: '晚' } } } },
}

test('each recording says how it belongs to the run, those that are not joined last', () => {
  const bars = recordingBars(table)
  assert.deepEqual(
    bars.map((one) => [one.name, one.belongs]),
    [
      ['rank0.json', 'reference'],
      ['m.pickle', 'clock'],
      ['gpu.csv', 'zone'],
      ['rank1.json', 'rank'],
      ['rank1b.json', 'span'],
      ['old.csv', 'apart'],
      ['n.pickle', 'beside'],
    ],
  )
  assert.equal(bars[5]?.note?.id, 'recording-after')
  assert.equal(apartCount(bars), 1)
})

test('what is not joined does not stretch the clock, whatever its own times say', () => {
  const bars = recordingBars(table)
  assert.deepEqual(clockOf(bars), [-100, 875])
  assert.equal(bars.find((one) => one.name === 'old.csv')?.span, null)
  assert.equal(clockOf([]), null)
})

test('of many, all kinds of belonging are shown and the others are counted', () => {
  const bars = recordingBars(table)
  assert.deepEqual(fitting(bars, 7), { shown: bars, more: 0 })
  const { shown, more } = fitting(bars, 4)
  assert.deepEqual([shown.map((one) => one.row), more], [[0, 1, 3, 6], 3])
})
