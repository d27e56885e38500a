import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api.ts'
import { matches } from './matching.ts'

const named = (query: string) => ['aten::MM', 'gemm_kernel', 'a/b'].filter((name) => matches(query)({ name }))

test('a part of the name, whatever the case', () => {
  assert.deepEqual(named('mm'), ['aten::MM', 'gemm_kernel'])
  assert.deepEqual(named(''), ['aten::MM', 'gemm_kernel', 'a/b'])
  assert.deepEqual(named('/'), ['a/b'])
})

test('a pattern between slashes', () => {
  assert.deepEqual(named('/^gemm|b$/'), ['gemm_kernel', 'a/b'])
})

test('a pattern that is none says so', () => {
  assert.throws(() => named('/(/'), ApiError)
})
