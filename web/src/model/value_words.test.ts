import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calledIn, shownValue, withNumbered } from './value_words.ts'

const words = (call: string, operator: string) => `${operator} 中的 ${call}`

test('a call in an operator has the words of the language, other texts stay', () => {
  assert.equal(calledIn('cudaMemcpyAsync in aten::copy_', words), 'aten::copy_ 中的 cudaMemcpyAsync')
  for (const text of ['aten::add', 'aten::add in ', '', '–']) assert.equal(calledIn(text, words), text)
})

test('a numbered value has the word of its kind with its own number', () => {
  const said = { waits_for: { 'stream #': '流 #', 'event of stream #': '流 # 的事件', memory: '显存' } }
  const values = ['stream 7', 'event of stream 12', 'memory', 'stream', 'device 3', '', null]
  const shown = values.map((one) => shownValue(said, 'waits_for', one))
  assert.deepEqual(shown, ['流 7', '流 12 的事件', '显存', 'stream', 'device 3', '', ''])
  const [known, others] = [withNumbered(said, { waits_for: values })['waits_for'] ?? {}, withNumbered(said, {})]
  assert.deepEqual([known['stream 7'], known['memory'], known['device 3']], ['流 7', '显存', 'device 3'])
  assert.deepEqual(others, said)
})
