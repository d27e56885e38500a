import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limited, limitsOf, onlyText, parsedOnly, ROLES } from './only.ts'

test('a filter is read as it is written, colons and all', () => {
  for (const role of ROLES)
    assert.deepEqual(parsedOnly(onlyText({ role, value: 'aten::mm' })), { role, value: 'aten::mm' })
  for (const text of [undefined, '', 'operator', 'operator:', 'colour:red']) assert.equal(parsedOnly(text), null)
})

test('a table is limited by the column of the role, in the grouping that has it', () => {
  const only = { role: 'operator', value: 'aten::mm' } as const
  assert.deepEqual(limited({ table: 'kernels' }, only), {
    table: 'kernels',
    by: 'op',
    filter: { equal: { op: 'aten::mm' } },
  })
  assert.deepEqual(limited({ table: 'operators', by: 'shape', filter: { equal: { calls: 1 } } }, only), {
    table: 'operators',
    by: 'shape',
    filter: { equal: { calls: 1, name: 'aten::mm' } },
  })
  assert.equal(limited({ table: 'kernels', by: 'launch' }, only), null)
  assert.equal(limited({ table: 'roofline', by: 'kind' }, only), null)
  assert.equal(limited({ table: 'steps' }, only), null)
  assert.deepEqual(limited({ table: 'queue_depth' }, { role: 'stream', value: '7' }), {
    table: 'queue_depth',
    filter: { equal: { stream: 7 } },
  })
})

test('a row limits to what it is first, then to what it belongs to', () => {
  const row: Record<string, unknown> = { name: 'gemm_kernel', op: 'aten::mm', kind: 'gemm' }
  assert.deepEqual(
    limitsOf('kernels', (column) => row[column]),
    [
      { role: 'kernel', value: 'gemm_kernel' },
      { role: 'operator', value: 'aten::mm' },
      { role: 'kind', value: 'gemm' },
    ],
  )
  assert.deepEqual(
    limitsOf('operators', () => '(unattributed)'),
    [],
  )
  assert.deepEqual(
    limitsOf('steps', () => 1),
    [],
  )
})
