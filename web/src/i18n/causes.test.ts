import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { causeMeaning } from '../model/colours.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** The words of the command line, by cause. */
function printed(language: string): Record<string, string> {
  const path = new URL(`../../../src/stepscope/messages/${language}/value.ftl`, import.meta.url)
  const lines = readFileSync(path, 'utf8').matchAll(/^value-cause-(\w+) = (.*)$/gm)
  return Object.fromEntries([...lines].map(([, cause, word]) => [cause, word]))
}

for (const [language, words] of [
  ['en', en],
  ['zh', zh],
] as const)
  // prettier-ignore
  test(`a cause of idle time has one word everywhere: ${language}`, () => {
    const causes = words.verdict.causes
    assert.deepEqual(words.timeline.shortCauses, causes)
    assert.deepEqual(words.idle.causes, causes)
    assert.deepEqual(printed(language), causes)
    for (const [cause, word] of Object.entries(causes)) {
      assert.equal(words.table.values['cause']?.[cause], word)
      assert.ok(words.timeline.causes[cause]?.endsWith(word), cause)
    }
  })

test('every cause that is known has a colour of its own', () => {
  const known = Object.keys(en.verdict.causes).filter((cause) => cause !== 'unknown')
  assert.equal(new Set(known.map(causeMeaning)).size, known.length)
})
