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

/** Functions that were compiled again. */
export function recompiledOf(table: Pick<TableData, 'data' | 'messages'>): Recompiled[] {
  const text = (column: string) => textsOf(table, column)
  const [functions, sources, reasons, from, outcomes] = [
    text('function'),
    text('source'),
    text('reason'),
    text('guard_source'),
    text('outcome'),
  ]
  const number = (column: string) => numbersOf(table, column)
  const [times, steps, ranks] = [number('duration_ns'), number('step'), number('rank')]
  const order = Array.from({ length: rowCount(table) }, (_, row) => row)
  order.sort((a, b) => (times[b] ?? -1) - (times[a] ?? -1))
  const groups = new Map<string, number[]>()
  for (const row of order) {
    const key = `${functions[row] ?? ''} ${sources[row] ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const found = [...groups].map(([key, rows]): Recompiled => {
    const first = rows[0] ?? 0
    const limited = rows.find((row) => outcomes[row] === 'limit')
    const counts = new Map<string, { reason: string; from: string; count: number }>()
    for (const row of rows) {
      const reason = reasons[row] ?? ''
      const one = counts.get(reason) ?? { reason, from: from[row] ?? '', count: 0 }
      counts.set(reason, { ...one, count: one.count + 1 })
    }
    return {
      key,
      function: functions[first] ?? '',
      source: sources[first] ?? '',
      ranks: runsText(distinct(rows.map((row) => ranks[row] ?? null))),
      steps: runsText(distinct(rows.map((row) => steps[row] ?? null))),
      count: rows.filter((row) => outcomes[row] !== 'limit').length,
      time: rows.reduce((sum, row) => sum + (times[row] ?? 0), 0),
      limited: limited !== undefined,
      reasons: [...counts.values()],
      advice: saidAt(table, 'advice', limited ?? first),
    }
  })
  return found.sort((a, b) => b.time - a.time)
}

function distinct(numbers: (number | null)[]): number[] {
  return [...new Set(numbers.filter((one) => one !== null))].sort((a, b) => a - b)
}
