/** The table `recompiles` as cards: each function that was compiled again, most time first. */

import type { Said, TableData } from '../api/types.ts'
import { numbersOf, rowCount, textsOf } from './columns_of.ts'
import { runsText } from './ranges.ts'
import { saidAt } from './said.ts'

export interface Recompiled {
  key: string
  function: string
  source: string
  ranks: string
  /** Steps as a text: 0-2, 5; "" where none is known. */
  steps: string
  count: number
  time: number
  limited: boolean
  /** Guards that failed, each with the line it is from, most time first. */
  reasons: { reason: string; from: string; count: number }[]
  advice: Said | null
}

type Table = Pick<TableData, 'data' | 'messages'>

/** Functions that were compiled again. */
export function recompiledOf(table: Table): Recompiled[] {
  const [functions, sources] = [textsOf(table, 'function'), textsOf(table, 'source')]
  const times = numbersOf(table, 'duration_ns')
  const order = Array.from({ length: rowCount(table) }, (_, row) => row)
  order.sort((a, b) => (times[b] ?? -1) - (times[a] ?? -1))
  const groups = new Map<string, number[]>()
  for (const row of order) {
    const key = `${functions[row] ?? ''} ${sources[row] ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups].map(([key, rows]) => ofFunction(table, key, rows)).sort((a, b) => b.time - a.time)
}

/** A function by its rows, the longest first. */
function ofFunction(table: Table, key: string, rows: number[]): Recompiled {
  const first = rows[0] ?? 0
  const outcomes = textsOf(table, 'outcome')
  const limited = rows.find((row) => outcomes[row] === 'limit')
  const of = (column: string) => rows.map((row) => numbersOf(table, column)[row] ?? null)
  return {
    key,
    function: textsOf(table, 'function')[first] ?? '',
    source: textsOf(table, 'source')[first] ?? '',
    ranks: runsText(distinct(of('rank'))),
    steps: runsText(distinct(of('step'))),
    count: rows.filter((row) => outcomes[row] !== 'limit').length,
    time: of('duration_ns').reduce<number>((sum, time) => sum + (time ?? 0), 0),
    limited: limited !== undefined,
    reasons: reasonsOf(table, rows),
    advice: saidAt(table, 'advice', limited ?? first),
  }
}

/** Guards that failed, each once with its count. */
function reasonsOf(table: Table, rows: number[]): Recompiled['reasons'] {
  const [reasons, from] = [textsOf(table, 'reason'), textsOf(table, 'guard_source')]
  const counts = new Map<string, Recompiled['reasons'][number]>()
  for (const row of rows) {
    const reason = reasons[row] ?? ''
    const one = counts.get(reason) ?? { reason, from: from[row] ?? '', count: 0 }
    counts.set(reason, { ...one, count: one.count + 1 })
  }
  return [...counts.values()]
}

function distinct(numbers: (number | null)[]): number[] {
  return [...new Set(numbers.filter((one) => one !== null))].sort((a, b) => a - b)
}
