/** The table `collective_bandwidth`, whole and by parts of the time: bandwidth of collectives over the run. */

import type { TableData } from '../api/types.ts'
import { cellsOf, largestRow, numberAt, numbersOf, rowCount, textsOf } from './columns_of.ts'
import type { BarChart } from './chart.ts'
import { bytesText, countText, percentText, timeText } from './format.ts'
import type { LineChart } from './line_chart.ts'

type Table = Pick<TableData, 'data'>

const KEY = ['op', 'communicator', 'link', 'from_bytes'] as const

/** So many lines can be told apart. */
export const MOST_LINES = 6

/** Rows that have bars. */
export const MOST_BARS = 12

/** What names a row of either form of the table. */
export function keyAt(table: Table, row: number): string {
  return JSON.stringify(KEY.map((column) => table.data[column]?.[row] ?? null))
}

/** "AllReduce 64 MiB": operation and size, which several communicators may share. */
export function kindAt(table: Table, row: number): string {
  return `${textsOf(table, 'op')[row]} ${bytesText(numberAt(table, 'from_bytes', row) ?? 0)}`
}

/** The communicator as the program calls it, and of messages its link. */
export function communicatorAt(table: Table, row: number): string {
  const [name, hash, link] = ['name', 'communicator', 'link'].map((column) => textsOf(table, column)[row] ?? '')
  return [name || hash, link].filter(Boolean).join(' ')
}

export interface Kind {
  name: string
  /** Rows of it, slow ones first, then in the table's order: most transfer time first. */
  rows: number[]
}

/** Operations and sizes, in the order of the table; those with a slow communicator or link first. */
export function kindsOf(table: Table): Kind[] {
  const found = new Map<string, number[]>()
  for (let row = 0; row < rowCount(table); row++) {
    const name = kindAt(table, row)
    found.set(name, [...(found.get(name) ?? []), row])
  }
  const slow = cellsOf(table, 'slow')
  const first = (rows: number[]) => [...rows.filter((row) => slow[row] === true), ...rows.filter((row) => !slow[row])]
  const kinds = [...found].map(([name, rows]) => ({ name, rows: first(rows) }))
  const isSlow = (kind: Kind) => slow[kind.rows[0] ?? -1] === true
  return [...kinds.filter(isSlow), ...kinds.filter((kind) => !isSlow(kind))]
}

interface TimeWords {
  since: string
  bandwidth: string
  slowest: string
}

/**
 * Median bandwidth of each row of a kind in each part of the time; of an only row its slowest call, too. Null where the
 * run is too short to have parts, or none of these rows is held.
 */
export function overTime(table: Table, parts: Table, kind: Kind, words: TimeWords): LineChart | null {
  const keys = kind.rows.map((row) => keyAt(table, row))
  const byKey = new Map<string, number[]>()
  for (let row = 0; row < rowCount(parts); row++) {
    const key = keyAt(parts, row)
    if (keys.includes(key)) byKey.set(key, [...(byKey.get(key) ?? []), row])
  }
  const shown = kind.rows.filter((_, at) => byKey.has(keys[at] ?? '')).slice(0, MOST_LINES)
  const elapsed = numbersOf(parts, 'elapsed_ns')
  const x = [...new Set([...byKey.values()].flat().map((row) => elapsed[row] ?? 0))].sort((a, b) => a - b)
  if (shown.length === 0 || x.length < 2) return null
  const values = (row: number, column: string) => {
    const at = new Map((byKey.get(keyAt(table, row)) ?? []).map((part) => [elapsed[part], part]))
    return x.map((moment) => numberAt(parts, column, at.get(moment) ?? -1))
  }
  const only = shown.length === 1 ? shown[0] : undefined
  const series = shown.map((row, at) => ({
    name: communicatorAt(table, row),
    tint: { meaning: TINTS[at % TINTS.length] ?? ('other' as const) },
    values: values(row, 'busbw'),
  }))
  const slowest = { name: words.slowest, tint: { meaning: 'other' as const }, dashed: true }
  return {
    kind: 'lines',
    x,
    xTitle: words.since,
    column: 'busbw',
    yTitle: words.bandwidth,
    series: only === undefined ? series : [...series, { ...slowest, values: values(only, 'busbw_least') }],
    levels: [],
  }
}

/** Colours that stand apart; they mean nothing here but which line is which. */
const TINTS = ['communication', 'compute', 'host', 'data_loading', 'memory', 'sync'] as const

interface BarWords {
  kind: string
  bandwidth: string
  median: string
  low: string
  slowName: (name: string) => string
}

/** Bandwidth of the rows with most transfer time, and of every slow one. */
export function bandwidthBars(table: Table, words: BarWords): BarChart {
  const slow = cellsOf(table, 'slow')
  const all = Array.from({ length: rowCount(table) }, (_, row) => row)
  const wanted = [...all.filter((row) => slow[row] === true), ...all.filter((row) => slow[row] !== true)]
  const rows = wanted.slice(0, MOST_BARS)
  const name = (row: number) => `${kindAt(table, row)} · ${communicatorAt(table, row)}`
  const values = (column: string) => rows.map((row) => numberAt(table, column, row))
  return {
    kind: 'bars',
    column: 'busbw',
    categories: rows.map((row) => (slow[row] === true ? words.slowName(name(row)) : name(row))),
    categoryTitle: words.kind,
    valueTitle: words.bandwidth,
    horizontal: true,
    series: [
      { name: words.median, tint: { meaning: 'communication' }, values: values('busbw') },
      { name: words.low, tint: { meaning: 'communication', shade: 7 }, values: values('busbw_low') },
    ],
    rows,
  }
}

interface FigureWords {
  calls: string
  complete: (share: string) => string
  slow: string
  slowMeans: string
  of: (rows: number) => string
  noneAlike: string
  waiting: string
  waitingOf: string
  unknown: string
  late: string
  lateBy: (share: string, time: string) => string
  lateNone: string
  rank: (rank: string) => string
}

const sum = (table: Table, column: string) => numbersOf(table, column).reduce<number>((all, one) => all + (one ?? 0), 0)

/** The run in figures; `late` is the table `collective_lateness`. */
export function figuresOf(table: Table, late: Table | null, words: FigureWords) {
  const calls = sum(table, 'calls')
  const compared = numbersOf(table, 'others_busbw').filter((one) => one !== null).length
  const slow = cellsOf(table, 'slow').filter((one) => one === true).length
  const figures = [
    {
      value: countText(calls),
      label: words.calls,
      notes: [words.complete(percentText((100 * sum(table, 'complete_calls')) / Math.max(1, calls)))],
    },
    {
      value: compared > 0 ? countText(slow) : '–',
      label: words.slow,
      means: words.slowMeans,
      notes: [compared > 0 ? words.of(compared) : words.noneAlike],
    },
  ]
  if (!late) return figures
  const total = sum(late, 'total_ns')
  const row = largestRow(late, 'late_ns') ?? -1
  const [lateNs, share] = [numberAt(late, 'late_ns', row) ?? 0, numberAt(late, 'last_pct', row)]
  return [
    ...figures,
    {
      value: total > 0 ? percentText((100 * sum(late, 'wait_ns')) / total) : '–',
      label: words.waiting,
      notes: [total > 0 ? words.waitingOf : words.unknown],
    },
    {
      value: lateNs > 0 ? words.rank(`${numberAt(late, 'rank', row)}`) : '–',
      label: words.late,
      notes: [lateNs > 0 ? words.lateBy(percentText(share), timeText(lateNs)) : words.lateNone],
    },
  ]
}
