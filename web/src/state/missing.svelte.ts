/** Why a page has nothing to show, with the option that records it. */

import { PAGE_TABLES } from '../model/pages.ts'
import { api, run } from './app.svelte.ts'
import type { Page } from './route.svelte.ts'
import { sentence, words } from './words.svelte.ts'

/** Whether the rail names a page: not where the run is of a kind that it says nothing of. */
export function isOffered(page: Page): boolean {
  return page !== 'ranks' || (run()?.ranks.length ?? 0) > 1
}

/** Whether the recordings of the run hold anything for a page. */
export function isRecorded(page: Page): boolean {
  return run()?.tables[PAGE_TABLES[page] ?? '']?.available ?? true
}

export function missing(page: Page): string | null {
  if (page === 'what_if' && api.mode === 'report') return words().whatIf.noServer
  const table = run()?.tables[PAGE_TABLES[page] ?? '']
  if (!table || table.available) return null
  return table.lack ? words().loading.lacks(sentence(table.lack), table.option) : words().loading.none
}
