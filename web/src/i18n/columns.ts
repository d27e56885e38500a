/** What columns and tables are called, and what they mean, in the language chosen. */

import { COLUMNS as COLUMNS_EN, TABLE_COLUMNS as TABLE_COLUMNS_EN } from './table_words.en.ts'
import { COLUMNS as COLUMNS_ZH, TABLE_COLUMNS as TABLE_COLUMNS_ZH, TABLE_MEANINGS } from './table_words.zh.ts'

export interface ColumnWords {
  title: string
  description: string
}

/** Words for a column of a table. `description` is the server's, in English. */
export function columnWords(language: 'en' | 'zh', table: string, name: string, description: string): ColumnWords {
  if (language === 'zh') {
    const words = TABLE_COLUMNS_ZH[table]?.[name] ?? COLUMNS_ZH[name]
    if (words) return { title: words[0], description: words[1] }
  }
  return { title: TABLE_COLUMNS_EN[table]?.[name] ?? COLUMNS_EN[name] ?? name, description }
}

/** What a table is about, in a line. `description` is the server's. */
export function tableMeans(language: 'en' | 'zh', table: string, description: string): string {
  const text = (language === 'zh' ? TABLE_MEANINGS[table] : undefined) ?? description
  return text.charAt(0).toUpperCase() + text.slice(1)
}
