/** Columns of a table as the server sends them, with the types that charts need. */

import type { Cell } from '../api/types.ts'

/** As much of a table as a chart reads. */
export interface Columns {
  data: Record<string, Cell[]>
}

/** Rows at hand. */
export function rowCount(table: Columns): number {
  return Object.values(table.data)[0]?.length ?? 0
}

/** A column's numbers; null where there are none, as where the column itself is missing. */
export function numbersOf(table: Columns, column: string): (number | null)[] {
  return cellsOf(table, column).map((cell) => (typeof cell === 'number' ? cell : null))
}

/** A number of a row, if there is one. */
export function numberAt(table: Columns, column: string, row: number): number | null {
  const cell = table.data[column]?.[row]
  return typeof cell === 'number' ? cell : null
}

/** Row of the largest number of a column, of all or of those to keep; null where none is above 0. */
export function largestRow(table: Columns, column: string, keep = (_row: number) => true): number | null {
  let [most, best]: [number, number | null] = [0, null]
  numbersOf(table, column).forEach((value, row) => {
    if (value === null || value <= most || !keep(row)) return
    most = value
    best = row
  })
  return best
}

/** A column's texts; what is missing is "". */
export function textsOf(table: Columns, column: string): string[] {
  return cellsOf(table, column).map((cell) => (cell === null ? '' : String(cell)))
}

/** A column's cells, null in every row where the column is missing. */
export function cellsOf(table: Columns, column: string): Cell[] {
  return table.data[column] ?? new Array<Cell>(rowCount(table)).fill(null)
}

/** Rows whose cell of a column is a value. */
export function rowsWhere(table: Columns, column: string, value: Cell): number[] {
  return cellsOf(table, column).flatMap((cell, row) => (cell === value ? [row] : []))
}

/** A table with some of its rows only, in their order. */
export function withRows<T extends Columns>(table: T, rows: number[]): T {
  const data = Object.fromEntries(
    Object.entries(table.data).map(([name, cells]) => [name, rows.map((row) => cells[row] ?? null)]),
  )
  return { ...table, data }
}
