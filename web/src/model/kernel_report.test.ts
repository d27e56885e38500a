import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableData } from '../api/types.ts'
import { profiledKernels, rowsOfKernel } from './kernel_report.ts'

const table = {
  data: {
    rank: [0, 0, 0],
    report: ['a.ncu-rep', 'a.ncu-rep', 'b.ncu-rep'],
    id: [0, 1, 0],
    name: ['saxpy(int, float *)', 'void at::native::tile<4>(float *)', 'other()'],
    duration_ns: [100, 300, null],
    bottleneck: ['dram', 'uncoalesced', 'unknown'],
  },
} as unknown as TableData

test('profiled kernels stand in order of their time, with what they are of all of it', () => {
  const kernels = profiledKernels(table)
  assert.deepEqual(
    kernels.map((one) => [one.key, one.name, one.share_pct]),
    [
      ['0|a.ncu-rep|1', 'tile<…>', 75],
      ['0|a.ncu-rep|0', 'saxpy', 25],
      ['0|b.ncu-rep|0', 'other', null],
    ],
  )
})

test('the rows of one kernel are those of its rank, report and number', () => {
  assert.deepEqual(rowsOfKernel(table, '0|a.ncu-rep|0'), [0])
  assert.deepEqual(rowsOfKernel(table, '1|a.ncu-rep|0'), [])
})
