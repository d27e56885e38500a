/** Texts in the language chosen, in the words of the devices that the open run ran on. */

import type { Said } from '../api/types.ts'
import { en, type Words } from '../i18n/en.ts'
import { zh } from '../i18n/zh.ts'
import { bound } from '../model/binding.ts'
import type { Tip } from '../model/chart_tip.ts'
import { inNpuWords } from '../model/device_words.ts'
import { run } from './app.svelte.ts'
import { preferences } from './preferences.svelte.ts'

const npuWords: { en?: Words; zh?: Words } = {}

/** Whether all that the open run recorded ran on NPUs. */
const onNpus = () => run()?.npus ?? false

/**
 * Call it where a text is shown, so that a change of language shows at once. `npus`: whether its devices are called so, of
 * a run that is not open.
 */
export function words(npus = onNpus()): Words {
  const [language, chosen] = preferences.language === 'zh' ? (['zh', zh] as const) : (['en', en] as const)
  return npus ? (npuWords[language] ??= inNpuWords(chosen)) : chosen
}

/** Texts of other catalogues in the words of the devices that the open run ran on. */
export function inDeviceWords<T>(texts: T): T {
  return onNpus() ? inNpuWords(texts) : texts
}

const isChinese = () => preferences.language === 'zh'

/** Sentences, one after the other: no space follows a Chinese full stop. */
export function together(sentences: readonly (string | null | undefined | false)[]): string {
  const text = sentences.filter(Boolean).join(' ')
  return isChinese() ? text.replaceAll(/([。；：！？]) /g, '$1') : text
}

/** Names in a row, with the comma of the language, or of clauses. */
export const listed = (names: readonly string[], comma = '、'): string => names.join(isChinese() ? comma : ', ')

/** A name and what it is, with the colon of the language. */
export const labelled = (name: string, text: string): string => `${name}${isChinese() ? '：' : ': '}${text}`

/** A title and the sentences below it, for those who hear a chart. */
export const headed = (title: string, sentences: readonly (string | null | undefined | false)[]): string =>
  together([`${title}${isChinese() ? '。' : '.'}`, ...sentences])

/** A tip of a chart in one line of text. */
export const spokenTip = (tip: Tip): string =>
  labelled(
    tip.title,
    listed(
      tip.lines.map(({ name, text }) => `${name} ${text}`),
      '，',
    ),
  )

/** What the server says, in the language chosen; a text is its own words in each. */
export function sentence(said: Said | string): string {
  return bound(typeof said === 'string' ? said : said.text[preferences.language])
}
