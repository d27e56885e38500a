import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangeKind, ChangesAnswer, Said, WhatIfRank } from '../api/types.ts'
import {
  changesIn,
  foundBy,
  groupsOf,
  partsOf,
  points,
  scopeOf,
  slowest,
  unchanged,
  unknowns,
  urlText,
  whatIfCommand,
  withChange,
  withDevice,
  withScope,
  written,
  wrongness,
} from './what_if.ts'

const said = (en: string): Said => ({ id: 'change-test', params: {}, text: { en, zh: en } })

function kind(word: string, of = '', factor = false, more: Partial<ChangeKind> = {}): ChangeKind {
  const writes = `${word}${of && `:${of}`}${factor ? ' xFACTOR' : ''}`
  return {
    kind: word,
    written: writes,
    of,
    factor,
    description: said(''),
    unknown: said(''),
    affected: null,
    lack: null,
    ...more,
  }
}

const ANSWER: ChangesAnswer = {
  ranks: [0],
  recorded_ns: 1000,
  kinds: [
    kind('kernel', 'NAME', true, { unknown: said('how fast') }),
    kind('no-python', 'FILE'),
    kind('no-sync', '', false, { affected: said('2 waits a step') }),
    kind('overlap-communication', '', false, { lack: said('these steps have none') }),
    kind('no-data-wait', '', false, { unknown: said('how fast') }),
    kind('gpu', 'DEVICE'),
  ],
  named: [
    { kind: 'kernel', name: 'gemm', host_ns: 0, gpu_ns: 500 },
    { kind: 'no-python', name: 'train.py', host_ns: 80, gpu_ns: 0 },
  ],
  devices: ['H100'],
}

test('a change is read as the command line reads it', () => {
  assert.deepEqual(partsOf('kernel:void at::native<x 2> x0.25'), {
    kind: 'kernel',
    name: 'void at::native<x 2>',
    factor: 0.25,
  })
  assert.deepEqual(partsOf(' no-sync '), { kind: 'no-sync', name: '', factor: null })
  assert.deepEqual(partsOf('op:aten::mm x.5'), { kind: 'op', name: 'aten::mm', factor: 0.5 })
  assert.equal(partsOf('Faster!'), null)
})

test('a change is written as it was read', () => {
  for (const text of ['kernel:a b x0.25', 'no-sync', 'no-python:train.py', 'op:x x2 x1', 'host:a x0'])
    assert.equal(written(partsOf(text) ?? { kind: '', name: '', factor: null }), text)
  assert.equal(written({ kind: 'op', name: 'a', factor: 0.1 + 0.2 }), 'op:a x0.3')
})

test('the address holds changes and forgives nonsense', () => {
  assert.deepEqual(changesIn(urlText(['no-sync', "kernel:it's x0.5"]) ?? ''), ['no-sync', "kernel:it's x0.5"])
  assert.equal(urlText([]), null)
  for (const text of [undefined, '', '{', '{}', 'null', '[1]']) assert.deepEqual(changesIn(text), [])
})

test('a slider changes the factor where the change stands, a switch takes it back', () => {
  const gemm = { kind: 'kernel', name: 'gemm', factor: 0.3 }
  assert.deepEqual(withChange(['kernel:gemm x0.5', 'no-sync'], gemm, true), ['kernel:gemm x0.3', 'no-sync'])
  assert.deepEqual(withChange(['no-sync'], gemm, true), ['no-sync', 'kernel:gemm x0.3'])
  assert.deepEqual(withChange(['kernel:gemm x0.5', 'no-sync'], gemm, false), ['no-sync'])
})

test('there is one GPU at a time', () => {
  assert.deepEqual(withDevice(['gpu:A100', 'no-sync'], 'H100'), ['no-sync', 'gpu:H100'])
  assert.deepEqual(withDevice(['gpu:A100', 'no-sync'], ''), ['no-sync'])
})

test('what is no change is told how to be written', () => {
  assert.equal(wrongness('kernel:gemm', ANSWER.kinds), 'kernel:NAME xFACTOR')
  assert.equal(wrongness('no-sync x0.5', ANSWER.kinds), 'no-sync')
  assert.match(wrongness('faster', ANSWER.kinds) ?? '', /^kernel:NAME xFACTOR, no-python:FILE, no-sync, /)
  assert.equal(wrongness('kernel:/gemm/ x0.5', ANSWER.kinds), null)
})

