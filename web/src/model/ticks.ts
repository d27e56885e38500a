/** Where an axis has its marks and how they read: round numbers in the unit of the column. */

import { NOTHING } from './format.ts'
import { cellText, unitOf } from './units.ts'

/** Steps of an axis: 1, 2, 5, 10, 20, … and for bytes powers of two. */
export function niceStep(span: number, column: string, marks: number): number {
  const least = span / Math.max(1, marks)
  if (!(least > 0) || !Number.isFinite(least)) return 1
  if (unitOf(column) === 'bytes') return 2 ** Math.ceil(Math.log2(least))
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10
  return step * power
}

/** End of an axis that starts at 0: the first mark at or above the largest value, and the step between marks. */
export function axisEnd(largest: number, column: string, marks = 5): { max: number; step: number } {
  const step = wholeStep(niceStep(largest, column, marks), column)
  return { max: Math.max(step, Math.ceil((largest / step) * (1 - 1e-9)) * step), step }
}

/** Things that come one by one have no marks between two of them. */
function wholeStep(step: number, column: string): number {
  const unit = unitOf(column)
  return unit === 'count' || unit === 'ns' || unit === 'bytes' ? Math.max(1, step) : step
}

/** A value at a mark of an axis: as in a cell, without digits that say nothing. */
export function tickText(column: string, value: number): string {
  if (value === 0) return '0'
  const text = cellText(column, value)
  // A mark of a logarithmic axis may be smaller than cells show.
  if (unitOf(column) === 'count' && Math.abs(value) < 0.1) return String(Number(value.toPrecision(2)))
  return text === NOTHING ? text : text.replace(/(\d)\.0+(?=\D|$)/, '$1').replace(/(\.\d*?[1-9])0+(?=\D|$)/, '$1')
}

/** A value as a cell shows it and, where that is rounded, all its digits. */
export function exactText(column: string, value: number | null): string {
  const text = cellText(column, value)
  if (value === null || !Number.isFinite(value)) return text
  const unit = { ns: ' ns', bytes: ' B' }[unitOf(column) as string]
  if (unit === undefined || Math.abs(value) < 1000) return text
  return `${text} (${value.toLocaleString('en-US')}${unit})`
}

const TIME_UNITS: [number, string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
  [1, 'ns'],
]

/** The unit that a length of time is written in, and how many ns it has. */
export function timeUnit(length: number): [factor: number, name: string] {
  return TIME_UNITS.find(([factor]) => length >= factor) ?? [1, 'ns']
}

/** Moments at marks `step` apart, all in the unit of the largest, with as many digits as tell them apart. */
export function momentTexts(moments: number[], step: number): string[] {
  const largest = Math.max(...moments.map(Math.abs), 0)
  const [factor, unit] = timeUnit(largest)
  const digits = Math.min(9, Math.max(0, Math.ceil(Math.log10(factor / step) - 1e-9)))
  return moments.map((moment) => (moment === 0 ? '0' : `${(moment / factor).toFixed(digits)} ${unit}`))
}

/** A moment to the microsecond: `259.184 ms`. */
export function preciseMoment(moment: number): string {
  return momentTexts([moment], 1000)[0] ?? ''
}
