/** A table of the open run, for the ranks and steps selected. */

import type { Selection, TableData, TableRequest } from '../api/types.ts'
import { askTable } from './answers.ts'
import { opened, run, runId } from './app.svelte.ts'
import { type Loaded, loaded } from './loaded.svelte.ts'
import { selection } from './selection.svelte.ts'

export type Question = Omit<TableRequest, 'ranks' | 'steps'>

/** Of what is selected, what a table is asked for; the same without it. */
type Limits = (now: Selection) => Selection

/** Who is late and who waits is a question about all ranks, whichever is selected. */
export const everyRank: Limits = ({ steps }) => ({ ranks: null, steps })

/** All that was recorded. */
export const everything: Limits = () => ({ ranks: null, steps: null })

/** Asks again when the selection changes or what `question` reads; null asks nothing. */
export function tableOf(question: () => Question | null, limits: Limits = (now) => now): Loaded<TableData> {
  return loaded(() => {
    const [id, asked] = [runId(), question()]
    // While another run is being opened, the page of the last one is still there.
    if (id === null || asked === null || opened.id !== id || !run()) return null
    const request = { ...asked, ...limits(selection()) }
    return () => askTable(id, request)
  })
}
