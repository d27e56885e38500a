/** What columns are called, and what they mean, in the language chosen. */

import { titleOf } from '../model/units.ts'
import { MEANINGS_EN, TITLES_EN } from './columns.en.ts'
import { COLUMNS_ZH, MEANS_ZH, TABLES_ZH } from './columns.zh.ts'

/** Title and meaning of columns, by their names. */
export type ColumnTexts = Record<string, readonly [title: string, meaning: string]>

export interface ColumnWords {
  title: string
  description: string
}

/** Words for a column of a table. `description` is the server's, in English; columns of groupings may have none. */
export function columnWords(language: 'en' | 'zh', table: string, name: string, description: string): ColumnWords {
  if (language === 'zh') {
    const words = wordsZh(table, name)
    if (words) return { title: words[0], description: words[1] }
  }
  const title = TITLES_EN[name] ?? titleOf(name)
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: description || (MEANINGS_EN[name] ?? ''),
  }
}

/** What a column is called in Chinese, and what it means; nothing for one that is not known. */
export function wordsZh(table: string, name: string): readonly [title: string, meaning: string] | undefined {
  return TABLES_ZH[table]?.[name] ?? COLUMNS_ZH[name]
}

/** What a table is about, in a line. `description` is the server's. */
export function tableMeans(language: 'en' | 'zh', table: string, description: string): string {
  const text = (language === 'zh' ? MEANS_ZH[table] : undefined) ?? description
  return text.charAt(0).toUpperCase() + text.slice(1)
}
