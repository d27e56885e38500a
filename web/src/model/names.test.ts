import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownName, visible } from './names.ts'

test('names of blanks are told apart', () => {
  // Rows named "" and "  " both read "(no name)".
  const shown = ['', '  ', ' ', '\t', '\u200b'].map((name) => shownName(name, '(empty name)'))
  assert.deepEqual(shown, ['(empty name)', '"  "', '" "', '"\\t"', '"\\u{200b}"'])
  assert.equal(shownName(' aten::mm ', '-'), 'aten::mm')
})

test('signs that turn the text around them are written out', () => {
  // "名字 U+202E evil" read "名字 live".
  assert.equal(shownName('\u540d\u5b57 \u202eevil', '-'), '\u540d\u5b57 \\u{202e}evil')
  assert.equal(visible('a\u0000b\u2067c\u2028d'), 'a\\u{0}b\\u{2067}c\\u{2028}d')
  assert.equal(visible('\u0646\u200c\u0645 👩\u200d💻'), '\u0646\u200c\u0645 👩\u200d💻', 'joiners belong to letters')
})
