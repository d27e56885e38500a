/** Tables asked for lately: the page, the dock and a chart that show one table ask for it once. */

import type { TableData, TableRequest } from '../api/types.ts'
import { api, opened } from './app.svelte.ts'

/** So many tables are kept; one may have 300,000 rows. */
const KEPT = 24

let of: unknown = null
const asked = new Map<string, Promise<TableData>>()

/** A table of a run, from the server or as it was answered before. */
export function askTable(run: string, request: TableRequest): Promise<TableData> {
  // A run that was opened anew may have changed.
  if (of !== opened.answer) {
    asked.clear()
    of = opened.answer
  }
  const key = JSON.stringify([run, request])
  const known = asked.get(key)
  asked.delete(key)
  const answer = known ?? api.table(run, request)
  asked.set(key, answer)
  if (!known) answer.catch(() => asked.get(key) === answer && asked.delete(key))
  for (const [oldest] of asked) {
    if (asked.size <= KEPT) break
    asked.delete(oldest)
  }
  return answer
}
