/** Words that cells show in place of the values of some columns, as in another language: by column, by value. */

import type { Cell } from './cells.ts'

export type ValueWords = Record<string, Record<string, string>>

/** What a cell of a column shows; the value itself where it has no other word. `stream #` is the word of `stream 7`. */
export function shownValue(words: ValueWords, column: string, value: Cell): string {
  const text = String(value ?? '')
  const known = words[column]
  if (!known) return text
  if (Object.hasOwn(known, text)) return known[text] ?? text
  const [number = ''] = /\d+$/.exec(text) ?? []
  const form = number && text.replace(/\d+$/, '#')
  return form && Object.hasOwn(known, form) ? (known[form] ?? text).replace('#', number) : text
}

/** The words with those of numbered values that columns hold, one by one: a command has to name them. */
export function withNumbered(words: ValueWords, columns: Record<string, readonly Cell[]>): ValueWords {
  const found = Object.entries(words).flatMap(([column, known]): [string, Record<string, string>][] => {
    if (!Object.keys(known).some((value) => value.endsWith('#'))) return []
    const values = [...new Set(columns[column] ?? [])].filter((value) => typeof value === 'string')
    return [[column, { ...known, ...Object.fromEntries(values.map((one) => [one, shownValue(words, column, one)])) }]]
  })
  return { ...words, ...Object.fromEntries(found) }
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
