/** All steps of the open run, for the strip: asked once, whatever is selected. */

import type { ReadyRun, TableData } from '../api/types.ts'
import { api, run } from './app.svelte.ts'

/** Rows that a table answer holds at most. */
const MOST_ROWS = 300_000

/** Ranks whose steps are asked for, or null for all: as many as an answer holds. */
export function stripRanks(run: ReadyRun, chosen: number[] | null): number[] | null {
  const wanted = chosen ?? run.ranks.map((one) => one.rank)
  const rows = run.ranks.filter((one) => wanted.includes(one.rank)).reduce((sum, one) => sum + one.steps, 0)
  if (rows > MOST_ROWS) return wanted.slice(0, 1)
  return run.ranks.reduce((sum, one) => sum + one.steps, 0) > MOST_ROWS ? wanted : null
}

/** No steps were marked on any rank: tables hold the whole trace as one, whose number says nothing. */
export const unmarked = (): boolean => run()?.ranks.every((one) => one.step_source === 'whole trace') ?? false

/** The number of a step, to be named; null where none were marked. */
export const numbered = (step: number | null): number | null => (unmarked() ? null : step)

export function askSteps(run: ReadyRun, ranks: number[] | null, signal: AbortSignal): Promise<TableData> {
  return api.table(run.id, { table: 'steps', ranks, steps: null }, signal)
}

/** The rows of each rank and step for ranks against steps, of one of the tables that have such. */
export function askHeat(run: ReadyRun, table: string, ranks: number[] | null, signal: AbortSignal): Promise<TableData> {
  return api.table(run.id, { table, ranks, steps: null }, signal)
}

/** Ranks in blocks whose steps one answer holds. */
export function rankBlocks(run: ReadyRun): number[][] {
  const blocks: number[][] = [[]]
  let rows = 0
  for (const { rank, steps } of run.ranks) {
    if (rows + steps > MOST_ROWS && (blocks.at(-1) ?? []).length > 0) {
      blocks.push([])
      rows = 0
    }
    blocks.at(-1)?.push(rank)
    rows += steps
  }
  return blocks
}
