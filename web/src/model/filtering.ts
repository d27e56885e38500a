/**
 * What a filter field means: words that a row's texts hold, in order and with a slip of the finger allowed, and
 * comparisons of columns.
 *
 *     gemm              rows with `gemm`, or nearly so, in a text
 *     -nccl             rows without it
 *     gpu > 1ms         a column by its title or name, a number with its unit
 *     calls>=10, share < 5%
 *     kind = gemm       the whole text; `kind:gem` a part of it
 */

import { rowCount } from './columns_of.ts'
import uFuzzy from '@leeoniya/ufuzzy'
import type { Cell, ColumnFacts, TableData } from '../api/types.ts'
import { shownValue, type ValueWords } from './value_words.ts'

export const SIGNS = ['>=', '<=', '!=', '>', '<', '=', ':'] as const
type Sign = (typeof SIGNS)[number]

export interface Comparison {
  column: string
  sign: Sign
  value: number | string
}

export interface Filter {
  /** Parts that are not understood; no row is left out for them. */
  problems: FilterProblem[]
  comparisons: Comparison[]
  words: string[]
  without: string[]
}

/** A part of a filter that looks like a comparison and is none: its value is missing or of another kind, or no column is called so. */
export interface FilterProblem {
  kind: 'incomplete' | 'value' | 'column'
  written: string
  /** What would be understood. */
  example: string
}

/** A column as a user may name it. */
export interface Named extends ColumnFacts {
  title: string
  /** What a text of it may hold, for examples. */
  example?: string
}

const FACTORS: Record<string, number> = {
  ns: 1, us: 1e3, 'µs': 1e3, 'μs': 1e3, ms: 1e6, s: 1e9, min: 60e9,
  b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40,
  k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15, '%': 1, '': 1,
} // prettier-ignore

const COMPARISON =
  /([\p{L}\p{N}_ .%]*?[\p{L}\p{N}_%])\s*(>=|<=|!=|==|[><=:])\s*("[^"]*"|'[^']*'|-?[\d][\d_,.]*(?:e[+-]?\d+)?\s?(?:[num\u00b5\u03bc]?s\b|min\b|[kmgt]?i?b\b|[kmgtp]\b|%)?(?=\s|,|$)|[^\s,]+)/giu

/** A number with its unit, in the smallest unit of its kind; null when it is none. */
export function parsedNumber(text: string): number | null {
  const match = /^(-?\d[\d_,.]*(?:e[+-]?\d+)?)\s?([a-z%\u00b5\u03bc]*)$/iu.exec(text.trim())
  const factor = FACTORS[match?.[2]?.toLowerCase() ?? '?']
  const number = Number(match?.[1]?.replaceAll(/[_,]/g, ''))
  return match && factor !== undefined && Number.isFinite(number) ? number * factor : null
}

const UNIT_OF = /[a-z%\u00b5\u03bc]*$/iu

/** Whether a number is written with the unit of another kind of column: 1ms of a share. */
function isOfAnotherKind(column: Named, text: string): boolean {
  const unit = (UNIT_OF.exec(text.trim())?.[0] ?? '').toLowerCase()
  const kind = unit === '%' ? 'pct' : /s$|^min$/.test(unit) ? 'ns' : /b$/.test(unit) ? 'bytes' : null
  return kind !== null && !column.name.endsWith(`_${kind}`)
}

/** What people call the clocks, and how the columns say it. */
const ALIASES: Record<string, string> = { gpu: 'device', cpu: 'host', time: 'total_ns', duration: 'duration_ns' }

/** The column that a user means: exactly, by its beginning, by a part of it; in the order of the columns. */
export function columnNamed(text: string, columns: Named[]): Named | undefined {
  const plain = (one: string) =>
    one
      .toLowerCase()
      .replaceAll(/[\s_.,%]+/g, ' ')
      .trim()
  const wanted = plain(text)
  if (!wanted) return undefined
  const names = (one: Named) => [one.name, one.name.replace(/_(ns|bytes|pct)$/, ''), one.title].map(plain)
  const tests: ((name: string, word: string) => boolean)[] = [
    (name, word) => name === word,
    (name, word) => name.startsWith(word),
    (name, word) => name.includes(` ${word}`),
  ]
  for (const word of [wanted, ALIASES[wanted]].filter((one) => one !== undefined))
    for (const fits of tests) {
      const found = columns.find((one) => names(one).some((name) => fits(name, plain(word))))
      if (found) return found
    }
  return undefined
}

