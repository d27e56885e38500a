/** The table `kernel_memory` as a chart: units of the hierarchy side by side, and the links that carried something. */

import { beside } from './kernel_baseline.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'

/** What a link carried. */
export interface Carried {
  /** Of its own peak; null where it is not known. */
  share: number | null
  bytes: number | null
  /** Sectors, or wavefronts of shared memory. */
  transfers: number | null
}

export interface MemoryLink extends Carried {
  link: string
  from: string
  to: string
  /** Px. */
  y: number
  x1: number
  x2: number
  /** How many of these a request takes; null between caches. */
  perRequest: number | null
  hit: number | null
  /** It is the busiest of all, and busy enough to limit the kernel. */
  limits: boolean
  /** The kernel itself sends nothing over it, the baseline does. */
  absent: boolean
  /** The same of the baseline; null where it sends nothing over it. */
  base: Carried | null
}

export interface MemoryUnit {
  id: string
  x: number
  y: number
  height: number
}

export interface MemoryChart {
  units: MemoryUnit[]
  links: MemoryLink[]
  height: number
}

export const UNIT_WIDTH = 76
const ROW = 40
/** Of a link's arrow, below the top of its row. */
const ARROW = 20
/** With a line for the baseline below. */
const HIGH_ROW = 56
/** Columns of units from the kernel outwards. */
const COLUMNS: Record<string, number> = { kernel: 0, l1: 1, shared: 1, l2: 2, dram: 3, system: 3, peer: 3 }
/** Room between two columns, of all such room: a kernel's links have the longest names. */
const ROOM = [0.51, 0.245, 0.245]
/** A link limits a kernel from this share of its peak on, as units do. */
const BUSY = 60

/** Where everything stands in a chart so wide; without a baseline its rows are null. */
export function memoryChart(
  table: Columns,
  rows: number[],
  width: number,
  baseRows: number[] | null = null,
): MemoryChart {
  const row = baseRows === null ? ROW : HIGH_ROW
  const links = linksOf(table, rows, baseRows ?? [], columnsIn(width))
  const of = (id: string) => links.filter((one) => one.from === id || one.to === id)
  const between = (column: number) => links.filter((one) => gapOf(one) === column)
  const [level1, level2] = [between(0).filter((one) => !isShared(one)), between(1)]
  const first = Math.max(level1.length, level2.length, links.length > 0 ? 1 : 0)
  place([...level1, ...between(0).filter(isShared)], row)
  for (const one of of('shared')) one.y += (first - level1.length) * row
  place(level2, row)
  place(between(2), row)
  const height = Math.max(first + of('shared').length, between(2).length) * row
  const columns = columnsIn(width)
  const units = [...new Set(links.flatMap((one) => [one.from, one.to]))].map((id): MemoryUnit => {
    const x = columns[COLUMNS[id] ?? 0] ?? 0
    const mine = of(id).map((one) => one.y)
    if (id === 'kernel' || id === 'l2') return { id, x, y: 0, height }
    if (id === 'l1') return { id, x, y: 0, height: first * row - 8 }
    const top = Math.min(...mine) - ARROW
    return { id, x, y: top, height: Math.max(...mine) - ARROW + row - top - 8 }
  })
  return { units, links, height }
}

function linksOf(table: Columns, rows: number[], baseRows: number[], columns: number[]): MemoryLink[] {
  const of = (column: string) => numbersOf(table, column)
  const [names, from, to] = ['link', 'from_unit', 'to_unit'].map((column) => textsOf(table, column))
  const [shares, bytes, hits] = [of('peak_pct'), of('bytes'), of('hit_pct')]
  const [transfers, requests] = [of('transfers'), of('requests')]
  const most = Math.max(...rows.map((row) => shares[row] ?? 0))
  const carried = (row: number | null): Carried => {
    const at = (column: (number | null)[]) => (row === null ? null : (column[row] ?? null))
    return { share: at(shares), bytes: at(bytes), transfers: at(transfers) }
  }
  return beside(table, ['link', 'peak_pct'], rows, baseRows).map((one): MemoryLink => {
    const any = one.row ?? one.baseRow ?? 0
    const ends = [COLUMNS[from?.[any] ?? ''] ?? 0, COLUMNS[to?.[any] ?? ''] ?? 0] as const
    const [left, right] = [Math.min(...ends), Math.max(...ends)]
    const [start, end] = [(columns[left] ?? 0) + UNIT_WIDTH, columns[right] ?? 0]
    const own = carried(one.row)
    const asked = one.row === null ? null : requests[one.row]
    return {
      ...own,
      link: names?.[any] ?? '',
      from: from?.[any] ?? '',
      to: to?.[any] ?? '',
      y: 0,
      ...(ends[1] > ends[0] ? { x1: start, x2: end } : { x1: end, x2: start }),
      perRequest: own.transfers !== null && asked ? own.transfers / asked : null,
      hit: one.row === null ? null : (hits[one.row] ?? null),
      limits: own.share !== null && own.share >= BUSY && own.share === most,
      absent: one.row === null,
      base: one.baseRow === null ? null : carried(one.baseRow),
    }
  })
}

const isShared = (one: MemoryLink) => one.from === 'shared' || one.to === 'shared'
const gapOf = (one: MemoryLink) => Math.min(COLUMNS[one.from] ?? 0, COLUMNS[one.to] ?? 0)

function columnsIn(width: number): number[] {
  const room = Math.max(0, width - 4 * UNIT_WIDTH)
  return ROOM.reduce((at, share) => [...at, (at.at(-1) ?? 0) + UNIT_WIDTH + share * room], [0])
}

function place(links: MemoryLink[], row: number): void {
  links.forEach((one, at) => (one.y = at * row + ARROW))
}
