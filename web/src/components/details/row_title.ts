/** What a row of a table is called: by its name, or by all that names it. */

import type { TableData } from '../../api/types.ts'
import { columnWords } from '../../i18n/columns.ts'
import { shownName } from '../../model/names.ts'
import { column, keyColumns } from '../../model/rows.ts'
import { tableText } from '../../model/units.ts'
import { shownValue } from '../../model/value_words.ts'
import { run } from '../../state/app.svelte.ts'
import { preferences } from '../../state/preferences.svelte.ts'
import { inDeviceWords, words } from '../../state/words.svelte.ts'

/** Columns that hold a name by themselves; others do where they are part of what names a row. */
const NAMES = ['name', 'op', 'path']

/** The column with a row's name. */
const nameColumn = (data: TableData): string | undefined =>
  NAMES.find((one) => data.data[one]) ?? ['check', 'key', 'cause', 'kind'].find((one) => keyColumns(data).includes(one))

/** The name as recorded; of a row without one the first thing that names it. */
export function nameOfRow(data: TableData, row: number, otherwise: string): string {
  const key = nameColumn(data) ?? keyColumns(data)[0] ?? ''
  return String(data.data[key]?.[row] ?? otherwise)
}

/** "aten::mm", "data loading", "Step 3"; of several ranks "Rank 1 · Step 3". */
export function titleOfRow(data: TableData, row: number, otherwise: string): string {
  const { nameless, values } = words().table
  const name = nameColumn(data)
  if (data.table === 'hang_calls') return callOfRanks(data, row)
  if (name === 'path') return nameOfRow(data, row, otherwise).replace(/^.*\//, '')
  const said = name === 'cause' ? (data.table.startsWith('hang') ? words().hangs : words().idle).causes : {}
  const value = data.data[name ?? '']?.[row] ?? otherwise
  if (name)
    return shownName(
      shownValue({ ...values, ...(name === 'cause' ? { cause: { ...values['cause'], ...said } } : {}) }, name, value),
      nameless,
    )
  const isOne = (run()?.ranks.length ?? 0) === 1
  const parts = keyColumns(data).flatMap((key) => {
    const value = data.data[key]?.[row] ?? null
    if (value === null || value === '' || (key === 'rank' && isOne)) return []
    if (typeof value === 'string') return [shownValue(values, key, value)]
    const facts = column(data, key)
    const { title } = inDeviceWords(columnWords(preferences.language, data.table, key, facts?.description ?? ''))
    return [`${title} ${tableText(key, value, facts?.type === 'float')}`]
  })
  return parts.length > 0 ? parts.join(' · ') : shownName(nameOfRow(data, row, otherwise), nameless)
}

/** "all_reduce 4 · rank 0-2": the ID of the hang says less. */
function callOfRanks(data: TableData, row: number): string {
  const [call, sequence, ranks] = ['collective', 'sequence', 'ranks'].map((one) => `${data.data[one]?.[row] ?? ''}`)
  return `${call} ${sequence} · ${words().strip.rank(ranks ?? '')}`
}
