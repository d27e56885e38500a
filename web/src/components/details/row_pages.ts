/** Where a table stands in the app, and how its filter names a row. */

import type { TableData } from '../../api/types.ts'
import { TABLE_FACTS } from '../../model/table_facts.ts'
import type { Changes, Page } from '../../state/route.svelte.ts'
import type { Subject } from '../../state/selection.svelte.ts'

/** The page that shows a table. */
export function pageOf(table: string): Page {
  return (TABLE_FACTS[table]?.page ?? 'tables') as Page
}

/** What limits a table to a name, or to another column's value: its filter, in the URL of its page. */
export function filterTo(table: string, by: string, name: string, column = 'name'): Changes {
  const sign = name.includes('"') ? "'" : '"'
  const changes: Changes = { [`${table}.q`]: `${column} = ${sign}${name}${sign}` }
  if (by) changes[`${table}.by`] = by
  if (pageOf(table) === 'tables') changes['table'] = table
  return changes
}

/** Whether a column of a row has a value. */
export function having(column: string, value: string): (data: TableData, row: number) => boolean {
  return (data, row) => data.data[column]?.[row] === value
}

/** From a row to the row of a table whose name one of its columns holds. */
export function leadingTo(table: string, column: string): (data: TableData, row: number) => Subject {
  return (data, row) => ({ kind: 'row', key: String(data.data[column]?.[row] ?? ''), table })
}
