/** Why a page has nothing to show, with the option that records it. */

import { PAGE_TABLES } from '../model/pages.ts'
import { run } from './app.svelte.ts'
import type { Page } from './route.svelte.ts'
import { sentence, words } from './words.svelte.ts'

export function missing(page: Page): string | null {
  const table = run()?.tables[PAGE_TABLES[page] ?? '']
  if (!table || table.available) return null
  return table.lack ? words().loading.lacks(sentence(table.lack), table.option ?? '') : words().loading.none
}
