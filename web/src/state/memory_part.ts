/** What of a memory snapshot the page about memory shows, by its address: the dock asks for the same rows. */

import type { Selection } from '../api/types.ts'
import { parsedRange } from '../model/ranges.ts'
import { api, run } from './app.svelte.ts'
import { route } from './route.svelte.ts'
import type { Question } from './table.svelte.ts'

/** Tables that show a part of the history. */
const IN_PART = new Set([
  'memory_timeline',
  'memory_peak',
  'memory_categories',
  'memory_alive',
  'memory_events',
  'memory_leaks',
])

/** The entry of the history behind which segments are shown; null for the end. */
export function chosenEntry(): number | null {
  const text = route.params['event'] ?? ''
  return api.mode === 'server' && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** What a question about a table says besides, on this page. */
export function shownPart(table: string): Pick<Question, 'between' | 'base' | 'event'> {
  if (route.page !== 'memory' || !(run()?.tables['memory_fragmentation']?.available ?? false)) return {}
  const [entry, base, range] = [chosenEntry(), route.params['base'], parsedRange(route.params['range'])]
  if (table === 'memory_blocks') return entry === null ? {} : { event: entry }
  if (table === 'memory_diff') return base ? { base } : {}
  return range && IN_PART.has(table) ? { between: range } : {}
}

/** A part, or an entry, is of one rank: that of the device that is shown. */
export function rankOfPart(now: Selection, table: string): Selection {
  const { between, event } = shownPart(table)
  const rank = Number((route.params['device'] ?? '').split('|')[0] || NaN)
  return (between || event !== undefined) && Number.isInteger(rank) ? { ...now, ranks: [rank] } : now
}
