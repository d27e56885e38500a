/** The table `recordings` as bars on the run's clock, each with how it belongs to the run. */

import type { Said, TableData } from '../api/types.ts'
import { cellsOf, numbersOf, textsOf } from './columns_of.ts'
import { saidAt } from './said.ts'

/**
 * The run's clock is that of `reference`; `rank` has a clock of its own, which was aligned, `wall` that of its host,
 * which was not, as dumps of the flight recorder have it; `clock`, `zone` and `annotations` say how a recording beside a
 * trace is on that one's; `span` is another part of the same process; `beside` has tables of its own and no clock in
 * common, `apart` is shown nowhere.
 */
export type Belonging = 'reference' | 'rank' | 'wall' | 'clock' | 'zone' | 'annotations' | 'span' | 'beside' | 'apart'

export interface RecordingBar {
  /** Row of the table. */
  row: number
  kind: string
  recorder: string
  /** File name without its folder. */
  name: string
  path: string
  rank: number | null
  events: number | null
  belongs: Belonging
  /** On the run's clock; null where it is not on it. */
  span: [start: number, end: number] | null
  /** How far it may be off, ns. */
  unsure: number | null
  note: Said | null
}

const JOINED = ['clock', 'zone', 'annotations'] as const
const OFF_THE_CLOCK: ReadonlySet<Belonging> = new Set(['beside', 'apart'])

/** A bar for each recording, in the order of the table; those that are not joined come last. */
export function recordingBars(table: Pick<TableData, 'data' | 'messages'>): RecordingBar[] {
  const text = (column: string) => textsOf(table, column)
  const [kinds, recorders, paths, joined] = [text('kind'), text('recorder'), text('path'), text('joined')]
  const number = (column: string) => numbersOf(table, column)
  const [ranks, starts, durations, spans] = [number('rank'), number('start_ns'), number('duration_ns'), number('span')]
  const [events, unsure, used] = [number('events'), number('uncertainty_ns'), cellsOf(table, 'used')]
  const known = new Set<number | null>()
  const bars = kinds.map((kind, row): RecordingBar => {
    const [rank, start] = [ranks[row] ?? null, starts[row] ?? null]
    const own = rank !== null && !known.has(rank)
    const first = own && known.size === 0
    if (rank !== null) known.add(rank)
    const how = JOINED.find((one) => one === joined[row])
    const other = kind === 'flight_recorder' ? 'wall' : 'rank'
    const belongs = how ?? (own ? (first ? 'reference' : other) : outside(spans[row] ?? null, used[row] === true))
    const on = start !== null && !OFF_THE_CLOCK.has(belongs)
    return {
      row,
      kind,
      recorder: recorders[row] ?? '',
      name: fileName(paths[row] ?? ''),
      path: paths[row] ?? '',
      rank,
      events: events[row] ?? null,
      belongs,
      span: on ? [start, start + Math.max(0, durations[row] ?? 0)] : null,
      unsure: unsure[row] ?? null,
      note: saidAt(table, 'note', row),
    }
  })
  const last = (one: RecordingBar) => Number(OFF_THE_CLOCK.has(one.belongs))
  return bars.sort((a, b) => last(a) - last(b) || a.row - b.row)
}

function outside(span: number | null, used: boolean): Belonging {
  if (span !== null) return 'span'
  return used ? 'beside' : 'apart'
}

function fileName(path: string): string {
  const parts = path.split(/[/\\]/).filter(Boolean)
  return parts.at(-1) ?? path
}

/** First and last moment of what is on the run's clock; null where nothing is. */
export function clockOf(bars: readonly RecordingBar[]): [number, number] | null {
  const spans = bars.flatMap((one) => (one.span ? [one.span] : []))
  if (spans.length === 0) return null
  const [first, last] = [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))]
  return last > first ? [first, last] : [first, first + 1]
}

/** Of many bars those that fit: every one that is not joined, and of the others the first. */
export function fitting(bars: RecordingBar[], most: number): { shown: RecordingBar[]; more: number } {
  if (bars.length <= most) return { shown: bars, more: 0 }
  const on = bars.filter((one) => !OFF_THE_CLOCK.has(one.belongs))
  const off = bars.filter((one) => OFF_THE_CLOCK.has(one.belongs))
  const room = Math.max(1, most - Math.min(off.length, Math.ceil(most / 2)))
  const shown = [...on.slice(0, room), ...off.slice(0, most - Math.min(room, on.length))]
  return { shown, more: bars.length - shown.length }
}

/** How many recordings no table shows and no clock places. */
export function apartCount(bars: readonly RecordingBar[]): number {
  return bars.filter((one) => one.belongs === 'apart').length
}

/** Pages that the views of a kind of recording stand on, in the order of their words. */
export const VIEW_PAGES = {
  trace: ['verdict', 'timeline', 'operators', 'kernels', 'idle'],
  memory_snapshot: ['memory'],
  telemetry: ['telemetry', 'timeline'],
  kernel_report: ['verdict', 'kernel_reports'],
  flight_recorder: ['verdict', 'hangs', 'timeline'],
  compile_log: ['compilation'],
  communication_log: ['verdict', 'run_collectives'],
  input_pipeline: ['data_loading'],
  nsys: ['launches', 'kernels', 'modules', 'timeline', 'telemetry', 'verdict', 'health', 'tables'],
} as const

/** The page that shows a recording of a kind that is opened by itself. */
export function pageOfKind(kind: string) {
  if (kind === 'memory_snapshot') return 'memory'
  if (kind === 'kernel_report') return 'kernel_reports'
  return kind === 'telemetry' ? 'telemetry' : 'verdict'
}

export type ViewKind = keyof typeof VIEW_PAGES

/** Which list of views a recording has; null for kinds without views of their own. */
export function viewKind(one: Pick<RecordingBar, 'kind' | 'recorder'>): ViewKind | null {
  if (one.recorder === 'Nsight Systems') return 'nsys'
  return one.kind in VIEW_PAGES ? (one.kind as ViewKind) : null
}
