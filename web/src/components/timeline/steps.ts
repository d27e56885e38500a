/** Steps for the ruler, from the table `steps`. */

import type { TableData } from '../../api/types.ts'
import type { Step } from '../../canvas/ruler.ts'

/** Steps of the first of the chosen ranks that has any, in order of time. */
export function stepsOf(table: TableData, ranks: number[] | null): Step[] {
  const column = (name: string) => table.data[name] ?? []
  const [rank, step, start, duration] = ['rank', 'step', 'start_ns', 'duration_ns'].map(column)
  if (!rank || !step || !start || !duration) return []
  const first = rank.find((one) => typeof one === 'number' && (!ranks || ranks.includes(one)))
  const rows = step.flatMap((number, i) => {
    const [from, length] = [start[i], duration[i]]
    if (rank[i] !== first || typeof number !== 'number' || typeof from !== 'number' || typeof length !== 'number')
      return []
    return [{ step: number, start: from, end: from + length }]
  })
  return rows.sort((a, b) => a.start - b.start)
}
