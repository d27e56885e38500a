/** Charts of a table's rows: the largest as bars, sums by kind. */

import { type BarChart, type Part, partsOf, type Tint } from './chart.ts'
import type { Meaning } from './colours.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { percentText } from './format.ts'
import { foldNames } from './kernel_names.ts'
import { shownName } from './names.ts'
import { UNATTRIBUTED } from './rows.ts'

export interface RowSeries {
  column: string
  name: string
  tint: Tint
}

interface BarWords {
  category: string
  nameless: string
  value: string
}

/**
 * The rows with most of the first of some columns that has anything, as bars. What could not be attributed is shown by the table below, not here.
 *
 * @param name column that names a row.
 */
export function topRows(table: Columns, name: string, series: RowSeries[], most: number, words: BarWords): BarChart {
  const names = textsOf(table, name)
  const values = series.map(({ column }) => numbersOf(table, column))
  // In the order of the first column that has anything: what the sentence above it speaks of.
  const leading = values.find((one) => one.some((value, row) => (value ?? 0) > 0 && names[row] !== UNATTRIBUTED)) ?? []
  const largest = leading.map((value) => value ?? 0)
  const rows = names
    .map((_, row) => row)
    .filter((row) => (largest[row] ?? 0) > 0 && names[row] !== UNATTRIBUTED)
    .sort((a, b) => (largest[b] ?? 0) - (largest[a] ?? 0))
    .slice(0, most)
  const shown = foldNames(rows.map((row) => names[row] ?? ''))
  return {
    kind: 'bars',
    column: series[0]?.column ?? '',
    categories: rows.map((row) => shownName(shown.get(names[row] ?? '') ?? '', words.nameless)),
    categoryTitle: words.category,
    valueTitle: words.value,
    horizontal: true,
    series: series
      .map(({ name, tint }, i) => ({ name, tint, values: rows.map((row) => values[i]?.[row] ?? null) }))
      .filter((one) => one.values.some((value) => value)),
    rows,
  }
}

/** What kinds of kernels mean elsewhere in the app; all others compute. */
const KIND_MEANINGS: Record<string, Meaning> = { communication: 'communication', copy: 'memory', memory: 'memory' }

export interface KindWords {
  kind: string
  value: string
  /** Names of the meanings that kinds have. */
  parts: Record<string, string>
  rest: (count: number) => string
  /** Words for kinds; one without is shown itself. */
  kinds: Record<string, string>
}

/** A column summed by kind, the largest first, the smallest as one. Of tables whose rows may be added up. */
export function byKind(table: Columns, column: string, most: number, words: KindWords): BarChart {
  const [kinds, values] = [textsOf(table, 'kind'), numbersOf(table, column)]
  const sums = new Map<string, number>()
  kinds.forEach((kind, row) => sums.set(kind, (sums.get(kind) ?? 0) + (values[row] ?? 0)))
  const meaning = (kind: string): Meaning => KIND_MEANINGS[kind] ?? 'compute'
  const parts: Part[] = [...sums].map(([name, value]) => ({ name, value, tint: { meaning: meaning(name) }, row: null }))
  const shown = partsOf(parts, most, words.rest)
  const used = [...new Set(shown.map((part) => part.tint.meaning))]
  const whole = shown.reduce((sum, part) => sum + part.value, 0)
  return {
    kind: 'bars',
    column,
    categories: shown.map((part) => words.kinds[part.name] ?? (part.name || 'other')),
    categoryTitle: words.kind,
    valueTitle: words.value,
    horizontal: true,
    series: used.map((one) => ({
      name: words.parts[one] ?? one,
      tint: { meaning: one },
      stack: 'kind',
      values: shown.map((part) => (part.tint.meaning === one ? part.value : null)),
    })),
    rows: shown.map(() => null),
    details: (item) => [['', percentText((100 * (shown[item]?.value ?? 0)) / whole)]],
  }
}

/** Classes of lengths: share of the kernels and of their time, side by side. */
export function lengthBars(
  table: Columns,
  label: (from: number, to: number | null) => string,
  words: { length: string; share: string; count: string; time: string },
): BarChart {
  const [from, to] = [numbersOf(table, 'from_ns'), numbersOf(table, 'to_ns')]
  return {
    kind: 'bars',
    column: 'share_pct',
    categories: from.map((start, row) => label(start ?? 0, to[row] ?? null)),
    categoryTitle: words.length,
    valueTitle: words.share,
    horizontal: false,
    series: [
      { name: words.count, tint: { meaning: 'other' }, values: numbersOf(table, 'of_kernels_pct') },
      { name: words.time, tint: { meaning: 'compute' }, values: numbersOf(table, 'share_pct') },
    ],
    rows: from.map((_, row) => row),
  }
}
