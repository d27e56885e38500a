/** A table of the open run, for the ranks and steps selected. */

import type { TableData, TableRequest } from '../api/types.ts'
import { askTable } from './answers.ts'
import { opened, run, runId } from './app.svelte.ts'
import { type Loaded, loaded } from './loaded.svelte.ts'
import { selection } from './selection.svelte.ts'

export type Question = Omit<TableRequest, 'ranks' | 'steps'>

/** Asks again when the selection changes or what `question` reads; null asks nothing. */
export function tableOf(question: () => Question | null): Loaded<TableData> {
  return loaded(() => {
    const [id, asked] = [runId(), question()]
    // While another run is being opened, the page of the last one is still there.
    if (id === null || asked === null || opened.id !== id || !run()) return null
    const request = { ...asked, ...selection() }
    return () => askTable(id, request)
  })
}
