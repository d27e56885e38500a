/** Texts in the language chosen. */

import { en, type Words } from '../i18n/en.ts'
import { zh } from '../i18n/zh.ts'
import { preferences } from './preferences.svelte.ts'

/** Call it where a text is shown, so that a change of language shows at once. */
export function words(): Words {
  return preferences.language === 'zh' ? zh : en
}
