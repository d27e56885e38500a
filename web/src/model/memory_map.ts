/** The table `memory_blocks`: what each segment held, and where on a map of them it lies. */

import { rowsOfDevice } from './chart_memory.ts'
import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { csvText, type CsvCell } from './csv.ts'

interface Block {
  /** Row of the table. */
  row: number
  offset: number
  bytes: number
  /** Of a block in use, more than was asked for. */
  rounding: number
  state: string
  category: string
}

export interface Segment {
  address: string
  pool: string
  stream: number | null
  bytes: number
  blocks: Block[]
}

const IN_USE = 'active_allocated'
export const isFree = (state: string) => state !== IN_USE && !state.startsWith('active')

/** Segments of a device with their blocks, the largest first; of equal size in the order of the table. */
export function segmentsOf(table: Columns, device: { rank: number; device: string }): Segment[] {
  const text = (column: string) => textsOf(table, column)
  const [addresses, pools, states, categories] = [text('segment'), text('pool'), text('state'), text('category')]
  const number = (column: string) => numbersOf(table, column)
  const [offsets, bytes, asked, streams] = [
    number('offset_bytes'),
    number('bytes'),
    number('requested_bytes'),
    number('stream'),
  ]
  const found = new Map<string, Segment>()
  for (const row of rowsOfDevice(table, device)) {
    const address = addresses[row] ?? ''
    const segment = found.get(address) ?? {
      address,
      pool: pools[row] ?? '',
      stream: streams[row] ?? null,
      bytes: 0,
      blocks: [],
    }
    found.set(address, segment)
    const [size, state, offset] = [bytes[row] ?? 0, states[row] ?? '', offsets[row] ?? null]
    segment.bytes += size
    // What takes back bytes that were counted twice has no place.
    if (offset === null || size <= 0) continue
    const rounding = isFree(state) ? 0 : Math.max(0, size - (asked[row] ?? size))
    segment.blocks.push({ row, offset, bytes: size, rounding, state, category: categories[row] ?? '' })
  }
  return [...found.values()].sort((a, b) => b.bytes - a.bytes)
}

/** The largest free block, and whose it is; null where nothing is free. */
export function largestFree(segments: readonly Segment[]): { segment: Segment; block: Block } | null {
  let found: { segment: Segment; block: Block } | null = null
  for (const segment of segments)
    for (const block of segment.blocks)
      if (isFree(block.state) && block.bytes > (found?.block.bytes ?? 0)) found = { segment, block }
  return found
}

/** Height of a line of the map, and what is free below it; room for its label. */
export const LINE = 20
export const BAR = 16
export const LABEL = 108
const BETWEEN = 4
const FEW_LINES = 12
const MANY_LINES = 24

export interface MapRect {
  segment: number
  line: number
  x: number
  width: number
  /** The first of its blocks; those too narrow to be seen share a box. */
  block: Block
  count: number
  bytes: number
  /** Pixels of it that are rounding. */
  rounding: number
}

export interface SegmentMap {
  lineBytes: number
  lines: { segments: number[] }[]
  rects: MapRect[]
  /** Where segments begin and end; one longer than a line has several. */
  frames: { segment: number; line: number; x: number; width: number }[]
}

/**
 * Segments to scale, one a line or several where they have room; one longer than a line goes on in the next.
 *
 * A line is as long as the largest segment, unless a few large ones hold nearly everything.
 */
export function mapOf(segments: readonly Segment[], width: number): SegmentMap {
  const room = Math.max(1, width - LABEL)
  const lineBytes = lineLength(segments)
  const scale = room / lineBytes
  const map: SegmentMap = { lineBytes, lines: [], rects: [], frames: [] }
  let free = 0
  segments.forEach((segment, at) => {
    const long = segment.bytes * scale
    if (map.lines.length === 0 || long > free) {
      map.lines.push({ segments: [] })
      free = room
    }
    const start = room - free
    const begin = map.lines.length - 1
    const last = Math.max(begin, begin + Math.ceil((start + long) / room - 1e-9) - 1)
    while (map.lines.length <= last) map.lines.push({ segments: [] })
    place(map, segment, at, { begin, start, room, scale })
    free = room - (start + long - (last - begin) * room) - BETWEEN
  })
  return map
}

function lineLength(segments: readonly Segment[]): number {
  const [largest, whole] = [segments[0]?.bytes ?? 1, segments.reduce((sum, one) => sum + one.bytes, 0)]
  if (whole / Math.max(1, largest) >= FEW_LINES || segments.length >= FEW_LINES) return Math.max(1, largest)
  return Math.max(1, Math.min(largest, 2 ** Math.ceil(Math.log2(Math.max(1, whole / MANY_LINES)))))
}

interface Place {
  begin: number
  start: number
  room: number
  scale: number
}

function place(map: SegmentMap, segment: Segment, at: number, from: Place): void {
  for (const piece of pieces(0, segment.bytes, from)) {
    map.frames.push({ segment: at, ...piece })
    map.lines[piece.line]?.segments.push(at)
  }
  for (const block of segment.blocks)
    for (const piece of pieces(block.offset, block.bytes, from)) {
      const last = map.rects.at(-1)
      const narrow = piece.width < 1
      if (last && narrow && last.segment === at && last.line === piece.line && alike(last.block, block)) {
        last.width = piece.x + piece.width - last.x
        last.count++
        last.bytes += block.bytes
      } else
        map.rects.push({
          segment: at,
          ...piece,
          block,
          count: 1,
          bytes: block.bytes,
          rounding: block.rounding * from.scale,
        })
    }
}

/** Whether two blocks look the same, so that they may share a box. */
function alike(one: Block, other: Block): boolean {
  return isFree(one.state) === isFree(other.state) && one.category === other.category && one.state === other.state
}

/** Where a part of a segment lies, line by line. */
function pieces(offset: number, bytes: number, { begin, start, room, scale }: Place) {
  const found: { line: number; x: number; width: number }[] = []
  const end = start + (offset + bytes) * scale
  for (let at = start + offset * scale; at < end - 1e-9;) {
    const line = Math.floor(at / room + 1e-9)
    const stop = Math.min(end, (line + 1) * room)
    found.push({ line: begin + line, x: LABEL + at - line * room, width: stop - at })
    at = stop
  }
  return found
}

/** Index of the box at a place, or -1. */
export function rectAt(map: SegmentMap, x: number, y: number): number {
  const line = Math.floor(y / LINE)
  return map.rects.findIndex((one) => one.line === line && x >= one.x && x < one.x + Math.max(1, one.width))
}

/** The box that an arrow key leads to: along the blocks, or to the line above or below. */
export function rectBeside(map: SegmentMap, at: number, key: string): number {
  const now = map.rects[at]
  if (!now) return map.rects.length > 0 ? 0 : -1
  if (key === 'ArrowRight') return Math.min(map.rects.length - 1, at + 1)
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  const line = now.line + (key === 'ArrowDown' ? 1 : -1)
  const found = rectAt(map, now.x + now.width / 2, line * LINE)
  return found >= 0 ? found : at
}

/** Every block of the map. */
export function mapCsv(segments: readonly Segment[], names: readonly string[]): string {
  const rows = segments.flatMap((segment) =>
    segment.blocks.map((one): CsvCell[] => [
      segment.address,
      segment.pool,
      one.offset,
      one.bytes,
      one.state,
      one.category,
    ]),
  )
  return csvText([[...names], ...rows])
}
