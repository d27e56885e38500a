/** What columns are called, and what they mean, in the language chosen. */

import { titleOf } from '../model/units.ts'
import { TITLES_EN } from './columns.en.ts'
import { COLUMNS_ZH, MEANS_ZH, TABLES_ZH } from './columns.zh.ts'

export interface ColumnWords {
  title: string
  description: string
}

/** Words for a column of a table. `description` is the server's, in English; so is everything it names alone. */
export function columnWords(language: 'en' | 'zh', table: string, name: string, description: string): ColumnWords {
  if (language === 'zh') {
    const [title, meaning] = TABLES_ZH[table]?.[name] ?? COLUMNS_ZH[name] ?? []
    if (title !== undefined) return { title, description: meaning ?? description }
  }
  const title = TITLES_EN[name] ?? titleOf(name)
  return { title: title.charAt(0).toUpperCase() + title.slice(1), description }
}

/** What a table is about, in a line. `description` is the server's. */
export function tableMeans(language: 'en' | 'zh', table: string, description: string): string {
  const text = (language === 'zh' ? MEANS_ZH[table] : undefined) ?? description
  return text.charAt(0).toUpperCase() + text.slice(1)
}
