/** Steps as stacked bars: one bar for each rank and step, its parts adding up to the step. */

import type { BarChart, Tint } from './chart.ts'
import { STEP_PARTS } from './colours.ts'
import { type Columns, numbersOf, rowCount } from './columns_of.ts'

/** A part of a step: the sum of some columns of its row. */
export interface StepPart {
  columns: string[]
  name: string
  tint: Tint
  /** Parts of one stack add up; all of a step without it. */
  stack?: string
}

export interface StepWords {
  step: string
  rank: string
  time: string
  /** What the parts add up to; null where they do not. */
  total: string | null
  /** Said of a bar that stands for several steps. */
  longestOf: (count: number) => string
  /** A step that the window or the end of the file cut: its parts are not those of a whole one. */
  cut: (step: string) => string
}

/** Bars that fit on a screen. */
export const MOST_BARS = 240

/** Parts of the table `steps`, one for each meaning. */
export function breakdownParts(names: Record<string, string>): StepPart[] {
  const parts = new Map<string, StepPart>()
  for (const { column, meaning } of STEP_PARTS) {
    const part = parts.get(meaning)
    if (part) part.columns.push(column)
    else parts.set(meaning, { columns: [column], name: names[meaning] ?? meaning, tint: { meaning } })
  }
  return [...parts.values()]
}

/** Parts that any row has some of; all of them where no row has any. */
export function partsIn(table: Columns, parts: StepPart[]): StepPart[] {
  const found = parts.filter((part) => partValues(table, part).some((value) => (value ?? 0) > 0))
  return found.length > 0 ? found : parts
}

/** Sum of a part's columns in each row; null where the row has none of them. */
function partValues(table: Columns, part: StepPart): (number | null)[] {
  const columns = part.columns.map((column) => numbersOf(table, column))
  return Array.from({ length: rowCount(table) }, (_, row) => {
    const known = columns.map((column) => column[row] ?? null).filter((value) => value !== null)
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null
  })
}

/**
 * The rows to show: all of them, or the longest of every few neighbours where there are more than `most`. Nothing is
 * averaged: a bar is always one real step.
 */
export function shownRows(totals: number[], most: number): { rows: number[]; each: number } {
  const each = Math.max(1, Math.ceil(totals.length / most))
  const rows: number[] = []
  for (let from = 0; from < totals.length; from += each) {
    let longest = from
    for (let row = from; row < Math.min(from + each, totals.length); row++)
      if ((totals[row] ?? 0) > (totals[longest] ?? 0)) longest = row
    rows.push(longest)
  }
  return { rows, each }
}

/** A chart of a table with the columns rank and step. */
export function stepChart(table: Columns, parts: StepPart[], words: StepWords, most = MOST_BARS): BarChart {
  const [ranks, steps] = [numbersOf(table, 'rank'), numbersOf(table, 'step')]
  const values = parts.map((part) => partValues(table, part))
  const totals = steps.map((_, row) => values.reduce((sum, one) => sum + (one[row] ?? 0), 0))
  const { rows } = shownRows(totals, most)
  const several = new Set(ranks).size > 1
  const numbered = (row: number) => {
    const step = `${steps[row] ?? ''}`
    return table.data['cut']?.[row] ? words.cut(step) : step
  }
  const name = (row: number) => {
    const step = numbered(row)
    return several ? `${words.rank} ${ranks[row]} · ${step}` : step
  }
  return {
    kind: 'bars',
    column: 'total_ns',
    categories: rows.map(name),
    categoryTitle: several ? `${words.rank} · ${words.step}` : words.step,
    valueTitle: words.time,
    horizontal: false,
    series: parts.map((part, i) => ({
      name: part.name,
      tint: part.tint,
      stack: part.stack ?? 'step',
      values: rows.map((row) => values[i]?.[row] ?? null),
    })),
    rows,
    titleOf: (item) => {
      const row = rows[item] ?? -1
      const step = `${words.step} ${numbered(row)}`
      return several ? `${words.rank} ${ranks[row]} · ${step}` : step
    },
    ...(words.total === null ? {} : { total: words.total }),
  }
}
