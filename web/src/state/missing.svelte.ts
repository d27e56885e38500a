/** Why a page has nothing to show, with the option that records it. */

import type { ApartRecording } from '../api/types.ts'
import { PAGE_TABLES } from '../model/pages.ts'
import { api, run } from './app.svelte.ts'
import type { Page } from './route.svelte.ts'
import { sentence, words } from './words.svelte.ts'

/** Other tables of a page that are something to show by themselves. */
const INSTEAD: Partial<Record<Page, readonly string[]>> = {
  data_loading: ['input_pipeline', 'input_batches'],
  operators: ['operator_totals'],
  kernels: ['activity_totals'],
  timeline: ['collective_records'],
}

/** Steps that their recorder divided need no events. */
const isDivided = (page: Page) =>
  page === 'step_trace' && (run()?.ranks.some((one) => one.step_source === 'step trace') ?? false)
const isInstead = (page: Page) =>
  (INSTEAD[page]?.some((table) => run()?.tables[table]?.available) ?? false) || isDivided(page)

/** Pages about time: of kernels measured one by one, and of totals alone, there is none. */
const OVER_TIME = new Set<Page>(['timeline', 'what_if', 'step_trace', 'data_loading'])
const isTimeless = (page: Page) => OVER_TIME.has(page) && run()?.end === 0 && !isInstead(page)

/** Why a table has no rows in any recording like these; null where it may have some. */
export function lackOf(table: string): string | null {
  const facts = run()?.tables[table]
  return facts?.lack ? words().loading.lacks(sentence(facts.lack), facts.option) : null
}

/** Whether the rail names a page: not where the run is of a kind that it says nothing of. */
export function isOffered(page: Page): boolean {
  return page !== 'ranks' || ((run()?.ranks.length ?? 0) > 1 && run()?.end !== 0)
}

/** Whether the recordings of the run hold anything for a page. */
export function isRecorded(page: Page): boolean {
  const own = run()?.tables[PAGE_TABLES[page] ?? '']?.available ?? true
  return !isTimeless(page) && (own || isInstead(page))
}

/** Recordings of the run that hold what a table lacks, and that no table shows. */
export function apartOf(table: string): ApartRecording[] {
  const facts = run()?.tables[table]
  return facts?.lack && facts.kind ? (run()?.apart ?? []).filter((one) => one.kind === facts.kind) : []
}

export function missing(page: Page): string | null {
  if (page === 'what_if' && api.mode === 'report') return words().whatIf.noServer
  if (isTimeless(page)) return words().loading.timeless
  const name = PAGE_TABLES[page] ?? ''
  const table = run()?.tables[name]
  if (!table || table.available || isInstead(page)) return null
  const apart = apartOf(name)
  if (apart.length > 0) return words().loading.apart(apart.map((one) => one.name))
  return lackOf(name) ?? words().loading.none
}
