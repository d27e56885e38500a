/** Words that cells show in place of the values of some columns, as in another language: by column, by value. */

import type { Cell } from './cells.ts'

export type ValueWords = Record<string, Record<string, string>>

/** What a cell of a column shows; the value itself where it has no other word. */
export function shownValue(words: ValueWords, column: string, value: Cell): string {
  const text = String(value ?? '')
  const known = words[column]
  return known && Object.hasOwn(known, text) ? (known[text] ?? text) : text
}

/** The values of a column whose words fulfil a test. */
export function valuesWhose(words: ValueWords, column: string, holds: (word: string) => boolean): string[] {
  return Object.entries(words[column] ?? {}).flatMap(([value, word]) => (holds(word.toLowerCase()) ? [value] : []))
}

/** `cudaMemcpyAsync in aten::copy_` in the words of a language; any other text as it is. */
export function calledIn(text: string, words: (call: string, operator: string) => string): string {
  const [, call, operator] = /^(\S+) in (.+)$/.exec(text) ?? []
  return call && operator ? words(call, operator) : text
}
