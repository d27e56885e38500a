/** The unit of a column, as the schema has it, and its cells as text. */

import { bytesText, countText, fixedText, flopsText, NOTHING, percentText, rateText, timeText } from './format.ts'
import { IDS, MIXED, MOMENTS, type Unit, UNITS } from './table_facts.ts'

export function unitOf(column: string): Unit {
  return UNITS[column] ?? 'count'
}

/** A title without its unit, where that is written behind it: `Calls %` as `Calls`. */
export function withoutUnit(title: string, unit: string): string {
  return unit && title.endsWith(` ${unit}`) ? title.slice(0, -unit.length - 1) : title
}

/** A cell as text, in the unit of its column. Of a column of fractions, whole numbers have decimals like the others. */
export function cellText(
  column: string,
  value: string | number | boolean | null | undefined,
  fractions = false,
): string {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  const unit = unitOf(column)
  switch (unit) {
    case 'ns':
      return timeText(value)
    case 'bytes':
      return bytesText(value)
    case 'pct':
      return percentText(value)
    case 'flops':
      return flopsText(value)
    case 'FLOP/s':
    case 'B/s':
      return rateText(value, unit)
    case 'GB/s':
      // Between machines it may be a hundredth of that within one.
      return value > 0 && value < 0.005 ? '<0.01 GB/s' : `${fixedText(value, value < 9.995 ? 2 : 1)} GB/s`
    default:
      return plainText(column, value, fractions)
  }
}

/** A cell of a table: moments, unlike lengths of time, to the microsecond, as the command line prints them. */
export function tableText(
  column: string,
  value: string | number | boolean | null | undefined,
  fractions = false,
): string {
  if (typeof value !== 'number' || !MOMENTS.has(column)) return cellText(column, value, fractions)
  const [whole = '', digits = ''] = fixedText(Math.abs(value) / 1e6, 3).split('.')
  return `${value < 0 ? '-' : ''}${countText(Number(whole))}.${digits} ms`
}

function plainText(column: string, value: number, fractions: boolean): string {
  if (IDS.has(column)) return String(value)
  const whole = Math.abs(value) >= 999.995 || (Number.isInteger(value) && (!fractions || MIXED.has(column)))
  return whole ? countText(Number(fixedText(value, 0))) : fixedText(value, 2)
}
