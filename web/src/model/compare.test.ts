import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompareAnswer, ComparedRow } from '../api/types.ts'
import { levelRows, sides, tints, waterfall } from './compare.ts'
import { callsText, countedText, signedText, withSigns } from './compare_text.ts'

const row = (level: string, key: string, base_ns: number, new_ns: number, more: Partial<ComparedRow> = {}) =>
  ({ level, of: 'host', key, base_ns, new_ns, delta_ns: new_ns - base_ns, status: 'changed', ...more }) as ComparedRow

const answer = (more: Partial<CompareAnswer>) =>
  ({
    step: { base_ns: 100, new_ns: 70, delta_ns: -30 },
    host: { slower_pct: 5, step_ns: 4 },
    causes: [{ effect_ns: -25 }, { effect_ns: 2 }],
    rows: [],
    names: [],
    ...more,
  }) as unknown as CompareAnswer

test('the falls lead from the base step to the new one', () => {
  const falls = waterfall(answer({}))
  assert.deepEqual(
    falls.map((one) => [one.kind, one.from_ns, one.to_ns]),
    [
      ['base', 0, 100],
      ['cause', 100, 75],
      ['cause', 75, 77],
      ['host', 77, 81],
      ['rest', 81, 70],
      ['new', 0, 70],
    ],
  )
})

test('without causes the rest is the whole difference', () => {
  const falls = waterfall(answer({ causes: [], host: { slower_pct: null, step_ns: 0 } }))
  assert.deepEqual(
    falls.map((one) => one.kind),
    ['base', 'rest', 'new'],
  )
})

test('rows that are the same are counted, parts of the step are listed', () => {
  const rows = [
    row('operator', 'mm', 5, 9),
    row('operator', 'add', 5, 5, { status: 'same' }),
    row('operator', 'mul', 20, 2),
    row('side', 'compute', 9, 9, { status: 'same' }),
    row('side', 'memset', 0, 0, { status: 'same' }),
  ]
  const found = levelRows(rows)
  assert.deepEqual(
    found.map((one) => [one.level, one.rows.map((each) => each.key), one.same]),
    [
      ['side', ['compute'], 0],
      ['operator', ['mul', 'mm'], 1],
    ],
  )
})

test('of many rows the largest are listed', () => {
  const [found] = levelRows(Array.from({ length: 40 }, (_, at) => row('kernel', `k${at}`, 100, 200 + at)))
  assert.deepEqual([found?.rows.length, found?.rows[0]?.key, found?.more], [30, 'k39', 10])
})

test('parts of both steps have one scale', () => {
  const rows = [row('side', 'compute', 80, 40), row('side', 'other', 20, 30)]
  assert.deepEqual(
    sides(answer({ rows }), 'new').map((one) => [one.key, one.share]),
    [
      ['compute', 40],
      ['other', 30],
    ],
  )
})

test('an event has the outcome of its name on its side of the machine', () => {
  const rows = [row('kernel', 'gemm', 1, 9, { of: 'gpu' }), row('operator', 'gemm', 9, 1)]
  const both = answer({ rows, names: ['gemm', 'other'] })
  assert.deepEqual(tints(both, 'gpu'), [{ status: 'changed', longer: true }, null])
  assert.deepEqual(tints(both, 'host'), [{ status: 'changed', longer: false }, null])
})

test('differences have their sign, counts their unit', () => {
  assert.deepEqual([1500, -2e6, 0].map(signedText), ['+1.50 us', '−2.00 ms', '0 ns'])
  assert.equal(countedText('memcpy_HtoD_bytes', 2048), '2.00 KiB')
  assert.deepEqual([callsText(2, 2), callsText(2, null), callsText(1.5, 3)], ['2', '2 → 0', '1.5 → 3'])
})

test('sentences have the signs of the page', () => {
  // The headline had ASCII, the rows below it had not.
  assert.equal(
    withSigns('The step is 52.5 ms faster, 56 % (94.6 ms -> 42.1 ms): x-1 (-56.3\u00a0ms).'),
    'The step is 52.5 ms faster, 56 % (94.6 ms → 42.1 ms): x-1 (−56.3\u00a0ms).',
  )
  assert.equal(
    withSigns('The device differs: NVIDIA H100 -> NVIDIA H200.'),
    'The device differs: NVIDIA H100 → NVIDIA H200.',
  )
  assert.equal(withSigns('Memcpy HtoD (Pageable -> Device) (-2 ms)'), 'Memcpy HtoD (Pageable -> Device) (−2 ms)')
})
