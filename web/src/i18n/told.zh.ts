/** What the server says in plain English of files that it does not read, said in Chinese as far as `reasons.zh.ts` knows it. */

import { REASONS } from './reasons.zh.ts'

const PATTERNS = REASONS.map(([english, chinese]) => {
  const parts = english.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return { matches: new RegExp(`^${parts.join('(.+?)')}$`), chinese }
})

/** A reason in Chinese; what is not known stays as it is. */
export function reasonInChinese(text: string): string {
  for (const { matches, chinese } of PATTERNS) {
    const found = matches.exec(text)
    if (found) return chinese.replace(/\{(\d)\}/g, (_, i: string) => found[Number(i) + 1] ?? '')
  }
  return text
}
