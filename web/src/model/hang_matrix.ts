/** The calls around a hang as a matrix: rows are ranks, columns calls of the group; ranks that look alike are one row. */

import type { TableData } from '../api/types.ts'
import { cellsOf, numbersOf, textsOf } from './columns_of.ts'
import { csvText } from './csv.ts'
import { runsText } from './ranges.ts'

type Table = Pick<TableData, 'data'>

/** What a cell shows, each with a sign of its own: colour alone says nothing. */
export const MARKS = {
  missing: '×',
  differs: '≠',
  started: '…',
  entered: '…',
  scheduled: '○',
  completed: '✓',
  overwritten: '?',
  no_dump: '–',
} as const
export type Mark = keyof typeof MARKS

/** So many ranks have a row each; of more, those alike are one. */
export const MOST_SINGLE = 16

export interface HangColumn {
  sequence: number
  collective: string
  /** The call that the group hangs in. */
  hangs: boolean
}

export interface HangRow {
  key: string
  ranks: number[]
  /** Of each column the row of the table behind it; -1 where there is none. */
  cells: number[]
  /** Ranks alike that stand below it, if it is open. */
  inside: boolean
}

export interface HangMatrix {
  columns: HangColumn[]
  rows: HangRow[]
  /** What each row of the table looks like. */
  marks: Mark[]
  /** The place where the cursor begins: the first rank that is missing, or not like the others. */
  first: { row: number; column: number }
}

/** Hangs that there is a matrix of, in order. */
export function hangsIn(calls: Table): number[] {
  return [...new Set(numbersOf(calls, 'hang'))].filter((one) => one !== null)
}

/** Ranks of a text like "0-6, 8". */
export function ranksOf(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = NaN, last = first] = part.trim().split('-').map(Number)
    return Number.isInteger(first) ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : []
  })
}

function marksOf(calls: Table): Mark[] {
  const differs = textsOf(calls, 'differs')
  return textsOf(calls, 'state').map((state, row) => {
    if (differs[row]) return 'differs'
    return state in MARKS ? (state as Mark) : 'overwritten'
  })
}

/** The matrix of one hang; `open` are the keys of rows of several ranks whose ranks are shown. */
export function matrixOf(calls: Table, hang: number, open: ReadonlySet<string>): HangMatrix {
  const hangs = numbersOf(calls, 'hang')
  const own = hangs.flatMap((one, row) => (one === hang ? [row] : []))
  const [sequences, marks] = [numbersOf(calls, 'sequence'), marksOf(calls)]
  const numbers = [...new Set(own.map((row) => sequences[row] ?? 0))].sort((a, b) => a - b)
  const columns = numbers.map((sequence) => columnOf(calls, own, sequence))
  const at = columns.findIndex((one) => one.hangs)
  const cells = cellsByRank(calls, own, numbers)
  const groups = cells.size <= MOST_SINGLE ? singles(cells) : alike(cells, marks, at)
  const order = Object.keys(MARKS)
  const weight = (one: HangRow) => order.indexOf(marks[one.cells[at] ?? -1] ?? 'no_dump')
  if (cells.size > MOST_SINGLE)
    groups.sort((a, b) => weight(a) - weight(b) || a.ranks.length - b.ranks.length || lowest(a) - lowest(b))
  const rows = groups.flatMap((one) => (open.has(one.key) ? [one, ...below(one, cells)] : [one]))
  const odd = rows.findIndex((one) => weight(one) <= 1)
  return { columns, rows, marks, first: { row: Math.max(0, odd), column: Math.max(0, at) + 1 } }
}

const lowest = (one: HangRow) => one.ranks[0] ?? 0

function columnOf(calls: Table, own: number[], sequence: number): HangColumn {
  const [sequences, names, counts] = [
    numbersOf(calls, 'sequence'),
    textsOf(calls, 'collective'),
    numbersOf(calls, 'count'),
  ]
  const rows = own.filter((row) => sequences[row] === sequence)
  const most = rows.reduce((best, row) => ((counts[row] ?? 0) > (counts[best] ?? 0) ? row : best), rows[0] ?? 0)
  return { sequence, collective: names[most] ?? '', hangs: rows.some((row) => cellsOf(calls, 'hangs')[row] === true) }
}

