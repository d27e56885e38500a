/** Texts in the language chosen. */

import { en, type Words } from '../i18n/en.ts'
import { noteInChinese } from '../i18n/told.zh.ts'
import { zh } from '../i18n/zh.ts'
import { preferences } from './preferences.svelte.ts'

/** Call it where a text is shown, so that a change of language shows at once. */
export function words(): Words {
  return preferences.language === 'zh' ? zh : en
}

/** A sentence, a note or a check of the server, which writes English, in the language chosen as far as it is known. */
export function sentence(english: string): string {
  return preferences.language === 'zh' ? noteInChinese(english) : english
}
