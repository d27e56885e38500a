/** The filter of the run's header, which every page follows or says that it does not. */

import { SvelteMap } from 'svelte/reactivity'
import { limited, type Only, onlyText, parsedOnly } from '../model/only.ts'
import { type Changes, go, route } from './route.svelte.ts'

export function only(): Only | null {
  return parsedOnly(route.params['only'])
}

/** Whether a question about a table is limited: what its rows say is then not of the whole run. */
export function isLimited(question: Parameters<typeof limited>[0]): boolean {
  const now = only()
  return now !== null && limited(question, now) !== null
}

/** What is limited to something, in the address. */
export function limitedTo(wanted: Only | null): Changes {
  return { only: wanted && onlyText(wanted) }
}

export function limitTo(wanted: Only | null): void {
  go(route.page, limitedTo(wanted))
}

/** Tables of the page, and whether their rows are limited. */
export const limits: SvelteMap<string, boolean> = new SvelteMap()

/** Say of a table of the page that it follows, or that it cannot. Returns what takes it back. */
export function followed(table: string, follows: boolean): () => void {
  limits.set(table, follows)
  return () => limits.delete(table)
}
