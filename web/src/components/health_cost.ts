/** What a check that warns costs: which figures to read with care. */

import { type Check, isLack } from '../model/health.ts'
import { isRecorded } from '../state/missing.svelte.ts'
import type { Page } from '../state/route.svelte.ts'
import { words } from '../state/words.svelte.ts'

/** Checks whose cost names a page, which the run may not have. */
const NAMES: Record<string, Page> = { attributed_to_operators: 'operators' }

export function costOf(check: Check): string {
  const page = NAMES[check.check]
  if (check.status === 'ok' || isLack(check) || (page && !isRecorded(page))) return ''
  return words().health.costs[check.check] ?? ''
}
