/** Messages in the cells of a table. */

import type { Said, TableData } from '../api/types.ts'
import { textsOf } from './columns_of.ts'

/** The message of a cell; null where the cell is empty or holds plain text. */
export function saidAt(table: Pick<TableData, 'data' | 'messages'>, column: string, row: number): Said | null {
  return table.messages?.[column]?.[textsOf(table, column)[row] ?? ''] ?? null
}