/** Read a filter. What is no comparison with a column of the table is a word to look for. */
export function parseFilter(text: string, columns: Named[]): Filter {
  const comparisons: Comparison[] = []
  const problems: FilterProblem[] = []
  const found = text.replaceAll(COMPARISON, (whole: string, left: string, sign: string, right: string) => {
    const parts = left.trim().split(/\s+/)
    for (let from = 0; from < parts.length; from++) {
      const column = columnNamed(parts.slice(from).join(' '), columns)
      const made = column && comparison(column, sign === '==' ? '=' : (sign as Sign), right)
      if (!made) continue
      comparisons.push(made)
      return `${parts.slice(0, from).join(' ')} `
    }
    const problem = misunderstood(whole, left.trim(), sign, right, columns)
    if (!problem) return whole
    problems.push(problem)
    return ''
  })
  const rest = found.replace(UNFINISHED, (whole: string, left: string, sign: string) => {
    if (!SPACED.test(whole) && !columnNamed(left, columns)) return whole
    problems.push({ kind: 'incomplete', written: whole.trim(), example: exampleOf(left, sign, columns) })
    return ''
  })
  const words = rest.split(/[\s,]+/).filter((word) => word && !/^(and|&&)$/i.test(word))
  const isWithout = (word: string) => word.length > 1 && word.startsWith('-')
  return {
    problems,
    comparisons,
    words: words.filter((word) => !isWithout(word) && /[\p{L}\p{N}]/u.test(word)),
    without: words.filter(isWithout).map((word) => word.slice(1)),
  }
}

/** What stands before the colon of a word where that may be meant for a column: not in `aten::mm` and `s3://bucket`. */
export function wordBeforeColon(words: readonly string[]): string | null {
  const found = words.map((word) => /^([\p{L}_][\p{L}\p{N}_]*):(?![:/\\])/u.exec(word)?.[1])
  return found.find((one) => one !== undefined) ?? null
}

/** A comparison whose right side is still to come. */
const UNFINISHED = /([\p{L}\p{N}_ .%]*[\p{L}\p{N}_%])\s*(>=|<=|!=|==|[><=])\s*$/u

/** A sign apart from what is before it: in names there are none. */
const SPACED = /\s[><=!]/

/** Why what looks like a comparison is none; null where it may as well be a name: `Kernel<float>`. */
function misunderstood(
  whole: string,
  left: string,
  sign: string,
  right: string,
  columns: Named[],
): FilterProblem | null {
  const column = columnNamed(left, columns)
  const spaced = SPACED.test(whole)
  const meant = column ? column.type !== 'text' || spaced : parsedNumber(right) !== null || spaced
  if (sign === ':' || !meant) return null
  return { kind: column ? 'value' : 'column', written: whole.trim(), example: exampleOf(left, sign, columns) }
}

/** Comparisons that a table understands: with its first time and its first count. */
export function exampleComparisons(columns: Named[]): string[] {
  const time = columns.find((one) => one.name.endsWith('_ns') && !one.moment)
  const count = columns.find((one) => one.type === 'int' && !/_(ns|bytes|pct)$/.test(one.name) && !one.moment)
  const written = [time && `${time.title} > 1ms`, count && `${count.title} >= 10`]
  return written.filter((one) => one !== undefined).map((one) => one.replaceAll(/[,%]/g, '').toLowerCase())
}

/** A comparison that is understood: with the column that is meant, else with one that there is. */
function exampleOf(left: string, sign: string, columns: Named[]): string {
  const meant = columnNamed(left, columns)
  const numbers = columns.filter((one) => one.type === 'int' || one.type === 'float')
  const column = meant ?? numbers.find((one) => one.name.endsWith('_ns')) ?? numbers[0] ?? columns[0]
  if (!column) return ''
  const name = meant ? left.trim() : column.name
  if (column.type === 'bool') return `${name} = yes`
  if (column.type === 'text' || column.type === 'bigint')
    return `${name}:${column.type === 'text' ? (column.example ?? 'gemm') : '1'}`
  const unit = /_(ns|bytes|pct)$/.exec(column.name)?.[1] ?? ''
  return `${name} ${sign} ${{ ns: '1ms', bytes: '1MiB', pct: '5%' }[unit] ?? '10'}`
}

