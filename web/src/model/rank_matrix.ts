/** The table `rank_matrix` as a field of ranks against steps, and `rank_waits` as one of ranks against ranks. */

import { cellsOf, type Columns, numbersOf } from './columns_of.ts'
import { csvText } from './csv.ts'
import { emptyHeat, fillHeat, type Heat, heatScale, type HeatScale, scaleFromNothing } from './heat.ts'

/** Columns that can be shown, the one first that says who is late. */
export const MATRIX_COLUMNS = [
  'lateness_ns',
  'own_ns',
  'duration_ns',
  'compute_ns',
  'exposed_wait_ns',
  'exposed_transfer_ns',
  'exposed_unmatched_ns',
  'exposed_memory_ns',
  'idle_ns',
  'communication_ns',
] as const

/** Whole steps differ by little: their colours show by how much. All others count from nothing. */
const WHOLE: ReadonlySet<string> = new Set(['own_ns', 'duration_ns', 'compute_ns'])

/** Share of the median step that the strongest colour stands for at least. */
const LEAST = 0.05

/** Ranks of which each pair has its cell; of more, the pairs stand in a table. */
export const MOST_IN_SQUARE = 32

/** Numbers that any of some columns holds, ascending. */
export function distinct(...columns: (number | null)[][]): number[] {
  const found = new Set<number>()
  for (const column of columns) for (const value of column) if (value !== null) found.add(value)
  return [...found].sort((a, b) => a - b)
}

export type MeasureId = 'delay' | 'step' | 'exposed' | 'waiting' | 'recorded'

/** What ranks against steps can show in the strip: the sum of some columns of a table. The usual one comes first. */
export const MEASURES: readonly [Measure, ...Measure[]] = [
  { id: 'delay', table: 'rank_matrix', columns: ['lateness_ns'], late: true },
  { id: 'step', table: 'steps', columns: ['period_ns'] },
  {
    id: 'exposed',
    table: 'rank_matrix',
    columns: ['exposed_wait_ns', 'exposed_transfer_ns', 'exposed_unmatched_ns'],
  },
  { id: 'waiting', table: 'rank_matrix', columns: ['exposed_wait_ns'], late: true },
  { id: 'recorded', table: 'steps', columns: ['duration_ns'] },
]

interface Measure {
  id: MeasureId
  table: 'rank_matrix' | 'steps'
  columns: [string, ...string[]]
  /** None would be best: colours begin at nothing. */
  late?: boolean
}

/** The measure that an address names; null where it names none. */
export function measureOf(id: string): Measure | null {
  return MEASURES.find((one) => one.id === id) ?? null
}

/** The sum of some columns of each row; null where none is known. */
export function valuesOf(table: Columns, columns: readonly string[]): (number | null)[] {
  const parts = columns.map((name) => numbersOf(table, name))
  return (parts[0] ?? []).map((_, row) => {
    const known = parts.map((part) => part[row] ?? null).filter((one) => one !== null)
    return known.length ? known.reduce((sum, one) => sum + one, 0) : null
  })
}

/** A column of `rank_matrix`, ranks downwards and steps to the right. */
export function matrixHeat(table: Columns, column: string): Heat {
  const [ranks, steps] = [numbersOf(table, 'rank'), numbersOf(table, 'step')]
  const heat = emptyHeat(distinct(ranks), distinct(steps))
  fillHeat(heat, ranks, steps, cellsOf(table, column))
  return heat
}

/** What the colours of a column stand for. */
export function matrixScale(table: Columns, column: string, heat: Heat): HeatScale | null {
  if (WHOLE.has(column)) return heatScale(heat.values)
  const steps = numbersOf(table, 'duration_ns').filter((value) => value !== null)
  const median = steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0
  return scaleFromNothing(heat.values, LEAST * median)
}

/** A column of `rank_waits`: who waits downwards, for whom to the right. */
export function waitsHeat(table: Columns, column: string): Heat {
  const [waiting, late] = [numbersOf(table, 'rank'), numbersOf(table, 'for_rank')]
  const ranks = distinct(waiting, late)
  const heat = emptyHeat(ranks, ranks)
  fillHeat(heat, waiting, late, cellsOf(table, column))
  return heat
}

/** A field as CSV, a line for each row. */
export function heatCsv(heat: Heat, corner: string): string {
  const across = heat.columns.length
  const rows = heat.rows.map((row, i) => [
    row,
    ...Array.from(heat.values.subarray(i * across, (i + 1) * across), (value) => (Number.isNaN(value) ? null : value)),
  ])
  return csvText([[corner, ...heat.columns], ...rows])
}

/** Places of an axis that have room for their number: every, every second, every fifth, … of them. */
export function labelledPlaces(count: number, room: number, least: number): number[] {
  const fits = Math.max(1, Math.floor(room / least))
  const wanted = Math.ceil(count / fits)
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)))
  const each = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= wanted) ?? wanted
  return Array.from({ length: Math.ceil(count / each) }, (_, i) => i * each)
}