test('what has a finding comes first, what has nothing to change last', () => {
  const found = foundBy({
    data: { what_if: ['no-data-wait', '', 'no-data-wait'], saving_pct: [12, 50, 20], title: ['a', 'b', 'c'] },
  })
  const groups = groupsOf(ANSWER, [], found)
  assert.deepEqual(
    groups.map((group) => [group.id, group.rows.map((row) => [row.key, row.found?.pct ?? null])]),
    [
      ['general', [['no-data-wait', 20], ['no-sync', null], ['overlap-communication', null]]], // prettier-ignore
      ['kernel', [['kernel:gemm', null]]],
      ['no-python', [['no-python:train.py', null]]],
    ],
  )
  assert.equal(groups[0]?.rows[2]?.lack?.text.en, 'these steps have none')
})

test('recommendations come before all other changes, the largest first, with what they save', () => {
  const named = [
    { kind: 'fix', name: 'launch-bound', host_ns: 900, gpu_ns: 0 },
    { kind: 'no-straggler', name: '2', host_ns: 0, gpu_ns: 0 },
    ...ANSWER.named,
  ]
  const found = foundBy({
    data: {
      what_if: ['fix:launch-bound', 'no-straggler:2'],
      title: ['launch-bound', 'straggler'],
      saving_pct: [20, 34],
      saving_low_pct: [10, 29],
      saving_high_pct: [30, 40],
      saving_ns: [20, 117],
    },
  })
  const [first] = groupsOf({ ...ANSWER, named }, [], found)
  assert.equal(first?.id, 'recommended')
  assert.deepEqual(
    first.rows.map((row) => [row.key, row.found]),
    [
      ['no-straggler:2', { title: 'straggler', pct: 34, low: 29, high: 40, ns: 117 }],
      ['fix:launch-bound', { title: 'launch-bound', pct: 20, low: 10, high: 30, ns: 20 }],
    ],
  )
})

test('rows show what is made, and what was typed stands in rows of its own', () => {
  const groups = groupsOf(ANSWER, ['kernel:gemm x0.2', 'kernel:/add/ x0.1', 'gpu:H100', 'nonsense!'], new Map())
  const on = groups.flatMap((group) => group.rows.filter((row) => row.on).map((row) => [group.id, row.key, row.factor]))
  assert.deepEqual(on, [
    ['typed', 'kernel:/add/', 0.1],
    ['typed', 'nonsense!', null],
    ['kernel', 'kernel:gemm', 0.2],
  ])
})

test('the command names ranks, steps and changes as a shell reads them', () => {
  assert.equal(
    whatIfCommand('stepscope what-if a.json', { ranks: [0, 2], steps: [3, 5] }, ["kernel:it's x0.5", 'no-sync']),
    "stepscope what-if a.json --rank 0 --rank 2 --step 3:5 --change 'kernel:it'\\''s x0.5' --change no-sync",
  )
})

test('the rank with the longest step is shown, and what is unknown once', () => {
  const rank = (number: number, after: number) => ({ rank: number, together: { after_ns: after } }) as WhatIfRank
  assert.equal(slowest([rank(0, 5), rank(1, 9), rank(2, 9)])?.rank, 1)
  assert.equal(slowest([]), null)
  const open = unknowns(ANSWER.kinds, ['kernel:gemm x0.5', 'no-data-wait'])
  assert.deepEqual(
    open.map((one) => one.text.en),
    ['how fast'],
  )
})

test('steps that could not be simulated have no rows', () => {
  const columns = { rank: [0, 1], recorded_ns: [9, 9], unprofiled_ns: [5, null] }
  const data = { ...columns, unprofiled_low_ns: [4, null], unprofiled_high_ns: [6, null] }
  assert.deepEqual(unchanged({ data }), [{ rank: 0, recorded: 9, best: 5, range: [4, 6] }])
})

test('a share that rounds to nothing has no sign', () => {
  assert.deepEqual([-0.4, 0.4, -5.6, 23.5].map(points), ['0', '0', '-6', '24'])
})

test('changes are made on all ranks or on one, a straggler is the job’s', () => {
  const changes = ['kernel:/gemm/ x0.5', 'no-sync', 'no-straggler:2']
  const limited = ['kernel:/gemm/ x0.5 on rank 3', 'no-sync on rank 3', 'no-straggler:2']
  assert.equal(scopeOf(changes), null)
  assert.deepEqual(withScope(changes, 3), limited)
  assert.equal(scopeOf(limited), 3)
  assert.deepEqual(withScope(limited, null), changes)
  assert.equal(scopeOf(['no-sync on rank 3', 'cuda-graph']), null)
  assert.deepEqual(partsOf('no-sync on rank 3'), { kind: 'no-sync', name: '', factor: null, rank: 3 })
})
