/** The table `kernel_details`: the figures of a profiled kernel by section, and those of another one beside them. */

import { type Columns, cellsOf, numbersOf, textsOf } from './columns_of.ts'
import { moreThan } from './kernel_baseline.ts'
import { bytesText, countText, fixedText, NOTHING, percentText, rateText, timeText } from './format.ts'

export interface DetailFigure {
  name: string
  value: string
  /** The metric that it is. */
  exact: string
  /** Of the other kernel; "" without one. */
  base: string
  /** How much more it is, per cent of the other; null where that says nothing. */
  more: number | null
}

export interface DetailSection {
  name: string
  rows: DetailFigure[]
}

/** Figures of one kernel by section, in the table's order. */
export function detailSections(table: Columns, rows: number[], baseRows: number[]): DetailSection[] {
  const [sections, labels, metrics] = ['section', 'label', 'metric'].map((column) => textsOf(table, column))
  const key = (row: number) => `${sections?.[row]}|${labels?.[row]}`
  const base = new Map(baseRows.map((row) => [key(row), row]))
  const values = numbersOf(table, 'value')
  const found = new Map<string, DetailFigure[]>()
  for (const row of rows) {
    const name = sections?.[row] ?? ''
    const other = base.get(key(row))
    const [own, theirs] = [values[row] ?? null, other === undefined ? null : (values[other] ?? null)]
    const figure = {
      name: labels?.[row] ?? '',
      value: figureText(table, row),
      exact: metrics?.[row] ?? '',
      base: other === undefined ? '' : figureText(table, other),
      more: moreThan(own, theirs),
    }
    found.set(name, [...(found.get(name) ?? []), figure])
  }
  return [...found].map(([name, figures]) => ({ name, rows: figures }))
}

/** A figure of a section by its name, as a number. */
export function figureOf(table: Columns, rows: number[], label: string): number | null {
  const labels = textsOf(table, 'label')
  const row = rows.find((one) => labels[one] === label)
  return row === undefined ? null : (numbersOf(table, 'value')[row] ?? null)
}

/** What schedulers do, with the names of Nsight Compute. */
const SCHEDULER = {
  active: 'Active Warps Per Scheduler',
  eligible: 'Eligible Warps Per Scheduler',
  issued: 'Issued Warp Per Scheduler',
  none: 'No Eligible',
} as const

export type SchedulerFigures = Record<keyof typeof SCHEDULER, number>

/** What the schedulers of a kernel do; null where the section was not collected. */
export function schedulerOf(table: Columns, rows: number[]): SchedulerFigures | null {
  const found = Object.entries(SCHEDULER).map(([name, label]) => [name, figureOf(table, rows, label)] as const)
  return found.every(([, value]) => value !== null) ? (Object.fromEntries(found) as SchedulerFigures) : null
}

/** A value in its unit; a text as it is. */
export function figureText(table: Columns, row: number): string {
  const value = numbersOf(table, 'value')[row] ?? null
  const unit = textsOf(table, 'unit')[row] ?? ''
  if (value === null) return String(cellsOf(table, 'text')[row] ?? NOTHING)
  if (unit === '%') return percentText(value)
  if (unit === 'ns') return timeText(value)
  if (unit === 'hz') return rateText(value, 'Hz')
  if (unit === 'byte/s') return rateText(value, 'B/s')
  if (unit === 'byte' || unit === 'byte/block') return bytesText(value)
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? countText(Math.round(value)) : fixedText(value, 2)
}
