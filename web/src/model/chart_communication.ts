/** Charts of the tables `communication` and `rank_matrix`: transferring against waiting, and bandwidth. */

import type { BarChart, BarSeries } from './chart.ts'
import { type Columns, cellsOf, numbersOf, rowCount } from './columns_of.ts'
import { bytesText, countText } from './format.ts'

/** What the time of communication divides into, in `communication` and, exposed, in `rank_matrix`. */
const PARTS = [
  { name: 'transfer', column: 'transfer_ns', tint: { meaning: 'communication' } },
  { name: 'wait', column: 'wait_ns', tint: { meaning: 'idle' } },
  { name: 'unmatched', column: 'unmatched_ns', tint: { meaning: 'communication', shade: 7 } },
] as const
type PartName = (typeof PARTS)[number]['name']

interface CommunicationWords {
  category: string
  time: string
  /** What the parts of a row add up to. */
  total: string
  bandwidth: string
  algbw: string
  busbw: string
  step: string
  rank: (rank: string) => string
  parts: Record<PartName, string>
}

/** Series that have anything to show, and the first in any case. */
function shown(series: BarSeries[]): BarSeries[] {
  return series.filter((one, i) => i === 0 || one.values.some((value) => value))
}

/** Rows that a chart has bars for. */
const MOST_ROWS = 16

/** Names of the rows: the operation, and of rank, group, type and size what tells rows apart, sizes exactly if need be. */
export function rowNames(table: Columns, rank: (rank: string) => string): string[] {
  const [short, exact] = [bytesText, (bytes: number) => `${countText(bytes)} B`].map((size) => named(table, rank, size))
  const isOneOfSeveral = (name: string, row: number) => short?.some((other, at) => other === name && at !== row)
  return (short ?? []).map((name, row) => (isOneOfSeveral(name, row) ? (exact?.[row] ?? name) : name))
}

function named(table: Columns, rank: (rank: string) => string, sizeText: (bytes: number) => string): string[] {
  const differ = (column: string) => new Set(cellsOf(table, column)).size > 1
  const [several, groups, types] = [differ('rank'), differ('group'), differ('dtype')]
  const sized = cellsOf(table, 'call_bytes').some((value) => value !== null)
  const cells = (column: string) => cellsOf(table, column)
  return Array.from({ length: rowCount(table) }, (_, row) => {
    const [size, group, dtype] = [cells('call_bytes')[row], cells('group')[row], cells('dtype')[row]]
    const parts = [
      several ? rank(`${cells('rank')[row]}`) : null,
      cells('op')[row],
      groups ? group : null,
      types ? dtype : null,
      sized && typeof size === 'number' ? sizeText(size) : null,
    ]
    return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')
  })
}

/** Rows with most of a column, most first; those without any are left out. */
function largest(values: (number | null)[]): number[] {
  const rows = values.flatMap((value, row) => (value ? [row] : []))
  return rows.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0)).slice(0, MOST_ROWS)
}

/** The time of each row: transferring, waiting, not told apart. */
export function waitingChart(table: Columns, words: CommunicationWords): BarChart {
  const rows = largest(numbersOf(table, 'total_ns'))
  const names = rowNames(table, words.rank)
  return {
    kind: 'bars',
    column: 'total_ns',
    categories: rows.map((row) => names[row] ?? ''),
    categoryTitle: words.category,
    valueTitle: words.time,
    horizontal: true,
    series: shown(
      PARTS.map(({ name, column, tint }) => ({
        name: words.parts[name],
        tint,
        stack: 'time',
        values: rows.map((row) => numbersOf(table, column)[row] ?? null),
      })),
    ),
    rows,
    total: words.total,
  }
}

/** Bandwidth of each row of which it is known, in the order of the table. */
export function bandwidthChart(table: Columns, words: CommunicationWords): BarChart {
  const [algorithm, bus] = [numbersOf(table, 'algbw'), numbersOf(table, 'busbw')]
  const names = rowNames(table, words.rank)
  const rows = algorithm.flatMap((value, row) => (value === null ? [] : [row])).slice(0, MOST_ROWS)
  return {
    kind: 'bars',
    column: 'algbw',
    categories: rows.map((row) => names[row] ?? ''),
    categoryTitle: words.category,
    valueTitle: words.bandwidth,
    horizontal: true,
    series: [
      { name: words.algbw, tint: { meaning: 'communication' }, values: rows.map((row) => algorithm[row] ?? null) },
      { name: words.busbw, tint: { meaning: 'communication', shade: 7 }, values: rows.map((row) => bus[row] ?? null) },
    ],
    rows,
  }
}

/** Exposed communication of each step, as the mean over the ranks that have it: transferring and waiting. */
export function exposedSteps(matrix: Columns, words: CommunicationWords): BarChart {
  const of = numbersOf(matrix, 'step')
  const steps = [...new Set(of.filter((step) => step !== null))].sort((a, b) => a - b)
  const mean = (column: string) => {
    const sums = new Map<number, [sum: number, ranks: number]>()
    numbersOf(matrix, column).forEach((value, row) => {
      const step = of[row]
      if (value === null || step === null || step === undefined) return
      const [sum, ranks] = sums.get(step) ?? [0, 0]
      sums.set(step, [sum + value, ranks + 1])
    })
    return steps.map((step) => {
      const found = sums.get(step)
      return found ? found[0] / found[1] : null
    })
  }
  return {
    kind: 'bars',
    column: 'total_ns',
    categories: steps.map(String),
    categoryTitle: words.step,
    valueTitle: words.time,
    horizontal: false,
    series: shown(
      PARTS.map(({ name, column, tint }) => ({
        name: words.parts[name],
        tint,
        stack: 'time',
        values: mean(`exposed_${column}`),
      })),
    ),
    rows: steps,
    titleOf: (item) => `${words.step} ${steps[item]}`,
    total: words.total,
  }
}