/** Of each rank the table's rows of all columns, in order of ranks. */
function cellsByRank(calls: Table, own: number[], numbers: number[]): Map<number, number[]> {
  const [sequences, texts] = [numbersOf(calls, 'sequence'), textsOf(calls, 'ranks')]
  const found = new Map<number, number[]>()
  for (const row of own) {
    const column = numbers.indexOf(sequences[row] ?? 0)
    for (const rank of ranksOf(texts[row] ?? '')) {
      const cells = found.get(rank) ?? numbers.map(() => -1)
      cells[column] = row
      found.set(rank, cells)
    }
  }
  return new Map([...found].sort(([a], [b]) => a - b))
}

function singles(cells: ReadonlyMap<number, number[]>): HangRow[] {
  return [...cells].map(([rank, own]) => ({ key: `${rank}`, ranks: [rank], cells: own, inside: false }))
}

/** Ranks that look alike, and whose call that hangs is the same in everything. */
function alike(cells: ReadonlyMap<number, number[]>, marks: Mark[], at: number): HangRow[] {
  const groups = new Map<string, HangRow>()
  for (const [rank, own] of cells) {
    const key = `${own.map((row) => marks[row] ?? '').join()} ${own[at] ?? ''}`
    const known = groups.get(key)
    if (known) known.ranks.push(rank)
    else groups.set(key, { key: `${rank}+`, ranks: [rank], cells: own, inside: false })
  }
  return [...groups.values()]
}

function below(one: HangRow, cells: ReadonlyMap<number, number[]>): HangRow[] {
  if (one.ranks.length < 2) return []
  return one.ranks.map((rank) => ({ key: `${rank}`, ranks: [rank], cells: cells.get(rank) ?? [], inside: true }))
}

/** Columns next to each other with one collective. */
export function headsOf(columns: readonly HangColumn[]): { collective: string; columns: number }[] {
  const heads: { collective: string; columns: number }[] = []
  for (const { collective } of columns) {
    const last = heads.at(-1)
    if (last?.collective === collective) last.columns += 1
    else heads.push({ collective, columns: 1 })
  }
  return heads
}

/** px of a sign of a heading, and around it. */
const [SIGN, AROUND] = [6.6, 10]

/** Whether a heading has room for the whole name of its collective. */
export const fits = (name: string, px: number): boolean => name.length * SIGN + AROUND <= px

/** Width of a column, px: so that every heading is whole if the room allows, else the least. */
export function columnWidth(columns: readonly HangColumn[], room: number, least: number): number {
  const needed = headsOf(columns).map((one) => (one.collective.length * SIGN + AROUND) / one.columns)
  const wanted = Math.ceil(Math.max(least, ...needed))
  return wanted * columns.length <= room ? wanted : least
}

/** A collective in a narrow column, where all of them would begin alike: AG for all_gather, AR for all_reduce. */
export function initials(name: string): string {
  const parts = name.split('_').filter(Boolean)
  return parts.length > 1 ? parts.map((one) => (one[0] ?? '').toUpperCase()).join('') : name
}

/** Ranks that a row is of, as a text. */
export const ranksText = (row: HangRow): string => runsText(row.ranks)

/** The marks that occur, in the order of a legend. */
export function marksIn(matrix: HangMatrix): Mark[] {
  const seen = new Set(matrix.rows.flatMap((row) => row.cells.map((one) => matrix.marks[one])))
  return (Object.keys(MARKS) as Mark[]).filter((mark) => seen.has(mark))
}

/** Of each row and call what became of it. */
export function matrixCsv(matrix: HangMatrix): string {
  const rows = matrix.rows.map((row) => [ranksText(row), ...row.cells.map((one) => matrix.marks[one] ?? '')])
  const head = matrix.columns.map(({ collective, sequence }) => `${collective} ${sequence}`)
  return csvText([['rank', ...head], ...rows])
}
