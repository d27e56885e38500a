/** Rows as text to paste elsewhere, and the command that gives the same rows. Exact values, nothing scaled. */

import type { Cell, ColumnFacts, TableData } from '../api/types.ts'
import { clockOrigin } from './clock.ts'
import { type CsvCell, csvText } from './csv.ts'
import type { Comparison, Filter } from './filtering.ts'
import type { SortKey } from './sorting.ts'
import { type ValueWords, valuesWhose, withNumbered } from './value_words.ts'

/** What a cell holds, exactly: moments on the trace's clock, as on the command line. Empty when nothing. */
export function exactText(data: TableData, name: string, row: number): string {
  const value = data.data[name]?.[row]
  if (value === null || value === undefined) return ''
  const moment = data.columns.find((one) => one.name === name)?.moment ?? false
  return moment && typeof value === 'number' ? onClock(data, value, row) : plain(value)
}

function plain(value: Cell): string {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value)
}

function onClock(data: TableData, offset: number, row: number | null): string {
  const rank = row === null ? null : data.data['rank']?.[row]
  return (clockOrigin(data, rank) + BigInt(Math.round(offset))).toString()
}

/** Some rows as CSV, with a line of column names. */
export function csvOf(data: TableData, rows: ArrayLike<number>, columns: string[]): string {
  const texts = new Set(data.columns.filter((one) => one.type === 'text').map((one) => one.name))
  const cell = (name: string, row: number): CsvCell => {
    const text = exactText(data, name, row)
    return !texts.has(name) && /^-?\d+$/.test(text) ? BigInt(text) : (data.data[name]?.[row] ?? null)
  }
  return csvText([columns, ...Array.from(rows, (row) => columns.map((name) => cell(name, row)))])
}

