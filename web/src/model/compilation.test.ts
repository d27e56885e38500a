import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileChart, type CompileChartWords, compileTotals } from './chart_compilation.ts'
import { recompiledOf } from './recompiles.ts'

const WORDS: CompileChartWords = {
  step: 'step',
  function: 'function',
  time: 'time',
  outside: 'outside',
  undivided: 'not divided',
  recompiles: 'recompilations',
  total: 'total',
  parts: { dynamo_ns: 'D', autograd_ns: 'A', inductor_ns: 'I', codegen_ns: 'C', kernels_ns: 'K' },
}

const table = (step: (number | null)[]) => ({
  data: {
    file: ['a', 'a', 'a'],
    compile_id: ['0/0', '0/1', '0/1'],
    function: ['f', 'f', 'g'],
    step,
    duration_ns: [100, 50, 7],
    dynamo_ns: [60, 20, null],
    autograd_ns: [10, 10, null],
    inductor_ns: [10, 5, null],
    codegen_ns: [10, 5, null],
    kernels_ns: [10, 10, null],
    recompile: [false, true, false],
    outcome: ['compiled', 'failed', 'compiled'],
  },
})

test('compile time by step adds up to that of the compilations', () => {
  const model = compileChart(table([3, 3, null]), WORDS)
  assert.deepEqual(model.categories, ['outside', '3'])
  assert.deepEqual(
    model.series.map((one) => [one.name, one.values]),
    [
      ['D', [0, 80]],
      ['A', [0, 20]],
      ['I', [0, 15]],
      ['C', [0, 15]],
      ['K', [0, 20]],
      ['not divided', [7, 0]],
    ],
  )
  assert.deepEqual([model.details?.(0), model.details?.(1)], [[], [['recompilations', '1']]])
})

test('without steps it is by function', () => {
  const model = compileChart(table([null, null, null]), WORDS)
  assert.deepEqual([model.categories, model.categoryTitle, model.horizontal], [['f', 'g'], 'function', true])
})

test('a backward pass belongs to its recompilation', () => {
  const totals = compileTotals(table([null, null, null]))
  assert.deepEqual(totals, { count: 3, time: '157 ns', recompiles: 1, recompileTime: '57 ns', failed: 1 })
})

test('recompilations of a function are one card, its guards counted', () => {
  const found = recompiledOf({
    data: {
      rank: [0, 1, 0, 0],
      function: ['f', 'f', 'f', 'g'],
      source: ['a:1', 'a:1', 'a:1', 'b:2'],
      reason: ['n == 0', 'n == 0', 'n == 3', null],
      guard_source: ['a:3', 'a:3', null, null],
      step: [2, 2, 4, null],
      duration_ns: [10, 20, 1, 100],
      outcome: ['compiled', 'compiled', 'limit', 'compiled'],
      advice: [null, null, null, null],
    },
    messages: {},
  })
  assert.deepEqual(
    found.map(({ function: name, ranks, steps, count, time, limited, reasons }) => [
      name,
      ranks,
      steps,
      count,
      time,
      limited,
      reasons.map((one) => [one.reason, one.from, one.count]),
    ]),
    [
      ['g', '0', '', 1, 100, false, [['', '', 1]]],
      [
        'f',
        '0-1',
        '2, 4',
        2,
        31,
        true,
        [
          ['n == 0', 'a:3', 2],
          ['n == 3', '', 1],
        ],
      ],
    ],
  )
})
