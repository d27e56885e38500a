import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksOf, countsOf, isLack, missedOptions, sameWords } from './health.ts'

/** A table whose values and details are messages with these texts as ids. */
function table(data: Record<string, (string | number | null)[]>, params: Record<string, unknown> = {}) {
  const messages = (column: string) =>
    Object.fromEntries(
      (data[column] ?? []).map((text) => [
        String(text),
        { id: String(text), params, text: { en: String(text), zh: '' } },
      ]),
    )
  return { data, messages: { value: messages('value'), detail: messages('detail') } }
}
const said = (id: string) => ({ id, params: {}, text: { en: id, zh: '' } })

const TABLE = table({
  rank: [null, 0, 0, 1, 1],
  check: ['skipped_files', 'linked', 'steps', 'linked', 'steps'],
  status: ['ok', 'warning', 'ok', 'ok', 'error'],
  value: ['0', '86 %', '3', '100 %', '0'],
  detail: ['none', 'some', 'fine', 'all', 'none found'],
})

test('a check is as bad as on its worst rank, and only such ranks speak', () => {
  const checks = checksOf(TABLE)
  assert.deepEqual(
    checks.map((one) => [one.check, one.status, one.ranks.map((rank) => rank.rank), one.of]),
    [
      ['steps', 'error', [1], 2],
      ['linked', 'warning', [0], 2],
      ['skipped_files', 'ok', [null], 1],
    ],
  )
  assert.deepEqual(countsOf(checks), { error: 1, warning: 1, ok: 1 })
})

test('ranks that say the same speak once', () => {
  const says = (rank: number, value: string) => ({ rank, value: said(value), detail: said('d') })
  assert.deepEqual(sameWords([says(0, 'a'), says(1, 'b'), says(2, 'a')]), [
    { ranks: [0, 2], value: said('a'), detail: said('d') },
    { ranks: [1], value: said('b'), detail: said('d') },
  ])
})

test('an option that was off is no warning of what was recorded', () => {
  // The verdict showed a red ring for a recording without stacks, as for one whose times cannot be right.
  const data = {
    rank: [0, 1, 0, 1, 0],
    check: ['stacks', 'stacks', 'memory', 'memory', 'clock'],
    status: ['warning', 'warning', 'warning', 'warning', 'warning'],
    value: ['check-not-recorded', 'check-not-recorded', 'check-not-recorded', '3 events', 'not whole'],
    detail: ['check-cannot-show', 'check-cannot-show', null, null, null],
  }
  const checks = checksOf(table(data, { option: 'with_stack=True' }))
  assert.deepEqual(
    checks.map((one) => [one.check, isLack(one)]),
    [
      ['stacks', true],
      ['memory', false],
      ['clock', false],
    ],
  )
  assert.deepEqual(missedOptions(checks), ['with_stack=True'])
  const foreign = { ...data, detail: ['check-cannot-show-by', 'check-cannot-show-by', null, null, null] }
  assert.deepEqual(missedOptions(checksOf(table(foreign, { option: 'with_stack=True' }))), [])
})

test('no rows, no checks', () => {
  assert.deepEqual(checksOf({ data: {} }), [])
})