function markdownCell(text: string): string {
  return text.replaceAll(/[\\|*_<`[\]]/g, (sign) => `\\${sign}`).replaceAll(/\s*[\r\n]+\s*/g, ' ')
}

/** Some rows as a Markdown table, numbers on the right. */
export function markdownOf(data: TableData, rows: ArrayLike<number>, columns: string[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const textual = (name: string) => data.columns.find((one) => one.name === name)?.type === 'text'
  const lines = [line(columns.map(markdownCell)), line(columns.map((name) => (textual(name) ? '---' : '---:')))]
  for (let i = 0; i < rows.length; i++)
    lines.push(line(columns.map((name) => markdownCell(exactText(data, name, rows[i] ?? 0)))))
  return `${lines.join('\n')}\n`
}

/** A word of a shell's command line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** One `--where` for a command that may have one already: a second would replace it. */
function withCondition(command: string, condition: string): string {
  // The word as a shell writes it: quoted pieces one after the other, with \' or "'" for quotes in it.
  const found = / --where ((?:'[^']*'|\\.|"[^"]*"|[^\s'"\\])+)/.exec(command)
  if (!found) return `${command} --where ${quoted(condition)}`
  const known = (found[1] ?? '').replaceAll(/'([^']*)'|\\(.)|"([^"]*)"/g, '$1$2$3')
  return command.replace(found[0], () => ` --where ${quoted(`(${known}) AND ${condition}`)}`)
}

/**
 * `stepscope show …` for the rows as sorted, filtered and with the columns shown. Words of a filter become LIKE.
 * `only` is the condition of the rows that the page shows, where these are not all.
 */
export function commandOf(
  data: TableData,
  sort: SortKey[],
  filter: Filter | null,
  columns: string[],
  only = '',
  said: ValueWords = {},
): string {
  const where = [only, filter ? sqlOf(data, filter, withNumbered(said, data.data)) : ''].filter(Boolean).join(' AND ')
  const parts = [where ? withCondition(data.command, where) : data.command]
  const [first] = sort
  if (first) parts.push('--sort', quoted(`${first.largestFirst ? '' : '-'}${first.column}`))
  const all = data.columns.map((one) => one.name)
  if (columns.join() !== all.join()) parts.push('--columns', quoted(columns.join(',')))
  return parts.join(' ')
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A text anywhere in a column, whatever the case. LIKE's own signs in a text need the regular expression of it. */
function holding(column: string, text: string): string {
  if (!/[%_]/.test(text)) return `${column} ILIKE ${sqlText(`%${text}%`)}`
  return `${column} ~* ${sqlText(text.replaceAll(/[\\^$.|?*+()[\]{}]/g, (sign) => `\\${sign}`))}`
}

/** A column's text: numbers that JSON cannot hold are texts here, but not in the table. */
function textColumn({ name, type }: ColumnFacts): string {
  return type === 'bigint' ? `CAST("${name}" AS VARCHAR)` : `"${name}"`
}

/**
 * A text in a column. Tables hold values, cells may show words for them: a word found in a cell stands for its value.
 * Nothing holds the empty text too, as in the cells.
 */
function like(column: ColumnFacts, text: string, said: ValueWords): string {
  if (text === '') return 'TRUE'
  const values = valuesWhose(said, column.name, (word) => word.includes(text.toLowerCase()))
  const plain = holding(textColumn(column), text)
  return values.length === 0 ? plain : `(${plain} OR "${column.name}" IN (${values.map(sqlText).join(', ')}))`
}

/** A column that is a text, whatever the case, or whose cells show it. */
function equal(column: ColumnFacts, text: string, said: ValueWords): string {
  const word = text.toLowerCase()
  const values = [...valuesWhose(said, column.name, (one) => one === word), word]
  const small = `LOWER(${textColumn(column)})`
  if (text === '') return `COALESCE(${small}, '') = ''`
  if (values.length === 1) return `${small} = ${sqlText(word)}`
  return `${small} IN (${values.map((one) => sqlText(one.toLowerCase())).join(', ')})`
}

/** Every row but those, with the rows where a condition is unknown: `NOT` alone drops what has no text. */
function allBut(condition: string): string {
  return `NOT COALESCE(${condition}, FALSE)`
}

/** A column of moments on the job's clock, where ranks have others. */
function onJobClock(data: TableData, column: string): string {
  const shifts = Object.entries(data.data['rank'] ? (data.shifts ?? {}) : {})
  if (shifts.length === 0) return `"${column}"`
  return `("${column}" - CASE ${shifts.map(([rank, shift]) => `WHEN "rank" = ${rank} THEN ${shift}`).join(' ')} ELSE 0 END)`
}

function compared(data: TableData, { column, sign, value }: Comparison, said: ValueWords): string {
  const facts = data.columns.find((one) => one.name === column)
  if (!facts) return 'FALSE'
  if (typeof value !== 'string') {
    const [left, right] = facts.moment ? [onJobClock(data, column), onClock(data, value, null)] : [`"${column}"`, value]
    return `${left} ${sign === '!=' ? '<>' : sign} ${right}`
  }
  if (sign === ':') return like(facts, value, said)
  const same = equal(facts, value, said)
  return sign === '!=' ? allBut(same) : same
}

function sqlOf(data: TableData, filter: Filter, said: ValueWords): string {
  const texts = data.columns.filter((one) => one.type === 'text')
  const parts = filter.comparisons.map((one) => compared(data, one, said))
  const anywhere = (word: string) => texts.map((column) => like(column, word, said)).join(' OR ')
  for (const word of filter.words) if (texts.length > 0) parts.push(`(${anywhere(word)})`)
  for (const word of filter.without) if (texts.length > 0) parts.push(allBut(anywhere(word)))
  return parts.join(' AND ')
}

/** `--where` with the condition that only rows like this one in some columns fulfil. */
export function conditionOf(data: TableData, row: number, columns: string[]): string {
  const parts = columns.map((name) => {
    const [value, text] = [data.data[name]?.[row], exactText(data, name, row)]
    if (value === null || value === undefined) return `"${name}" IS NULL`
    const isText = data.columns.find((one) => one.name === name)?.type === 'text'
    return `"${name}" = ${isText ? sqlText(text) : text}`
  })
  return `--where ${quoted(parts.join(' AND '))}`
}
