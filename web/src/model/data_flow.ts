/** The table `data_loading`: where a batch waits on its way from the loader to the step. */

import type { StepPart } from './chart_steps.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'

export type Verdict = 'processing' | 'hand-over' | 'transfer' | 'not the problem'

/** The three boxes of the way: batches are made, brought to the GPU, used. */
export type Station = 'loader' | 'copy' | 'step'

/** The station that holds the steps back; null where none does. */
export function culprit(verdict: string): Station | null {
  if (verdict === 'processing' || verdict === 'hand-over') return 'loader'
  return verdict === 'transfer' ? 'copy' : null
}

/** Numbers of a row by column. */
export function flowFacts(table: Columns, row: number) {
  const of = (column: string) => numbersOf(table, column)[row] ?? null
  return {
    verdict: textsOf(table, 'verdict')[row] ?? '',
    workers: textsOf(table, 'workers')[row] ?? '',
    fetches: of('fetches'),
    empty: of('empty'),
    wait_ns: of('wait_ns'),
    exposed_ns: of('exposed_ns'),
    calls_ns: of('calls_ns'),
    handover_ns: of('handover_ns'),
    share_pct: of('share_pct'),
    h2d_bytes: of('h2d_bytes'),
    h2d_pageable_bytes: of('h2d_pageable_bytes'),
    h2d_copy_ns: of('h2d_copy_ns'),
    h2d_exposed_ns: of('h2d_exposed_ns'),
    idle_ns: of('idle_ns'),
    step_ns: of('step_ns'),
    epoch_ns: of('epoch_ns'),
    rank: of('rank'),
  }
}

interface WaitWords {
  exposed: string
  hidden: string
  copies: string
}

/** What a step's bars show: its wait, exposed and hidden, and beside it copies that nothing covered. */
export function waitParts(words: WaitWords): StepPart[] {
  return [
    { name: words.exposed, columns: ['exposed_ns'], tint: { meaning: 'data_loading' }, stack: 'wait' },
    { name: words.hidden, columns: ['hidden_ns'], tint: { meaning: 'idle' }, stack: 'wait' },
    { name: words.copies, columns: ['h2d_exposed_ns'], tint: { meaning: 'memory' }, stack: 'copy' },
  ]
}
