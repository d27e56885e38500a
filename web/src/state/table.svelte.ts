/** A table of the open run, for the ranks and steps selected. */

import type { Selection, TableData, TableRequest } from '../api/types.ts'
import { limited } from '../model/only.ts'
import { askTable } from './answers.ts'
import { opened, run, runId } from './app.svelte.ts'
import { type Loaded, loaded } from './loaded.svelte.ts'
import { followed, only } from './only.svelte.ts'
import { type Page, route } from './route.svelte.ts'
import { selection } from './selection.svelte.ts'

export type Question = Omit<TableRequest, 'ranks' | 'steps'>

/** Of what is selected, what a table is asked for; the same without it. */
type Limits = (now: Selection) => Selection

/** Who is late and who waits is a question about all ranks, whichever is selected. */
export const everyRank: Limits = ({ steps }) => ({ ranks: null, steps })

/** All that was recorded. */
export const everything: Limits = () => ({ ranks: null, steps: null })

/** Of which ranks and steps the tables about several ranks are, wherever their rows are shown. */
const ACROSS: Readonly<Record<string, Limits>> = {
  rank_matrix: everything,
  pipeline: everything,
  stragglers: everyRank,
  job: everyRank,
  rank_waits: everyRank,
  clocks: everyRank,
  links: everyRank,
  experts: everyRank,
}

export const limitsOfTable = (table: string): Limits => ACROSS[table] ?? ((now) => now)

/** Pages about the run as a whole: what is the matter with it is of all of it. */
const WHOLE: readonly Page[] = ['verdict', 'what_if', 'recordings', 'health']

/** As `wholeTableOf`, limited to what the run's header is filtered to where the table has it, and saying which it is. */
export function tableOf(question: () => Question | null, limits: Limits = (now) => now): Loaded<TableData> {
  const limit = $derived(WHOLE.includes(route.page) ? null : only())
  const asked = $derived.by(() => {
    const wanted = question()
    if (!wanted || !limit) return { wanted, follows: null }
    const narrow = limited(wanted, limit)
    return { wanted: narrow ?? wanted, follows: narrow !== null }
  })
  $effect(() => {
    const { wanted, follows } = asked
    if (wanted && follows !== null) return followed(wanted.table, follows)
  })
  return wholeTableOf(() => asked.wanted, limits)
}

/** Asks again when the selection changes or what `question` reads; null asks nothing. */
export function wholeTableOf(question: () => Question | null, limits: Limits = (now) => now): Loaded<TableData> {
  return loaded(() => {
    const [id, asked] = [runId(), question()]
    // While another run is being opened, the page of the last one is still there.
    if (id === null || asked === null || opened.id !== id || !run()) return null
    const request = { ...asked, ...limits(selection()) }
    return () => askTable(id, request)
  })
}
