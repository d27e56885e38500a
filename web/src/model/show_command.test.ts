import assert from 'node:assert/strict'
import { test } from 'node:test'
import { betweenText, showCommand } from './show_command.ts'

test('the paths of another command are those of this one', () => {
  const begin = "stepscope what-if 'a file.json' b.json"
  const options = { name: "it's", rank: '2', step: null }
  assert.equal(
    showCommand(begin, 'instances', options),
    "stepscope show instances 'a file.json' b.json --name 'it'\\''s' --rank 2",
  )
})

test('a moment is a piece of time of one ns', () => {
  assert.equal(betweenText(5, 5), '5ns:6ns')
  assert.equal(betweenText(5.2, 9.1), '5ns:10ns')
})
