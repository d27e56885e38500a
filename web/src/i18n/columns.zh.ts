/** 各表各列的中文名称与说明。Titles and meanings of columns in Chinese; those of one table come before common ones. */

type Words = readonly [title: string, description?: string]

export const COLUMNS_ZH: Record<string, Words> = {
  rank: ['卡号', '进程的 rank'],
}

export const TABLES_ZH: Record<string, Record<string, Words>> = {}
