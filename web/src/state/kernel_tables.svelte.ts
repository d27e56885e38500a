/** Tables of kernel reports, with those of the run that the baseline is of below them. */

import { hasPart } from '../api/parts.ts'
import type { Failure, TableData } from '../api/types.ts'
import { joined } from '../model/kernel_runs.ts'
import { askTable } from './answers.ts'
import { loaded } from './loaded.svelte.ts'
import { route } from './route.svelte.ts'
import { tableOf } from './table.svelte.ts'

/** The other run that a baseline is chosen of; null of none. A report holds one run. */
export const baseRun = (): string | null => (hasPart('run') ? null : route.params['base_run'] || null)

interface OfBoth {
  readonly data: TableData | null
  /** Why that of the other run is missing. */
  readonly baseError: Failure | null
}

/** A table of the open run, and the same of the other one; call it while a component is being made. */
export function tableOfBoth(table: string): OfBoth {
  const own = tableOf(() => ({ table }))
  const other = loaded(() => {
    const run = baseRun()
    return run === null ? null : () => askTable(run, { table, ranks: null, steps: null })
  })
  const both = $derived.by(() => {
    const run = baseRun()
    return own.data && other.data && run !== null ? joined(own.data, other.data, run) : own.data
  })
  return {
    get data() {
      return both
    },
    get baseError() {
      return baseRun() === null ? null : other.error
    },
  }
}
