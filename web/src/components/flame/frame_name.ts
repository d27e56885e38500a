/** What a frame is called: what stands for a function in words, one without a name as such. */

import { shownName } from '../../model/names.ts'
import { shownValue } from '../../model/value_words.ts'
import { words } from '../../state/words.svelte.ts'

export function frameName(name: string): string {
  const { values, nameless } = words().table
  return shownName(shownValue(values, 'name', name), nameless)
}
