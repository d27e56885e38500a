/** Rows of a table: which are shown in which order, what they add up to, and how one of them is named. */

import type { Cell, ColumnFacts, TableData } from '../api/types.ts'
import { movedLast, type SortKey, sortRows } from './sorting.ts'

/** Name of the row that holds what a table could not attribute. */
export const UNATTRIBUTED = '(unattributed)'

/** So many of them stay in sight under the rows; more of them are rows like others, only last. */
const PINNED = 4

/** Rows that a table holds here; `data.total` says how many there are. */
export function rowCount(data: TableData): number {
  return data.data[data.columns[0]?.name ?? '']?.length ?? 0
}

export function column(data: TableData, name: string): ColumnFacts | undefined {
  return data.columns.find((one) => one.name === name)
}

export interface Order {
  rows: Uint32Array
  /** What could not be attributed: shown under the rows, whatever the order. */
  pinned: number[]
}

/** Every row of a table. */
export function allRows(data: TableData): Uint32Array {
  const rows = new Uint32Array(rowCount(data))
  for (let i = 0; i < rows.length; i++) rows[i] = i
  return rows
}

/** Rows in order, of all or of `kept`. What could not be attributed comes last. */
export function orderOf(data: TableData, sort: SortKey[], kept: Uint32Array | null): Order {
  const sorted = sortRows(data, kept ?? allRows(data), sort)
  const last = unattributed(data)
  const pinned: number[] = []
  if (last.size > 0) for (const row of sorted) if (last.has(row)) pinned.push(row)
  if (pinned.length === 0 || pinned.length === sorted.length) return { rows: sorted, pinned: [] }
  const rows = movedLast(sorted, (row) => last.has(row))
  if (pinned.length > PINNED) return { rows, pinned: [] }
  return { rows: rows.subarray(0, rows.length - pinned.length), pinned }
}

const lost = new WeakMap<TableData, Set<number>>()

/** Rows of what could not be attributed. */
function unattributed(data: TableData): Set<number> {
  const known = lost.get(data)
  if (known) return known
  const found = new Set<number>()
  const names = data.data[(column(data, 'name') ?? column(data, 'op'))?.name ?? ''] ?? []
  for (let row = 0; row < names.length; row++) if (names[row] === UNATTRIBUTED) found.add(row)
  lost.set(data, found)
  return found
}

/**
 * Columns that may be added up: each event counts in one row only. Totals, which count an event in each row around it,
 * means, percentiles and extremes may not.
 */
const SUMS: Record<string, string[]> = {
  operators: ['calls', 'host_self_ns', 'device_self_ns'],
  kernels: ['calls', 'total_ns', 'share_pct'],
  modules: ['host_self_ns', 'device_self_ns'],
  short_kernels: ['calls', 'of_kernels_pct', 'total_ns', 'share_pct', 'launch_ns', 'shorter_than_launch', 'in_graph'],
  kernel_lengths: ['calls', 'of_kernels_pct', 'total_ns', 'share_pct', 'shorter_than_launch', 'in_graph'],
  memcpy: ['calls', 'bytes', 'total_ns'],
  launches: [
    'calls',
    'host_ns',
    'short_kernels',
    'activities',
    'device_ns',
    'without_activity',
    'blocked_ns',
    'blocked_calls',
  ],
  sync: ['calls', 'host_ns'],
  idle: ['duration_ns', 'micro_ns', 'macro_ns'],
  critical_path: ['count', 'duration_ns'],
  roofline: ['calls', 'total_ns', 'share_pct', 'flops', 'gap_ns'],
  memory: ['self_allocated_bytes', 'self_increase_bytes', 'self_allocations'],
  memory_peak: ['blocks', 'alive_bytes', 'kept_bytes'],
  annotations: ['host_self_ns', 'device_self_ns'],
  graphs: ['calls', 'total_ns', 'share_pct', 'launch_ns'],
  sequences: [],
  data_loading: ['fetches', 'wait_ns', 'exposed_ns', 'hidden_ns', 'empty', 'h2d_bytes'],
}

/** Groupings whose rows share events: a gap on several streams, a kernel of a replay in the row of its graph. */
const OVERLAPPING = new Set(['idle/stream', 'idle/device', 'graphs/kernel', 'sequences/run'])

export function mayAdd(data: TableData, name: string): boolean {
  if (OVERLAPPING.has(`${data.table}/${data.by}`)) return false
  return SUMS[data.table]?.includes(name) ?? false
}

