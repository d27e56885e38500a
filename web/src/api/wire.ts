/** The binary answers: a JSON header, then columns of numbers, little endian, each starting at a multiple of 8 bytes. */

import type { Cells, CounterBins } from './timeline.ts'

const MAGIC = 0x57505453

const TYPES = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const
type NumberType = keyof typeof TYPES
type Numbers = InstanceType<(typeof TYPES)[NumberType]>

interface Framed {
  header: Record<string, unknown>
  columns: Map<string, Numbers>
}

/** Split a binary answer into its header and its columns, without copying. Throws when it is not one. */
function unframe(buffer: ArrayBuffer): Framed {
  const view = new DataView(buffer)
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error('not a binary answer')
  const headerBytes = view.getUint32(4, true)
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerBytes))) as Framed['header']
  const columns = new Map<string, Numbers>()
  let at = 8 + headerBytes
  for (const column of header['columns'] as { name: string; type: NumberType; length: number }[]) {
    const type = TYPES[column.type]
    columns.set(column.name, new type(buffer, at, column.length))
    at += Math.ceil((column.length * type.BYTES_PER_ELEMENT) / 8) * 8
  }
  return { header, columns }
}

/** Cells of a window. */
export function decodeCells(buffer: ArrayBuffer): Cells {
  const { header, columns } = unframe(buffer)
  return { ...header, ...Object.fromEntries(columns) } as unknown as Cells
}

/** Bins of counters. */
export function decodeCounters(buffer: ArrayBuffer): CounterBins {
  const { header, columns } = unframe(buffer)
  return { ...header, ...Object.fromEntries(columns) } as unknown as CounterBins
}

/** Rows of some lanes, by lane. */
export function decodeRows(buffer: ArrayBuffer): Map<number, Uint32Array> {
  const { header, columns } = unframe(buffer)
  const rows = columns.get('row') as Uint32Array
  const lanes = header['lanes'] as { lane: number; offset: number; count: number }[]
  return new Map(lanes.map(({ lane, offset, count }) => [lane, rows.subarray(offset, offset + count)]))
}
