/** Words of the charts that sum kernels by kind. */

import type { KindWords } from '../model/chart_rows.ts'
import { words } from './words.svelte.ts'

export function kindWords(): KindWords {
  const { kind, time, meanings, rest } = words().operatorsPage
  return { kind, value: time, parts: meanings, rest, kinds: words().table.values['kind'] ?? {} }
}
