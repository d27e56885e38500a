import assert from 'node:assert/strict'
import test from 'node:test'
import { noted } from './svg.ts'

test('a name cannot end the element it stands in, nor break the file', () => {
  assert.equal(noted('</text><script a="b">&'), '&lt;/text&gt;&lt;script a=&quot;b&quot;&gt;&amp;')
  assert.equal(noted('a\u0000b\ud800c\u001fd\n'), 'a\ufffdb\ufffdc\ufffdd\n')
  assert.equal(noted('显存 😀'), '显存 😀')
})
