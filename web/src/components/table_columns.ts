/** The columns of a table as its component draws them. */

import type { Cell, ColumnFacts, TableData } from '../api/types.ts'
import { columnWords } from '../i18n/columns.ts'
import { foldNames, folds } from '../model/kernel_names.ts'
import { isSeen, shownName, visible } from '../model/names.ts'
import { NOTHING } from '../model/format.ts'
import { rowCount } from '../model/columns_of.ts'
import { allRows, mayAdd, sumOf } from '../model/rows.ts'
import { TABLE_FACTS, type Unit } from '../model/table_facts.ts'
import type { Tree } from '../model/tree.ts'
import { calledIn, shownValue, type ValueWords } from '../model/value_words.ts'
import { tableText, unitOf, withoutUnit } from '../model/units.ts'
import { widthOf, type Width } from '../model/widths.ts'
import { inDeviceWords } from '../state/words.svelte.ts'

interface CellView {
  text: string
  /** In its own narrow column, so that the digits of a column stand under each other. */
  unit: string
  /** Share of the cell's width that its bar fills, 0 to 1; null without one. */
  bar: number | null
  /** The text is no text of the recording, but says that it has none to see. */
  marked?: boolean
}

export interface ColumnView extends ColumnFacts {
  title: string
  /** The title, without the unit that follows it there. */
  heading: string
  textual: boolean
  /** Unit of all its cells, shown in the heading; empty where cells have their own. */
  unit: string
  /** Room of the units in its cells, in px. */
  unitRoom: number
  width: Width
  cell(row: number): CellView
}

/** How rows that stand inside one another are shown. */
export interface RowTree {
  tree: Tree
  isOpen: (row: number) => boolean
  toggle: (row: number) => void
}

/** Words that cells show in place of values. */
interface CellWords {
  yes: string
  no: string
  /** In place of a name without a letter. */
  nameless: string
  /** Of columns with few values. */
  values: ValueWords
  /** A call and the operator that made it. */
  callIn: (call: string, operator: string) => string
}

const ONE_UNIT: Partial<Record<Unit, string>> = { pct: '%', 'GB/s': 'GB/s' }

const SAMPLE = 400

/** Room of the units behind the numbers of a column, in px: `ms` and `GiB` stand under each other in all columns. */
const UNIT = 28
const UNIT_SIGN = 7

function roomOf(cells: CellView[]): number {
  const longest = cells.reduce((most, one) => Math.max(most, one.unit.length), 0)
  return longest === 0 ? 0 : Math.max(UNIT, 4 + UNIT_SIGN * longest)
}

/** How each column of a table is drawn. */
export function columnViews(data: TableData, language: 'en' | 'zh', words: CellWords): ColumnView[] {
  return data.columns.map((facts, i) => {
    const textual = facts.type === 'text' || facts.type === 'bool'
    const { title, description } = inDeviceWords(columnWords(language, data.table, facts.name, facts.description))
    const unit = facts.type === 'text' ? '' : (ONE_UNIT[unitOf(facts.name)] ?? '')
    const heading = withoutUnit(title, unit)
    const view =
      facts.type === 'text' ? textView(data, facts.name, language, words) : numberView(data, facts, unit, words)
    const rows = Math.min(rowCount(data), SAMPLE)
    const cells = Array.from({ length: rows }, (_, row) => view(row))
    const texts = cells.map((one) => one.text)
    const unitRoom = roomOf(cells)
    const width = widthOf(texts, unit ? `${heading} ${unit}` : heading, facts.type === 'text', i === 0, unitRoom)
    // What these hold says more than the columns beside them.
    if (TABLE_FACTS[data.table]?.wide?.includes(facts.name)) width.least = Math.min(width.most, 280)
    // A bar needs room to say something.
    if (unitOf(facts.name) === 'pct') width.least = width.most = Math.max(width.most, 92)
    return { ...facts, title, heading, description, textual, unit, unitRoom, width, cell: view }
  })
}

const folded = new WeakMap<TableData, Map<string, Map<string, string>>>()

/** What the names of a column look like, folded so that different ones look different; made once. */
function foldedNames(data: TableData, name: string): Map<string, string> {
  const known = folded.get(data) ?? new Map<string, Map<string, string>>()
  folded.set(data, known)
  let names = known.get(name)
  if (!names) {
    const texts = new Set((data.data[name] ?? []).filter((one): one is string => typeof one === 'string' && folds(one)))
    names = foldNames(texts)
    known.set(name, names)
  }
  return names
}

function textView(data: TableData, name: string, language: 'en' | 'zh', words: CellWords): (row: number) => CellView {
  const values = data.data[name] ?? []
  const said = data.messages?.[name]
  const names = TABLE_FACTS[data.table]?.names?.includes(name) ? foldedNames(data, name) : null
  return (row) => {
    const value = values[row]
    const text = value === null || value === undefined ? NOTHING : String(value)
    const worded = name === 'host_event' ? calledIn(text, words.callIn) : text
    const shown =
      worded !== text
        ? worded
        : (names?.get(text) ?? said?.[text]?.text[language] ?? shownValue(words.values, name, text))
    if (name === 'name' && typeof value === 'string' && !isSeen(shown))
      return { text: shownName(shown, words.nameless), unit: '', bar: null, marked: true }
    return { text: visible(shown), unit: '', bar: null }
  }
}

function numberView(data: TableData, facts: ColumnFacts, unit: string, words: CellWords): (row: number) => CellView {
  const { name, type } = facts
  const values = data.data[name] ?? []
  const share = unitOf(name) === 'pct' && type !== 'bool'
  return (row) => {
    const value = values[row]
    if (typeof value === 'boolean') return { text: value ? words.yes : words.no, unit: '', bar: null }
    const bar = share && typeof value === 'number' ? Math.min(1, Math.max(0, value / 100)) : null
    return { ...valueParts(name, value, unit, type === 'float'), bar }
  }
}

/** A number and its unit apart: `1.84` and `ms`. */
export function valueParts(
  name: string,
  value: Cell | undefined,
  unit: string,
  fractions = false,
): { text: string; unit: string } {
  const text = tableText(name, value, fractions)
  const at = text.lastIndexOf(' ')
  if (text === NOTHING || at < 0 || typeof value !== 'number') return { text, unit: '' }
  return { text: text.slice(0, at), unit: unit ? '' : text.slice(at + 1) }
}

/** What a bar of a sorted time or size is a share of: all of it where rows may be added up, else the largest. */
export function barWhole(data: TableData, name: string): number {
  if (!['ns', 'bytes'].includes(unitOf(name)) || data.columns.find((one) => one.name === name)?.moment) return 0
  if (mayAdd(data, name)) return Number(sumOf(data, name, allRows(data)) ?? 0)
  let largest = 0
  for (const value of data.data[name] ?? []) if (typeof value === 'number' && value > largest) largest = value
  return largest
}
