/** Texts in the language chosen. */

import type { Said } from '../api/types.ts'
import { en, type Words } from '../i18n/en.ts'
import { zh } from '../i18n/zh.ts'
import { bound } from '../model/binding.ts'
import { preferences } from './preferences.svelte.ts'

/** Call it where a text is shown, so that a change of language shows at once. */
export function words(): Words {
  return preferences.language === 'zh' ? zh : en
}

/** What the server says, in the language chosen; a text is its own words in each. */
export function sentence(said: Said | string): string {
  return bound(typeof said === 'string' ? said : said.text[preferences.language])
}
