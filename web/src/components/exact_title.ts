/** What stands in the title of a cell: its value, exactly. */

import type { TableData } from '../api/types.ts'
import { exactText } from '../model/copies.ts'
import type { Unit } from '../model/table_facts.ts'
import { unitOf } from '../model/units.ts'
import { labelled } from '../state/words.svelte.ts'
import type { ColumnView } from './table_columns.ts'

/** A unit as it stands behind a number; counts have none. */
function behind(unit: Unit): string {
  if (unit === 'count' || unit === 'none' || unit === 'flops') return ''
  return ` ${{ ns: 'ns', bytes: 'B', pct: '%', 'FLOP/s': 'FLOP/s', 'B/s': 'B/s', 'GB/s': 'GB/s' }[unit]}`
}

/** The value of a cell with all its digits, separators and unit; of a moment also on the trace's clock. */
export function exactTitle(data: TableData, column: ColumnView, row: number, clock: (ns: string) => string): string {
  const value = data.data[column.name]?.[row]
  if (value === null || value === undefined) return labelled(column.title, '–')
  if (typeof value !== 'number') return labelled(column.title, String(value))
  const text = labelled(
    column.title,
    `${value.toLocaleString('en-US', { maximumFractionDigits: 6 })}${behind(unitOf(column.name))}`,
  )
  return column.moment ? `${text}\n${clock(exactText(data, column.name, row))}` : text
}