/** Exact sum of a column over some rows; null when none of them has a number. */
export function sumOf(data: TableData, name: string, ...groups: ArrayLike<number>[]): number | bigint | null {
  const values = data.data[name] ?? []
  let [sum, whole, found] = [0, 0n, false]
  for (const rows of groups)
    for (let i = 0; i < rows.length; i++) {
      const value = values[rows[i] ?? -1]
      if (typeof value !== 'number' || !Number.isFinite(value)) continue
      found = true
      sum += value
      // Sums of whole numbers stay exact beyond 2^53.
      if (Math.abs(sum) < 2 ** 52 || !Number.isInteger(sum)) continue
      whole += BigInt(sum)
      sum = 0
    }
  if (!found) return null
  // Shares add up to 100, not to 99.99999999999997.
  return whole === 0n ? Math.round(sum * 1e6) / 1e6 : whole + BigInt(Math.round(sum))
}

/** Columns that together name a row, the first that a table has of each group. */
const KEYS = [
  'collective', 'rank', 'for_rank', 'src', 'dst', 'step', 'slice', 'graph', 'device', 'stream', 'thread', 'name', 'path', 'op', 'operator', 'kind', 'side', 'cause',
  'check', 'key', 'metric', 'range', 'shape', 'shapes', 'dtype', 'stack', 'module', 'grid', 'block', 'registers', 'kernel',
  'kernels', 'waits_for', 'pinned', 'source', 'host_event', 'group', 'call_bytes', 'bound', 'change_bytes', 'clock', 'fate', 'from_ns', 'start_ns', 'at_ns', 'address',
] // prettier-ignore

/** Of the columns above, what says something about a row in these tables, and does not name it. */
const NOT_KEYS: Record<string, string[]> = {
  kernels: ['kind', 'op', 'grid', 'block', 'registers'],
  'kernels/op': ['kind', 'grid', 'block', 'registers'],
  'kernels/launch': ['kind', 'op'],
  short_kernels: ['kind'],
  'short_kernels/op': ['kind'],
  annotations: ['kind'],
  'annotations/step': ['kind'],
  idle: ['source', 'host_event', 'start_ns'],
  'idle/stream': ['source', 'host_event', 'start_ns'],
  'idle/device': ['source', 'host_event', 'start_ns'],
  'idle/gap': ['cause', 'source', 'host_event'],
  steps: ['start_ns'],
  step_trace: ['start_ns', 'clock'],
  'step_trace/average': ['start_ns'],
  utilization: ['device'],
  'utilization/step': ['device'],
  summary: ['device', 'kernels'],
  graphs: ['kernels'],
  'graphs/replay': ['kernels', 'name', 'graph'],
  'graphs/kernel': ['kernels'],
  sync: ['operator', 'source'],
  'sync/operator': ['source'],
  queue_depth: ['start_ns'],
  roofline: ['kind'],
  'roofline/op': ['dtype', 'shapes'],
  'roofline/kind': ['op', 'dtype', 'shapes'],
  memory_peak: ['at_ns'],
  memory_events: ['op', 'fate', 'source'],
  operators: ['source'],
  modules: ['name'],
  counters: ['op', 'range'],
  stragglers: ['cause'],
  collectives: ['step', 'op', 'group', 'dtype', 'call_bytes', 'start_ns'],
}

export function keyColumns(data: TableData): string[] {
  const not = (NOT_KEYS[data.by ? `${data.table}/${data.by}` : data.table] ?? []).filter(
    // With source lines there is a row for each of them, and for what the host did there.
    (key) => !(['source', 'host_event'].includes(key) && data.source && data.table === 'idle'),
  )
  const keys = KEYS.filter((key) => !not.includes(key) && column(data, key))
  return keys.length > 0 ? keys : data.columns.slice(0, 1).map((one) => one.name)
}

/** What names a row in the URL: its name where that is all, else what its key columns hold. */
export function rowKey(data: TableData, row: number): string {
  const values = keyColumns(data).map((name) => data.data[name]?.[row] ?? null)
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(values)
}

/** The row that a key names, or by a plain name the first row with that name. */
export function findRow(data: TableData, key: string): number | null {
  const keys = keyColumns(data)
  const wanted = parsedKey(key)
  const named = keys.length === 1 ? keys : keys.filter((name) => ['name', 'op', 'path'].includes(name)).slice(0, 1)
  const columns = wanted ? keys : named
  const values = wanted ?? [key]
  if (values.length !== columns.length) return null
  const first = data.data[columns[0] ?? ''] ?? []
  for (let row = 0; row < first.length; row++)
    if (columns.every((name, i) => (data.data[name]?.[row] ?? null) === values[i])) return row
  return null
}

function parsedKey(key: string): Cell[] | null {
  if (!key.startsWith('[')) return null
  try {
    const values: unknown = JSON.parse(key)
    return Array.isArray(values) ? (values as Cell[]) : null
  } catch {
    return null
  }
}

/** Columns in which no row holds anything: what was not recorded. */
export function emptyColumns(data: TableData): Set<string> {
  const empty = data.columns.filter(({ name }) => (data.data[name] ?? []).every((one) => one === null || one === ''))
  return new Set(rowCount(data) === 0 ? [] : empty.map(({ name }) => name))
}
