/** Rows of a table: which are shown in which order, what they add up to, and how one of them is named. */

import type { Cell, ColumnFacts, TableData } from '../api/types.ts'
import { rowCount } from './columns_of.ts'
import { movedLast, type SortKey, sortRows } from './sorting.ts'
import { TABLE_FACTS } from './table_facts.ts'
import { unitOf } from './units.ts'

/** Name of the row that holds what a table could not attribute. */
export const UNATTRIBUTED = '(unattributed)'

/** So many of them stay in sight under the rows; more of them are rows like others, only last. */
const PINNED = 4

export function column(data: TableData, name: string): ColumnFacts | undefined {
  return data.columns.find((one) => one.name === name)
}

export interface Order {
  rows: Uint32Array
  /** What could not be attributed: shown under the rows, whatever the order. */
  pinned: number[]
}

/** Every row of a table. */
export function allRows(data: TableData): Uint32Array {
  const rows = new Uint32Array(rowCount(data))
  for (let i = 0; i < rows.length; i++) rows[i] = i
  return rows
}

/** Rows in order, of all or of `kept`. What could not be attributed comes last. */
export function orderOf(data: TableData, sort: SortKey[], kept: Uint32Array | null): Order {
  const sorted = sortRows(data, kept ?? allRows(data), sort)
  const last = unattributed(data)
  const pinned: number[] = []
  if (last.size > 0) for (const row of sorted) if (last.has(row)) pinned.push(row)
  if (pinned.length === 0 || pinned.length === sorted.length) return { rows: sorted, pinned: [] }
  const rows = movedLast(sorted, (row) => last.has(row))
  if (pinned.length > PINNED) return { rows, pinned: [] }
  return { rows: rows.subarray(0, rows.length - pinned.length), pinned }
}

const lost = new WeakMap<TableData, Set<number>>()

/** Rows of what could not be attributed. */
function unattributed(data: TableData): Set<number> {
  const known = lost.get(data)
  if (known) return known
  const found = new Set<number>()
  const names = data.data[(column(data, 'name') ?? column(data, 'op'))?.name ?? ''] ?? []
  for (let row = 0; row < names.length; row++) if (names[row] === UNATTRIBUTED) found.add(row)
  lost.set(data, found)
  return found
}

/**
 * Whether a column may be added up: each event counts in one row only. Totals, which count an event in each row around
 * it, means, percentiles and extremes may not.
 */
export function mayAdd(data: TableData, name: string): boolean {
  const facts = TABLE_FACTS[data.table]
  if (facts?.by?.[data.by]?.overlaps) return false
  return facts?.adds?.includes(name) ?? false
}

/** Exact sum of a column over some rows; null when none of them has a number. */
export function sumOf(data: TableData, name: string, ...groups: ArrayLike<number>[]): number | bigint | null {
  const values = data.data[name] ?? []
  let [sum, whole, found] = [0, 0n, false]
  for (const rows of groups)
    for (let i = 0; i < rows.length; i++) {
      const value = values[rows[i] ?? -1]
      if (typeof value !== 'number' || !Number.isFinite(value)) continue
      found = true
      sum += value
      // Sums of whole numbers stay exact beyond 2^53.
      if (Math.abs(sum) < 2 ** 52 || !Number.isInteger(sum)) continue
      whole += BigInt(sum)
      sum = 0
    }
  if (!found) return null
  // Shares add up to 100, not to 99.99999999999997.
  return whole === 0n ? Math.round(sum * 1e6) / 1e6 : whole + BigInt(Math.round(sum))
}

/** Columns that together name a row: those that the table has of its key, else the first. */
export function keyColumns(data: TableData): string[] {
  const facts = TABLE_FACTS[data.table]
  const key = facts?.by?.[data.by]?.key ?? facts?.key ?? []
  const names = new Set([...key, ...(data.source ? (facts?.source ?? []) : [])].filter((name) => column(data, name)))
  return names.size > 0 ? [...names] : data.columns.slice(0, 1).map((one) => one.name)
}

/** Columns that a table shows first; undefined for all. A source line that was asked for stands behind the first. */
export function firstColumns(data: TableData): readonly string[] | undefined {
  const facts = TABLE_FACTS[data.table]
  const first = facts?.by?.[data.by]?.first ?? facts?.first
  if (!first || !data.source || first.includes('source')) return first
  return [...first.slice(0, 1), 'source', ...first.slice(1)]
}

/** What names a row in the URL: its name where that is all, else what its key columns hold. */
export function rowKey(data: TableData, row: number): string {
  const values = keyColumns(data).map((name) => data.data[name]?.[row] ?? null)
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(values)
}

/** The row that a key names, or by a plain name the first row with that name. */
export function findRow(data: TableData, key: string): number | null {
  const keys = keyColumns(data)
  const wanted = parsedKey(key)
  const named = keys.length === 1 ? keys : keys.filter((name) => ['name', 'op', 'path'].includes(name)).slice(0, 1)
  const columns = wanted ? keys : named
  const values = wanted ?? [key]
  if (values.length !== columns.length) return null
  const first = data.data[columns[0] ?? ''] ?? []
  for (let row = 0; row < first.length; row++)
    if (columns.every((name, i) => (data.data[name]?.[row] ?? null) === values[i])) return row
  return null
}

/** The first row whose columns hold these values. */
export function rowWhere(data: TableData, wanted: Record<string, Cell>): number | null {
  const columns = Object.entries(wanted)
  const rows = rowCount(data)
  for (let row = 0; row < rows; row++)
    if (columns.every(([name, value]) => data.data[name]?.[row] === value)) return row
  return null
}

function parsedKey(key: string): Cell[] | null {
  if (!key.startsWith('[')) return null
  try {
    const values: unknown = JSON.parse(key)
    return Array.isArray(values) ? (values as Cell[]) : null
  } catch {
    return null
  }
}

/** Columns of amounts in which every row has zero: nothing of the kind happened. Of a single row zero is an answer. */
export function zeroColumns(data: TableData): Set<string> {
  const keys = new Set(keyColumns(data))
  const isZero = ({ name, type, moment }: ColumnFacts) =>
    (type === 'int' || type === 'float') &&
    !moment &&
    !keys.has(name) &&
    unitOf(name) !== 'none' &&
    (data.data[name] ?? []).every((one) => one === 0 || one === null)
  return new Set(rowCount(data) > 1 ? data.columns.filter(isZero).map(({ name }) => name) : [])
}

/** Columns in which no row holds anything: what was not recorded. */
export function emptyColumns(data: TableData): Set<string> {
  const empty = data.columns.filter(({ name }) => (data.data[name] ?? []).every((one) => one === null || one === ''))
  return new Set(rowCount(data) === 0 ? [] : empty.map(({ name }) => name))
}
