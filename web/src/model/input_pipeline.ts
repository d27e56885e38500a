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

export interface Queue {
  batches: number
  empty: number
  full: number
  /** Mean time to take a batch from it, ns. */
  wait_ns: number | null
}

/** The table `input_batches` as its two queues: that of the host, behind the pipeline, and that of the device. */
export function queuesOf(table: Columns): { host: Queue | null; device: Queue | null } {
  const queues = textsOf(table, 'queue')
  const [held, room, took] = ['queued', 'capacity', 'get_ns'].map((column) => numbersOf(table, column))
  const of = (queue: string): Queue | null => {
    const rows = queues.flatMap((one, row) => (one === queue && typeof held?.[row] === 'number' ? [row] : []))
    if (rows.length === 0) return null
    const waits = rows.flatMap((row) => (typeof took?.[row] === 'number' ? [took[row]] : []))
    return {
      batches: rows.length,
      empty: rows.filter((row) => held?.[row] === 0).length,
      full: rows.filter((row) => typeof room?.[row] === 'number' && (held?.[row] ?? 0) >= room[row]).length,
      wait_ns: waits.length > 0 ? waits.reduce((sum, one) => sum + one, 0) / waits.length : null,
    }
  }
  return { host: of('host'), device: of('device') }
}

/** The stage that makes training wait, as the notes say: the boxes of the way of a batch. */
export function stageHeld(notes: readonly Said[]): 'processing' | 'transfer' | null {
  if (notes.some((note) => note.id === 'input-processing')) return 'processing'
  return notes.some((note) => note.id === 'input-transfer') ? 'transfer' : null
}
