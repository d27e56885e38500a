/** What a selection leaves of a table that was computed for the whole recording. */

import type { RowFilter } from '../model/row_filter.ts'
import { rowCount, withRows } from '../model/columns_of.ts'
import { parseSort, sortRows } from '../model/sorting.ts'
import type { Cell, Selection, TableData } from './types.ts'

/**
 * The rows of some ranks and steps. Only tables with a row for each rank or each step can be limited so: their rows are
 * the same whatever else is selected. `limited` says which of the two could not be followed.
 */
export function chosenRows(data: TableData, selection: Selection): { data: TableData; limited: boolean } {
  const tests: ((row: number) => boolean)[] = []
  const { ranks, steps } = selection
  const [rank, step] = [data.data['rank'], data.data['step']]
  if (ranks && rank) tests.push((row) => ranks.includes(Number(rank[row])))
  if (steps && step) tests.push((row) => within(step[row], steps))
  const limited = (ranks === null || rank !== undefined) && (steps === null || step !== undefined)
  return { data: tests.length ? kept(data, tests) : data, limited }
}

function within(step: Cell | undefined, [first, last]: [number, number]): boolean {
  return typeof step === 'number' && first <= step && step <= last
}

function kept(data: TableData, tests: ((row: number) => boolean)[]): TableData {
  const length = rowCount(data)
  const rows = Array.from({ length }, (_, i) => i).filter((row) => tests.every((test) => test(row)))
  // Of rows that the report left out nobody knows whether they belong: what is held is all there is to count.
  return { ...withRows(data, rows), total: data.total === length ? rows.length : data.total }
}

/** The rows whose columns hold some values; none where a column is missing. */
export function rowsHolding(data: TableData, equal: RowFilter['equal']): TableData {
  return kept(
    data,
    Object.entries(equal).map(
      ([name, value]) =>
        (row) =>
          data.data[name]?.[row] === value,
    ),
  )
}

/** Tables of a snapshot whose rows each lie at a moment, or from one to another; of an open end ever. */
const TIMED_ROWS = new Set(['memory_timeline', 'memory_categories', 'memory_alive', 'memory_events'])

/** The rows of what was there in a part of the time; null of tables that would have to be computed anew. */
export function rowsBetween(data: TableData, [from, to]: readonly [number, number]): TableData | null {
  if (!TIMED_ROWS.has(data.table)) return null
  const [at, start, end] = [data.data['at_ns'], data.data['start_ns'], data.data['end_ns']]
  const known = (value: Cell | undefined, open: number) => (typeof value === 'number' ? value : open)
  return kept(data, [
    (row) => known((at ?? start)?.[row], -Infinity) < to && known((at ?? end)?.[row], Infinity) >= from,
  ])
}

/** The first rows of a table, sorted as `stepscope show --sort` reads it. */
export function inOrder(data: TableData, sort: string | undefined, limit: number | undefined): TableData {
  if (!sort && limit === undefined) return data
  const all = Uint32Array.from({ length: rowCount(data) }, (_, i) => i)
  return withRows(data, [...sortRows(data, all, parseSort(sort)).subarray(0, limit)])
}
