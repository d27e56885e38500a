import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calledIn } from './value_words.ts'

const words = (call: string, operator: string) => `${operator} 中的 ${call}`

test('a call in an operator has the words of the language, other texts stay', () => {
  assert.equal(calledIn('cudaMemcpyAsync in aten::copy_', words), 'aten::copy_ 中的 cudaMemcpyAsync')
  for (const text of ['aten::add', 'aten::add in ', '', '–']) assert.equal(calledIn(text, words), text)
})
