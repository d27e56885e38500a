/** A row of a table on a page and the dock, which shows it: chosen here, shown there, known again after a reload. */

import type { TableData } from '../api/types.ts'
import { findRow, rowKey } from '../model/rows.ts'
import { select, subject } from './selection.svelte.ts'

/** Index of the row that the dock shows, if it is one of this table. */
export function chosenRow(data: TableData): number | null {
  const now = subject()
  if (now?.kind !== 'row' || now.table !== data.table || (now.by ?? '') !== data.by) return null
  return findRow(data, now.key)
}

/** Show a row in the dock; `walks` as the cursor goes from row to row. */
export function chooseRow(data: TableData, row: number, walks = false): void {
  select({ kind: 'row', key: rowKey(data, row), table: data.table, ...(data.by ? { by: data.by } : {}) }, { walks })
}
