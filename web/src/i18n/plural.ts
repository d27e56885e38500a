/** Numbers with their nouns in English; Chinese has one form. Ranges in both. */

import { countText } from '../model/format.ts'

const RULES = new Intl.PluralRules('en')

/** Whether a number, or the text of one as `countText` writes it, stands with the noun of one thing. */
function isOne(count: number | string): boolean {
  return RULES.select(Number(typeof count === 'string' ? count.replaceAll(',', '') : count)) === 'one'
}

/** The form of a word that stands with a number: `noun(1, 'entry', 'entries')`. */
export function noun(count: number | string, one: string, several = `${one}s`): string {
  return isOne(count) ? one : several
}

/** A number with its noun: `1 step`, `9,999 steps`. */
export function counted(count: number | string, one: string, several = `${one}s`): string {
  return `${typeof count === 'string' ? count : countText(count)} ${noun(count, one, several)}`
}

/** A range by its ends as they are printed: once where both are printed alike. */
const range = (low: string, high: string, to: string) => (low === high ? low : `${low} ${to} ${high}`)
export const rangeEn = (low: string, high: string): string => range(low, high, 'to')
export const rangeZh = (low: string, high: string): string => range(low, high, '至')
