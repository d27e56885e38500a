/** Why a page has nothing to show, with the option that records it. */

import { PAGE_TABLES } from '../model/pages.ts'
import { api, run } from './app.svelte.ts'
import type { Page } from './route.svelte.ts'
import { sentence, words } from './words.svelte.ts'

/** Pages about time, whatever tables they have: of kernels measured one by one there is none. */
const OVER_TIME = new Set<Page>(['timeline', 'what_if', 'step_trace', 'data_loading', 'instances'])
/** Other tables of a page that are something to show by themselves. */
const INSTEAD: Partial<Record<Page, readonly string[]>> = {
  data_loading: ['input_pipeline', 'input_batches'],
  operators: ['operator_totals'],
  kernels: ['activity_totals'],
}
/** Steps that their recorder divided need no events. */
const isDivided = (page: Page) => page === 'step_trace' && run()?.ranks.some((one) => one.step_source === 'step trace')
const isInstead = (page: Page) =>
  (INSTEAD[page]?.some((table) => run()?.tables[table]?.available) ?? false) || isDivided(page) === true
const isTimeless = (page: Page) => OVER_TIME.has(page) && run()?.end === 0 && !isInstead(page)

/** Whether the rail names a page: not where the run is of a kind that it says nothing of. */
export function isOffered(page: Page): boolean {
  return page !== 'ranks' || (run()?.ranks.length ?? 0) > 1
}

/** Whether the recordings of the run hold anything for a page. */
export function isRecorded(page: Page): boolean {
  const own = run()?.tables[PAGE_TABLES[page] ?? '']?.available ?? true
  return !isTimeless(page) && (own || isInstead(page))
}

export function missing(page: Page): string | null {
  if (page === 'what_if' && api.mode === 'report') return words().whatIf.noServer
  if (isTimeless(page)) return words().loading.timeless
  const table = run()?.tables[PAGE_TABLES[page] ?? '']
  if (!table || table.available || isInstead(page)) return null
  return table.lack ? words().loading.lacks(sentence(table.lack), table.option) : words().loading.none
}
