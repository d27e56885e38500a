/** The table `step_trace`: what precedes the model in a step, its forward and backward, and what follows. */

import type { StepPart } from './chart_steps.ts'
import { cellsOf, type Columns, numbersOf, rowCount, textsOf } from './columns_of.ts'

export type StageName = 'interval' | 'forward' | 'backward' | 'undivided' | 'tail'

/** Grey where nothing of the model computes, blue where it does. */
const STAGES: { name: StageName; column: string; part: Omit<StepPart, 'name' | 'columns'> }[] = [
  { name: 'interval', column: 'interval_ns', part: { tint: { meaning: 'idle' } } },
  { name: 'forward', column: 'forward_ns', part: { tint: { meaning: 'compute', shade: 7 } } },
  { name: 'backward', column: 'backward_ns', part: { tint: { meaning: 'compute', shade: 0 } } },
  { name: 'undivided', column: 'undivided_ns', part: { tint: { meaning: 'compute' } } },
  { name: 'tail', column: 'tail_ns', part: { tint: { meaning: 'annotation' } } },
]

/**
 * The table with a column for steps whose forward and backward cannot be told apart: there the two together are known
 * and each alone is not.
 */
export function withUndivided<T extends Columns>(table: T): T {
  const [forward, both] = [numbersOf(table, 'forward_ns'), numbersOf(table, 'forward_backward_ns')]
  const undivided = both.map((value, row) => (forward[row] === null ? value : null))
  return { ...table, data: { ...table.data, undivided_ns: undivided } }
}

/** The stages; an interval that is mostly a wait for the data loader has the colour of that. */
function stagesIn(table: Columns): typeof STAGES {
  const sum = (column: string) => numbersOf(table, column).reduce<number>((all, value) => all + (value ?? 0), 0)
  if (2 * sum('loading_ns') <= sum('interval_ns')) return STAGES
  const loading: Omit<StepPart, 'name' | 'columns'> = { tint: { meaning: 'data_loading' } }
  return STAGES.map((stage) => (stage.name === 'interval' ? { ...stage, part: loading } : stage))
}

/** Stages that any row has, as parts of a step. */
export function stageParts(table: Columns, names: Record<StageName, string>): StepPart[] {
  return stagesIn(table)
    .filter(({ column }) => numbersOf(table, column).some((value) => value !== null))
    .map(({ name, column, part }) => ({ ...part, name: names[name], columns: [column] }))
}

/** A stage of one step. */
export interface Stage {
  name: StageName
  part: StepPart
  ns: number
  /** Time in it in which the GPU idles; null where it is not known of this stage alone. */
  idle_ns: number | null
}

/** The stages of a row of a table `withUndivided`, those of zero length included. */
export function stagesOf(table: Columns, row: number, names: Record<StageName, string>): Stage[] {
  const value = (column: string) => numbersOf(table, column)[row] ?? null
  const idle: Partial<Record<StageName, string>> = {
    interval: 'interval_idle_ns',
    undivided: 'forward_backward_idle_ns',
    tail: 'tail_idle_ns',
  }
  return stagesIn(table).flatMap(({ name, column, part }): Stage[] => {
    const ns = value(column)
    if (ns === null) return []
    const idleColumn = idle[name]
    return [
      {
        name,
        part: { ...part, name: names[name], columns: [column] },
        ns,
        idle_ns: idleColumn ? value(idleColumn) : null,
      },
    ]
  })
}

/** How many steps of a rank the average is of; 0 where none is steady, and it is of what there is. */
export function steadySteps(table: Columns, rank: number): number {
  const [ranks, steady] = [numbersOf(table, 'rank'), cellsOf(table, 'steady')]
  return ranks.filter((one, row) => one === rank && steady[row] === true).length
}

/** Whether any step was divided on the host's clock, because it launched no GPU work. */
export function onHostClock(table: Columns): boolean {
  return rowCount(table) > 0 && textsOf(table, 'clock').includes('host')
}
