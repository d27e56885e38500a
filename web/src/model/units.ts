/** The unit of a column, as its name says it, and its cells as text. */

import { bytesText, countText, fixedText, flopsText, NOTHING, percentText, rateText, timeText } from './format.ts'

export type Unit = 'ns' | 'bytes' | 'pct' | 'flops' | 'flop_rate' | 'byte_rate' | 'gb_rate' | 'count' | 'text'

const RATES: Record<string, Unit> = {
  achieved_flops: 'flop_rate',
  peak_flops: 'flop_rate',
  achieved_bandwidth: 'byte_rate',
  bandwidth: 'gb_rate',
  algbw: 'gb_rate',
  busbw: 'gb_rate',
}

/** Whole numbers that are names, not amounts. */
const LABELS = new Set([
  'rank', 'step', 'device', 'stream', 'collective', 'for_rank', 'first_rank', 'last_rank', 'best_rank', 'slowest_rank',
  'waited_for',
]) // prettier-ignore

export function unitOf(column: string): Unit {
  const rate = RATES[column]
  if (rate) return rate
  if (column.endsWith('_ns')) return 'ns'
  if (column === 'bytes' || column.endsWith('_bytes')) return 'bytes'
  if (column.endsWith('_pct') || column.startsWith('pct_')) return 'pct'
  if (column.endsWith('flops')) return 'flops'
  return 'count'
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
  switch (unitOf(column)) {
    case 'ns':
      return timeText(value)
    case 'bytes':
      return bytesText(value)
    case 'pct':
      return percentText(value)
    case 'flops':
      return flopsText(value)
    case 'flop_rate':
      return rateText(value, 'FLOP/s')
    case 'byte_rate':
      return rateText(value, 'B/s')
    case 'gb_rate':
      // Between machines it may be a hundredth of that within one.
      if (column !== 'bandwidth') return linkRateText(value)
      return value > 0 && value < 0.05 ? '<0.1 GB/s' : `${fixedText(value, 1)} GB/s`
    default:
      return plainText(column, value, fractions)
  }
}

function linkRateText(value: number): string {
  if (value > 0 && value < 0.005) return '<0.01 GB/s'
  return `${fixedText(value, value < 9.995 ? 2 : 1)} GB/s`
}

function plainText(column: string, value: number, fractions: boolean): string {
  if (LABELS.has(column)) return String(value)
  if (Number.isInteger(value) && (!fractions || Math.abs(value) >= 1000)) return countText(value)
  return fixedText(value, 2)
}

/** The heading of a column: its name without the unit that its cells show. */
export function titleOf(column: string): string {
  return column
    .replace(/^pct_/, '')
    .replace(/_(ns|bytes|pct)$/, '')
    .replaceAll('_', ' ')
}
