/** A row of a table on a page and the dock, which shows it: chosen here, shown there, known again after a reload. */

import type { Cell, TableData } from '../api/types.ts'
import { findRow, rowKey, rowWhere } from '../model/rows.ts'
import type { Changes } from './route.svelte.ts'
import { select, subject } from './selection.svelte.ts'

/** Index of the row that the dock shows, if it is one of this table. */
export function chosenRow(data: TableData): number | null {
  const now = subject()
  if (now?.kind !== 'row' || now.table !== data.table || (now.by ?? '') !== data.by) return null
  return findRow(data, now.key)
}

/** Show a row in the dock; `walks` as the cursor goes from row to row, `also` what else changes with it. */
export function chooseRow(data: TableData, row: number, walks = false, also: Changes = {}): void {
  const by = data.by ? { by: data.by } : {}
  select({ kind: 'row', key: rowKey(data, row), table: data.table, ...by }, { walks, also })
}

/** Show the row in the dock that a cell of a field stands for, and `also` change what it selects; null closes it. */
export function chooseCell(data: TableData, named: Record<string, Cell> | null, also: Changes): void {
  const row = named && rowWhere(data, named)
  if (row === null) select(null, { also })
  else chooseRow(data, row, false, also)
}
