/** The tables `memory_timeline` and `memory_peak`: how much each device holds over time, and what at its fullest. */

import { type Clocked, clockOrigin } from './clock.ts'
import { type Part, partsOf, shadeOfName, type Tint } from './chart.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { bytesText, countText, percentText } from './format.ts'
import type { LineChart } from './line_chart.ts'
import type { RowFilter } from './row_filter.ts'

/** A device of a rank, with its fullest moment. */
export interface MemoryDevice {
  key: string
  rank: number
  device: string
  peak_bytes: number
  reserved_bytes: number | null
  capacity_pct: number | null
  at: number | null
}

/** Devices of a table with the columns of `memory_timeline`, the fullest GPU first, host memory last. */
export function devicesOf(table: Columns): MemoryDevice[] {
  const [ranks, devices] = [numbersOf(table, 'rank'), textsOf(table, 'device')]
  const of = (column: string) => numbersOf(table, column)
  const [bytes, reserved, capacity, at] = [of('allocated_bytes'), of('reserved_bytes'), of('capacity_pct'), of('at_ns')]
  const found = new Map<string, MemoryDevice>()
  devices.forEach((device, row) => {
    const [rank, peak_bytes] = [ranks[row] ?? 0, bytes[row] ?? 0]
    const key = `${rank}|${device}`
    const known = found.get(key)
    if (known && known.peak_bytes >= peak_bytes) return
    const [reserved_bytes, capacity_pct] = [reserved[row] ?? null, capacity[row] ?? null]
    found.set(key, { key, rank, device, peak_bytes, reserved_bytes, capacity_pct, at: at[row] ?? null })
  })
  const onHost = (one: MemoryDevice) => Number(one.device === 'cpu')
  return [...found.values()].sort((a, b) => onHost(a) - onHost(b) || b.peak_bytes - a.peak_bytes || a.rank - b.rank)
}

/** Devices of `memory_fragmentation`: of a snapshot without a history, what was there when it was taken. */
export function devicesOfPools(table: Columns): MemoryDevice[] {
  const [ranks, devices] = [numbersOf(table, 'rank'), textsOf(table, 'device')]
  const [allocated, reserved] = [numbersOf(table, 'allocated_bytes'), numbersOf(table, 'reserved_bytes')]
  const found = new Map<string, MemoryDevice>()
  devices.forEach((device, row) => {
    const key = `${ranks[row] ?? 0}|${device}`
    const none = { key, rank: ranks[row] ?? 0, device, peak_bytes: 0, reserved_bytes: 0, capacity_pct: null, at: null }
    const one = found.get(key) ?? none
    one.peak_bytes += allocated[row] ?? 0
    one.reserved_bytes = (one.reserved_bytes ?? 0) + (reserved[row] ?? 0)
    found.set(key, one)
  })
  return [...found.values()].sort((a, b) => b.peak_bytes - a.peak_bytes || a.rank - b.rank)
}

/** Rows of a device. */
export function rowsOfDevice(table: Columns, one: { rank: number; device: string }): number[] {
  const [ranks, devices] = [numbersOf(table, 'rank'), textsOf(table, 'device')]
  return ranks.flatMap((rank, row) => (rank === one.rank && devices[row] === one.device ? [row] : []))
}

/** A device's rows between two moments. */
export function deviceFilter(
  { rank, device }: { rank: number; device: string },
  table: Clocked | null,
  range: readonly [number, number] | null,
): RowFilter {
  const equal = { rank, device }
  if (!range || !table) return { equal }
  const [first, last] = range.map((at) => `${clockOrigin(table, rank) + BigInt(Math.round(at))}`) as [string, string]
  return { equal, between: { column: 'at_ns', first, last } }
}

export interface CurveWords {
  at: string
  memory: string
  allocated: string
  reserved: string
  card: (size: string) => string
}

/** A card much larger than what was used would press the curve flat. */
const LEAST_SHARE = 0.2

/** A device's memory over time; `rows` are its rows, in order of time. */
export function memoryChart(table: Columns, rows: number[], capacity: number | null, words: CurveWords): LineChart {
  const of = (column: string) => {
    const values = numbersOf(table, column)
    return rows.map((row) => values[row] ?? null)
  }
  const [x, allocated, reserved] = [of('at_ns').map((at) => at ?? 0), of('allocated_bytes'), of('reserved_bytes')]
  const known = reserved.some((value) => value !== null)
  const most = Math.max(0, largest(allocated), largest(reserved))
  const near = capacity !== null && most >= capacity * LEAST_SHARE
  return {
    kind: 'lines',
    x,
    xTitle: words.at,
    column: 'allocated_bytes',
    yTitle: words.memory,
    series: [
      { name: words.allocated, tint: { meaning: 'memory' }, values: allocated, filled: true },
      ...(known ? [{ name: words.reserved, tint: { meaning: 'other' as const }, values: reserved, dashed: true }] : []),
    ],
    levels: near ? [{ name: words.card(bytesText(capacity)), value: capacity }] : [],
  }
}

function largest(values: (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
}

/** Boxes that one can tell apart. */
const MOST_BOXES = 12

/** The row of `memory_peak` for what was there before the first event. */
export const BEFORE = '(allocated before the recording)'

const APART: Record<string, Tint> = {
  [BEFORE]: { meaning: 'other' },
  '(not in the recorded events)': { meaning: 'idle' },
  '(unattributed)': { meaning: 'other', shade: 7 },
}

interface PeakWords {
  blocks: string
  share: string
  kept: string
  others: (count: number) => string
}

/**
 * What was alive at a device's peak, largest first. Negative rows, where releases were lost, have no size to draw.
 * `called` is what an operator, or what stands in place of one, is called on screen.
 */
export function peakParts(table: Columns, rows: number[], words: PeakWords, called = (op: string) => op): Part[] {
  const of = (column: string) => numbersOf(table, column)
  const [bytes, blocks, share, kept] = [of('alive_bytes'), of('blocks'), of('share_pct'), of('kept_bytes')]
  const [ops, sources] = [textsOf(table, 'op'), textsOf(table, 'source')]
  const parts = rows.map((row): Part => {
    const op = ops[row] ?? ''
    return {
      name: sources[row] ? `${called(op)} · ${sources[row]}` : called(op),
      value: bytes[row] ?? 0,
      tint: APART[op] ?? { meaning: 'memory', shade: shadeOfName(op) },
      row,
      details: [
        [words.share, percentText(share[row])],
        [words.blocks, countText(blocks[row])],
        [words.kept, bytesText(kept[row])],
      ],
    }
  })
  return partsOf(parts, MOST_BOXES, words.others)
}

/** Rows, by index, whose moment lies in a range; all of them without one. */
export function rowsWithin(table: Columns, rows: number[], range: readonly [number, number] | null): Uint32Array {
  if (!range) return Uint32Array.from(rows)
  const at = numbersOf(table, 'at_ns')
  return Uint32Array.from(rows.filter((row) => (at[row] ?? 0) >= range[0] && (at[row] ?? 0) <= range[1]))
}
