/** Texts in the language chosen. */

import type { Said } from '../api/types.ts'
import { en, type Words } from '../i18n/en.ts'
import { reasonInChinese } from '../i18n/told.zh.ts'
import { zh } from '../i18n/zh.ts'
import { preferences } from './preferences.svelte.ts'

/** Call it where a text is shown, so that a change of language shows at once. */
export function words(): Words {
  return preferences.language === 'zh' ? zh : en
}

/** What the server says, in the language chosen; its plain English texts as far as their Chinese is known. */
export function sentence(said: Said | string): string {
  if (typeof said !== 'string' && said.id !== 'text-plain') return said.text[preferences.language]
  const english = typeof said === 'string' ? said : said.text.en
  return preferences.language === 'zh' ? reasonInChinese(english) : english
}
