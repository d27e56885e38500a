import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableData } from '../api/types.ts'
import { profiledKernels, rowsOfKernel } from './kernel_report.ts'
import { isIn, joined, partsIn, reportText, sameKernel } from './kernel_runs.ts'

const table = (names: string[], found: string) =>
  ({
    data: {
      rank: names.map(() => 0),
      report: names.map(() => 'k.ncu-rep'),
      id: names.map((_, id) => id),
      name: names,
      duration_ns: names.map((_, id) => 100 - id),
      finding: names.map(() => found),
    },
    messages: { finding: { [found]: { id: found } } },
  }) as unknown as TableData

const both = joined(
  table(['gemm(int)', 'copy()'], 'new'),
  table(['gemm(long)', 'copy()', 'gemm(int)'], 'old'),
  'before',
)

test('kernels of two runs whose reports are called alike stay two', () => {
  assert.deepEqual(rowsOfKernel(both, '0|k.ncu-rep|0'), [0])
  assert.deepEqual(rowsOfKernel(both, '0|before › k.ncu-rep|0'), [2])
  assert.deepEqual(Object.keys(both.messages?.['finding'] ?? {}).sort(), ['new', 'old'])
  assert.deepEqual(partsIn('0|before › k.ncu-rep|2', 'before'), { rank: 0, report: 'k.ncu-rep', id: 2 })
  assert.deepEqual(partsIn('0|k.ncu-rep|2', null), { rank: 0, report: 'k.ncu-rep', id: 2 })
})

test('the same kernel of another run is the one of its name, with its parameters if there is one', () => {
  const kernels = profiledKernels(both)
  const others = kernels.filter((one) => isIn(one.key, 'before'))
  const own = kernels.filter((one) => !isIn(one.key, 'before'))
  assert.deepEqual(
    own.map((one) => sameKernel(one, others)?.key),
    ['0|before › k.ncu-rep|2', '0|before › k.ncu-rep|1'],
  )
  const [gemm] = own
  assert.ok(gemm)
  assert.equal(sameKernel({ ...gemm, full: 'gemm(char)' }, others)?.key, '0|before › k.ncu-rep|0')
  assert.equal(sameKernel({ ...gemm, full: 'other()', name: 'other' }, others), null)
})

test('a report that is a run of its own is named once', () => {
  assert.deepEqual(['k.ncu-rep', 'before/k.ncu-rep › k.ncu-rep', 'folder › k.ncu-rep'].map(reportText), [
    'k.ncu-rep',
    'before/k.ncu-rep',
    'folder › k.ncu-rep',
  ])
})
