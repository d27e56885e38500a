import assert from 'node:assert/strict'
import { test } from 'node:test'
import { communicatorAt, kindsOf, overTime } from './run_collectives.ts'

const TABLE = {
  data: {
    op: ['AllReduce', 'AllReduce', 'Send'],
    communicator: ['0xa', '0xb', '0xp'],
    name: ['tp', null, null],
    link: [null, null, '0->5'],
    from_bytes: [1 << 26, 1 << 26, 1 << 20],
    slow: [false, true, false],
  },
}
const PARTS = {
  data: {
    op: ['AllReduce', 'AllReduce', 'AllReduce', 'Send', 'Send'],
    communicator: ['0xa', '0xa', '0xb', '0xp', '0xp'],
    link: [null, null, null, '0->5', '0->5'],
    from_bytes: [1 << 26, 1 << 26, 1 << 26, 1 << 20, 1 << 20],
    elapsed_ns: [0, 1e9, 1e9, 0, 2e9],
    busbw: [300, 310, 90, 20, 21],
    busbw_least: [280, 290, 80, 2, 3],
  },
}
const WORDS = { since: 'since', bandwidth: 'bandwidth', slowest: 'slowest call' }

test('operations and sizes, each with its communicators, slow ones first', () => {
  assert.deepEqual(kindsOf(TABLE), [
    { name: 'AllReduce 64.0 MiB', rows: [1, 0] },
    { name: 'Send 1.00 MiB', rows: [2] },
  ])
  assert.deepEqual(
    [0, 1, 2].map((row) => communicatorAt(TABLE, row)),
    ['tp', '0xb', '0xp 0->5'],
  )
})

test('a line for each communicator; where it had no call there is a gap', () => {
  const model = overTime(TABLE, PARTS, { name: '', rows: [1, 0] }, WORDS)
  assert.deepEqual(Array.from(model?.x ?? []), [0, 1e9])
  assert.deepEqual(
    model?.series.map(({ name, values }) => [name, Array.from(values)]),
    [
      ['0xb', [null, 90]],
      ['tp', [300, 310]],
    ],
  )
})

test('of one alone the slowest call, too', () => {
  const model = overTime(TABLE, PARTS, { name: '', rows: [2] }, WORDS)
  assert.deepEqual(
    model?.series.map(({ name, values }) => [name, Array.from(values)]),
    [
      ['0xp 0->5', [20, 21]],
      ['slowest call', [2, 3]],
    ],
  )
})

test('a run of one moment has nothing over time', () => {
  const once = { data: { ...PARTS.data, elapsed_ns: [0, 0, 0, 0, 0] } }
  assert.equal(overTime(TABLE, once, { name: '', rows: [0] }, WORDS), null)
})
