import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownName } from './names.ts'

test('names of blanks are told apart', () => {
  // Rows named "" and "  " both read "(no name)".
  const shown = ['', '  ', ' ', '\t', '\u200b'].map((name) => shownName(name, '(empty name)'))
  assert.deepEqual(shown, ['(empty name)', '"  "', '" "', '"\\t"', '"\\u{200b}"'])
  assert.equal(shownName(' aten::mm ', '-'), 'aten::mm')
})
