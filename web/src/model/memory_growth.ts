/** The table `memory_leaks` by `step`: of each growing stack what is alive at the end of every step. */

import { rowsOfDevice } from './chart_memory.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'

export interface GrowingStack {
  stack: number
  source: string
  op: string
  category: string
  perStep: number | null
  alive: number
  blocks: number
  grew: number
  steps: number
  /** Alive at the end of each step, and of it what the step added. */
  bars: { step: number; then: number; blocks: number; added: number }[]
}

/** Growing stacks of a device, most bytes first as the table has them, with their steps in order. */
export function growingStacks(table: Columns, device: { rank: number; device: string }): GrowingStack[] {
  const of = (column: string) => numbersOf(table, column)
  const [stacks, steps, then, added] = [of('stack'), of('step'), of('then_bytes'), of('added_bytes')]
  const thenBlocks = of('then_blocks')
  const [perStep, alive, blocks, grew, looked] = [
    of('bytes_per_step'),
    of('alive_bytes'),
    of('blocks'),
    of('grew'),
    of('steps'),
  ]
  const [sources, ops, categories] = [textsOf(table, 'source'), textsOf(table, 'op'), textsOf(table, 'category')]
  const found = new Map<number, GrowingStack>()
  for (const row of rowsOfDevice(table, device)) {
    const stack = stacks[row] ?? -1
    const one = found.get(stack) ?? {
      stack,
      source: sources[row] ?? '',
      op: ops[row] ?? '',
      category: categories[row] || 'unknown',
      perStep: perStep[row] ?? null,
      alive: alive[row] ?? 0,
      blocks: blocks[row] ?? 0,
      grew: grew[row] ?? 0,
      steps: looked[row] ?? 0,
      bars: [],
    }
    found.set(stack, one)
    one.bars.push({ step: steps[row] ?? 0, then: then[row] ?? 0, blocks: thenBlocks[row] ?? 0, added: added[row] ?? 0 })
  }
  for (const one of found.values()) one.bars.sort((a, b) => a.step - b.step)
  return [...found.values()]
}
