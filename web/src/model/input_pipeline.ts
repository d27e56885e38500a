/** The table `input_pipeline`: the operators that a batch goes through on its way to the training step. */

import type { Said } from '../api/types.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'

export interface PipelineOperator {
  id: number
  name: string
  workers: number | null
  /** How full the queue behind it is on average, of a hundred; null where it has none. */
  fill: number | null
  /** It makes training wait. */
  slow: boolean
}

export interface RankPipeline {
  rank: number
  /** From the sources to the training step. */
  operators: PipelineOperator[]
}

/** The pipeline of each rank. The table begins with the consumer. */
export function rankPipelines(table: Columns): RankPipeline[] {
  const [ranks, ids] = [numbersOf(table, 'rank'), numbersOf(table, 'id')]
  const [names, verdicts] = [textsOf(table, 'operator'), textsOf(table, 'verdict')]
  const [workers, fills] = [numbersOf(table, 'workers'), numbersOf(table, 'fill_pct')]
  const found = new Map<number, PipelineOperator[]>()
  ranks.forEach((rank, row) => {
    const operators = found.get(rank ?? 0) ?? []
    found.set(rank ?? 0, operators)
    operators.unshift({
      id: ids[row] ?? row,
      name: names[row] ?? '',
      workers: workers[row] ?? null,
      fill: fills[row] ?? null,
      slow: verdicts[row] === 'bottleneck',
    })
  })
  return [...found].map(([rank, operators]) => ({ rank, operators }))
}

const ANSWERS = /^input-(processing|transfer|fine|slow|no-queues)$/

/** Of the notes of a table those that answer whether training waits, and for which operator; of one rank alone. */
export function answersOf(notes: readonly Said[]): Said[] {
  return notes.filter((note) => ANSWERS.test(note.id))
}
