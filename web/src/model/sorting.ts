/**
 * Sorting rows of a table without comparing them in pairs.
 *
 * Each column becomes one unsigned key per row, made once; rows are then sorted digit by digit. That is stable, so that
 * sorting by the second column first and by the first one after it gives both, and it takes some 20 ms for 300,000 rows
 * where comparing takes ten times as long.
 */

import type { Cell, ColumnFacts, TableData } from '../api/types.ts'

export interface SortKey {
  column: string
  largestFirst: boolean
}

/** `calls,-name`: by calls, largest first, then by name, smallest first: as `stepscope show --sort` reads it. */
export function parseSort(text: string | undefined): SortKey[] {
  const parts = (text ?? '').split(',').filter(Boolean)
  return parts.map((part) =>
    part.startsWith('-') ? { column: part.slice(1), largestFirst: false } : { column: part, largestFirst: true },
  )
}

export function sortText(keys: SortKey[]): string {
  return keys.map(({ column, largestFirst }) => (largestFirst ? column : `-${column}`)).join(',')
}

/** Sort by a column next: a second time turns it round, with `more` it becomes the last key. */
export function sortedNext(keys: SortKey[], column: string, textual: boolean, more: boolean): SortKey[] {
  const now = keys.find((key) => key.column === column)
  const next: SortKey = { column, largestFirst: now ? !now.largestFirst : !textual }
  if (!more) return [next]
  return now ? keys.map((key) => (key === now ? next : key)) : [...keys, next]
}

/** Keys of a column: `high` and, for numbers, `low` 32 bits; rows with nothing in them are `missing`. */
interface Keys {
  high: Uint32Array
  low: Uint32Array | null
  missing: Uint8Array | null
}

const made = new WeakMap<TableData, Map<string, Keys>>()

function keysOf(data: TableData, column: ColumnFacts): Keys {
  const known = made.get(data) ?? new Map<string, Keys>()
  made.set(data, known)
  let keys = known.get(column.name)
  if (!keys) {
    const values = data.data[column.name] ?? []
    const numeric = column.type === 'int' || column.type === 'float' || column.type === 'bool'
    keys = numeric ? numberKeys(values) : textKeys(values, column.type === 'bigint' ? compareDecimals : undefined)
    known.set(column.name, keys)
  }
  return keys
}

function isMissing(value: Cell | undefined): boolean {
  return value === null || value === undefined || (typeof value === 'number' && Number.isNaN(value))
}

/** IEEE 754 bits in an order that unsigned integers have too: negative numbers turned round, positive ones above. */
function numberKeys(values: readonly Cell[]): Keys {
  const count = values.length
  const numbers = new Float64Array(count)
  let missing: Uint8Array | null = null
  for (let i = 0; i < count; i++) {
    const value = values[i]
    if (isMissing(value)) (missing ??= new Uint8Array(count))[i] = 1
    // Neither -0 nor NaN stays.
    else numbers[i] = Number(value) || 0
  }
  const bits = new Uint32Array(numbers.buffer)
  const upper = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0
  const [high, low] = [new Uint32Array(count), new Uint32Array(count)]
  for (let i = 0; i < count; i++) {
    const [one, other] = [bits[2 * i + upper] as number, bits[2 * i + 1 - upper] as number]
    const negative = one >>> 31 === 1
    high[i] = negative ? ~one : one ^ 0x80000000
    low[i] = negative ? ~other : other
  }
  return { high, low, missing }
}

/** Ranks of texts by their code units: no collator, whose comparisons take most of the time of a sort. */
function textKeys(values: readonly Cell[], compare?: (a: string, b: string) => number): Keys {
  const count = values.length
  const codes = new Map<string, number>()
  const high = new Uint32Array(count)
  let missing: Uint8Array | null = null
  for (let i = 0; i < count; i++) {
    const value = values[i]
    if (isMissing(value)) {
      ;(missing ??= new Uint8Array(count))[i] = 1
      continue
    }
    const text = String(value)
    let code = codes.get(text)
    if (code === undefined) codes.set(text, (code = codes.size))
    high[i] = code
  }
  const ranks = new Uint32Array(codes.size)
  ;[...codes.keys()].sort(compare).forEach((text, rank) => (ranks[codes.get(text) as number] = rank))
  for (let i = 0; i < count; i++) high[i] = ranks[high[i] as number] ?? 0
  return { high, low: null, missing }
}

/** Whole numbers written out in decimal, of any length. */
function compareDecimals(a: string, b: string): number {
  const [one, other] = [BigInt(a), BigInt(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const DIGITS = 0x10000

/** One pass: rows in the order of 16 bits of their keys, in the order they came where these are equal. */
function pass(rows: Uint32Array, keys: Uint32Array, shift: number, turn: number): Uint32Array {
  const starts = new Uint32Array(DIGITS + 1)
  const count = rows.length
  for (let i = 0; i < count; i++) {
    const digit = (((keys[rows[i] as number] as number) >>> shift) & 0xffff) ^ turn
    starts[digit + 1] = (starts[digit + 1] as number) + 1
  }
  for (let digit = 0; digit < DIGITS; digit++) {
    // All alike: nothing to do, as for most digits of most columns.
    if (starts[digit + 1] === count) return rows
    starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number)
  }
  const sorted = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    const digit = (((keys[row] as number) >>> shift) & 0xffff) ^ turn
    const at = starts[digit] as number
    sorted[at] = row
    starts[digit] = at + 1
  }
  return sorted
}

/** Rows of which `last` holds after all others, both in the order they came. */
export function movedLast(rows: Uint32Array, last: (row: number) => boolean): Uint32Array {
  const sorted = new Uint32Array(rows.length)
  let at = 0
  for (const row of rows) if (!last(row)) sorted[at++] = row
  if (at < rows.length) for (const row of rows) if (last(row)) sorted[at++] = row
  return sorted
}

/** Rows sorted by some columns; rows with nothing in a column come last, whichever way it is sorted. */
export function sortRows(data: TableData, rows: Uint32Array, sort: SortKey[]): Uint32Array {
  let sorted = rows
  for (const key of sort.toReversed()) {
    const column = data.columns.find((one) => one.name === key.column)
    if (!column) continue
    const { high, low, missing } = keysOf(data, column)
    const turn = key.largestFirst ? 0xffff : 0
    for (const part of low ? [low, high] : [high]) for (const shift of [0, 16]) sorted = pass(sorted, part, shift, turn)
    if (missing) sorted = movedLast(sorted, (row) => missing[row] === 1)
  }
  return sorted
}