function comparison(column: Named, sign: Sign, right: string): Comparison | null {
  if (column.type === 'text' || column.type === 'bigint') {
    if (!['=', '!=', ':'].includes(sign)) return null
    return { column: column.name, sign, value: right.replace(/^(["'])(.*)\1$/s, '$2') }
  }
  if (column.type === 'bool') {
    const yes = /^(yes|true|1|是)$/i.test(right)
    const known = yes || /^(no|false|0|否)$/i.test(right)
    return known && (sign === '=' || sign === '!=') ? { column: column.name, sign, value: yes ? 1 : 0 } : null
  }
  const value = parsedNumber(right)
  if (value === null || sign === ':' || isOfAnotherKind(column, right)) return null
  return { column: column.name, sign, value }
}

/** A comparison with a text: with the value itself, and with the word that cells show for it. */
function textTest(column: string, sign: Sign, wanted: string, said: ValueWords): (value: Cell) => boolean {
  const text = wanted.toLowerCase()
  const either = (value: Cell) => [String(value ?? ''), shownValue(said, column, value)].map((one) => one.toLowerCase())
  if (sign === ':') return (value) => either(value).some((one) => one.includes(text))
  return sign === '=' ? (value) => either(value).includes(text) : (value) => !either(value).includes(text)
}

function test(sign: Sign, wanted: number): (value: Cell) => boolean {
  const known = (holds: (value: number) => boolean) => (value: Cell) => value !== null && holds(Number(value))
  switch (sign) {
    case '>':
      return known((value) => value > wanted)
    case '>=':
      return known((value) => value >= wanted)
    case '<':
      return known((value) => value < wanted)
    case '<=':
      return known((value) => value <= wanted)
    case '!=':
      return known((value) => value !== wanted)
    default:
      return known((value) => value === wanted)
  }
}

/** Where cells show values as they are. */
const NONE_SAID: ValueWords = {}

const haystacks = new WeakMap<TableData, { said: ValueWords; rows: Uint32Array; texts: string[] }>()

/** Each distinct combination of a table's texts and of the words shown for them, and which of them each row has. */
function haystack(data: TableData, said: ValueWords) {
  const known = haystacks.get(data)
  if (known?.said === said) return known
  const named = data.columns.filter((one) => one.type === 'text').map((one) => one.name)
  const columns = named.map((name) => data.data[name] ?? [])
  const spoken = named.filter((name) => said[name])
  const numbers = new Map<string, number>()
  const rows = new Uint32Array(rowCount(data))
  for (let row = 0; row < rows.length; row++) {
    let text = String(columns[0]?.[row] ?? '')
    for (let i = 1; i < columns.length; i++) text += `\n${columns[i]?.[row] ?? ''}`
    for (const name of spoken) text += `\n${shownValue(said, name, data.data[name]?.[row] ?? '')}`
    let number = numbers.get(text)
    if (number === undefined) numbers.set(text, (number = numbers.size))
    rows[row] = number
  }
  const made = { said, rows, texts: [...numbers.keys()] }
  haystacks.set(data, made)
  return made
}

const fuzzy = new uFuzzy({ intraMode: 1 })

/** Which texts hold a word: as it is, whatever the case, else nearly so. */
function holds(texts: string[], word: string): Uint8Array {
  const found = plainly(texts, word)
  if (!found.includes(1) && /^[\x20-\x7e]+$/.test(word)) for (const i of fuzzy.filter(texts, word) ?? []) found[i] = 1
  return found
}

/** Words of a filter that no row holds as they are: what is shown for them is only near. */
export function nearWords(data: TableData, filter: Filter, said: ValueWords = NONE_SAID): string[] {
  if (filter.words.length === 0) return []
  const { texts } = haystack(data, said)
  return filter.words.filter((word) => !plainly(texts, word).includes(1))
}

/** Rows that a filter leaves, in their order; null when it leaves all. */
export function rowsMatching(data: TableData, filter: Filter, said: ValueWords = NONE_SAID): Uint32Array | null {
  const { comparisons, words, without } = filter
  if (comparisons.length + words.length + without.length === 0) return null
  const tests = comparisons.map(({ column, sign, value }) => ({
    values: data.data[column] ?? [],
    fits: typeof value === 'string' ? textTest(column, sign, value, said) : test(sign, value),
  }))
  const texts = words.length + without.length > 0 ? haystack(data, said) : null
  const masks = texts
    ? [...words.map((word) => ({ mask: holds(texts.texts, word), wanted: 1 })),
       ...without.map((word) => ({ mask: plainly(texts.texts, word), wanted: 0 }))]
    : [] // prettier-ignore
  const kept = new Uint32Array(rowCount(data))
  let count = 0
  for (let row = 0; row < kept.length; row++) {
    const text = texts?.rows[row] ?? 0
    if (!masks.every(({ mask, wanted }) => mask[text] === wanted)) continue
    if (tests.every(({ values, fits }) => fits(values[row] ?? null))) kept[count++] = row
  }
  return kept.subarray(0, count)
}

/** Which texts hold exactly this, whatever the case: what is left out is never left out by a guess. */
function plainly(texts: string[], word: string): Uint8Array {
  const small = word.toLowerCase()
  return Uint8Array.from(texts, (text) => (text.toLowerCase().includes(small) ? 1 : 0))
}
