/** The table `idle`: how long the GPU had nothing to do, and why. */

import type { BarChart, BarSeries, Line } from './chart.ts'
import { causeMeaning } from './colours.ts'
import { type Columns, numbersOf, rowCount, textsOf } from './columns_of.ts'
import { countText, percentText, timeText } from './format.ts'

export interface IdleWords {
  cause: string
  time: string
  rank: string
  all: string
  /** Names of causes; an unknown one is shown as the table has it. */
  causes: Record<string, string>
  share: string
  gaps: string
  longest: string
  perStep: string
  during: string
  device: string
  stream: string
}

function causeName(cause: string, words: IdleWords): string {
  return words.causes[cause] ?? cause
}

/** What the table says of a row beside its time. */
function rowLines(table: Columns, row: number, words: IdleWords): Line[] {
  const of = (column: string) => numbersOf(table, column)[row] ?? null
  const during = [textsOf(table, 'host_event')[row], textsOf(table, 'source')[row]].filter(Boolean).join(' · ')
  return [
    [words.share, percentText(of('share_pct'))],
    [words.gaps, countText(of('gaps'))],
    [words.longest, timeText(of('longest_ns'))],
    [words.perStep, timeText(of('per_step_ns'))],
    ...(during ? [[words.during, during] as const] : []),
  ]
}

/** Causes as bars, longest first; with several ranks each rank's time is a part of the bar. */
export function causeChart(table: Columns, words: IdleWords): BarChart {
  const causes = textsOf(table, 'cause')
  const [ranks, times] = [numbersOf(table, 'rank'), numbersOf(table, 'duration_ns')]
  const total = (cause: string) => times.reduce<number>((sum, ns, i) => sum + (causes[i] === cause ? (ns ?? 0) : 0), 0)
  const shown = [...new Set(causes)].sort((a, b) => total(b) - total(a))
  /** With source lines a cause has several rows. */
  const rowsOf = (rank: number | null, cause: string) =>
    causes.flatMap((one, i) => (one === cause && ranks[i] === rank ? [i] : []))
  const time = (rank: number | null, cause: string) =>
    rowsOf(rank, cause).reduce<number | null>((sum, row) => (sum ?? 0) + (times[row] ?? 0), null)
  const known = [...new Set(ranks)]
  const series = known.map((rank, at): BarSeries => {
    const shade = known.length > 1 ? { shade: at % 8 } : {}
    return {
      name: known.length > 1 ? `${words.rank} ${rank}` : words.time,
      tint: { meaning: 'other', ...shade },
      tints: shown.map((cause) => ({ meaning: causeMeaning(cause), ...shade })),
      values: shown.map((cause) => time(rank, cause)),
      stack: 'cause',
    }
  })
  const first = shown.map((cause) => causes.indexOf(cause))
  return {
    kind: 'bars',
    column: 'duration_ns',
    categories: shown.map((cause) => causeName(cause, words)),
    categoryTitle: words.cause,
    valueTitle: words.time,
    horizontal: true,
    series,
    rows: first,
    ...(known.length > 1 || causes.length > shown.length
      ? { total: words.all }
      : { details: (item) => rowLines(table, first[item] ?? 0, words) }),
  }
}

/** Bars that one can read at once. */
const MOST_STREAMS = 24

/** The table by device or stream: a bar for each, its parts the causes. */
export function streamChart(table: Columns, words: IdleWords): BarChart {
  const streams = table.data['stream'] !== undefined
  const [ranks, devices] = [numbersOf(table, 'rank'), numbersOf(table, 'device')]
  const stream = numbersOf(table, 'stream')
  const several = new Set(ranks).size > 1
  const name = (row: number) =>
    [
      several ? `${words.rank} ${ranks[row]}` : '',
      `${words.device} ${devices[row]}`,
      streams ? `${words.stream} ${stream[row]}` : '',
    ]
      .filter(Boolean)
      .join(' · ')
  const names = Array.from({ length: rowCount(table) }, (_, row) => name(row))
  const [causes, times] = [textsOf(table, 'cause'), numbersOf(table, 'duration_ns')]
  const shown = [...new Set(names)].slice(0, MOST_STREAMS)
  const at = new Map(names.map((one, row) => [`${causes[row]}\n${one}`, row]))
  const series = [...new Set(causes)].map((cause): BarSeries => ({
    name: causeName(cause, words),
    tint: { meaning: causeMeaning(cause) },
    stack: 'stream',
    values: shown.map((one) => times[at.get(`${cause}\n${one}`) ?? -1] ?? null),
  }))
  return {
    kind: 'bars',
    column: 'duration_ns',
    categories: shown,
    categoryTitle: streams ? words.stream : words.device,
    valueTitle: words.time,
    horizontal: true,
    series,
    rows: shown.map((one) => names.indexOf(one)),
    total: words.all,
  }
}

/** A stretch of time with as much around it on either side as tells where it is. */
export function around(start: number, duration: number): [number, number] {
  const margin = Math.max(1000, Math.round(duration * 0.75))
  return [Math.max(0, start - margin), start + duration + margin]
}
