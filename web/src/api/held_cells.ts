/** Cells of the timeline as a report holds them; `stepscope.answers.cell_encoding` describes the form. */

export interface HeldCells {
  t0: number
  t1: number
  cell_ns: number
  /** Where each lane's cells begin, and how many there are. */
  lanes: Map<number, { offset: number; count: number }>
  start: Float64Array<ArrayBuffer>
  end: Float64Array<ArrayBuffer>
  first: Uint32Array<ArrayBuffer>
  count: Uint32Array<ArrayBuffer>
  name: Uint32Array<ArrayBuffer>
  busy: Uint16Array<ArrayBuffer>
  kind: Uint8Array<ArrayBuffer>
  shade: Uint8Array<ArrayBuffer>
}

interface Header {
  t0: number
  t1: number
  cell_ns: number
  cells: number
  lanes: [lane: number, cells: number][]
}

const HALF = 2 ** 32

/** Takes one plane after the other off the bytes. */
class Planes {
  readonly #bytes: Uint8Array
  readonly #length: number
  #at: number

  constructor(bytes: Uint8Array, at: number, length: number) {
    this.#bytes = bytes
    this.#at = at
    this.#length = length
  }

  next(): Uint8Array {
    const from = this.#at
    this.#at += this.#length
    return this.#bytes.subarray(from, this.#at)
  }

  /** Numbers of 4 bytes, without a sign. */
  words(): Uint32Array<ArrayBuffer> {
    const [a, b, c, d] = [this.next(), this.next(), this.next(), this.next()]
    const found = new Uint32Array(this.#length)
    for (let i = 0; i < found.length; i++)
      found[i] = (a[i] ?? 0) | ((b[i] ?? 0) << 8) | ((c[i] ?? 0) << 16) | ((d[i] ?? 0) << 24)
    return found
  }

  /** Numbers of 8 bytes with a sign, as far as a double holds them. */
  longs(): Float64Array<ArrayBuffer> {
    const [low, high] = [this.words(), this.words()]
    const found = new Float64Array(this.#length)
    for (let i = 0; i < found.length; i++) found[i] = (low[i] ?? 0) + ((high[i] ?? 0) | 0) * HALF
    return found
  }

  shorts(): Uint16Array<ArrayBuffer> {
    const [a, b] = [this.next(), this.next()]
    const found = new Uint16Array(this.#length)
    for (let i = 0; i < found.length; i++) found[i] = (a[i] ?? 0) | ((b[i] ?? 0) << 8)
    return found
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.next().slice() as Uint8Array<ArrayBuffer>
  }
}

export function decodeHeld(buffer: ArrayBuffer): HeldCells {
  const bytes = new Uint8Array(buffer)
  const length = new DataView(buffer).getUint32(0, true)
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Header
  const planes = new Planes(bytes, 4 + length, header.cells)
  const [gap, span, skipped, count] = [planes.longs(), planes.longs(), planes.words(), planes.words()]
  const first = new Uint32Array(header.cells)
  const lanes: HeldCells['lanes'] = new Map()
  let at = 0
  for (const [lane, cells] of header.lanes) {
    lanes.set(lane, { offset: at, count: cells })
    let [moment, row] = [header.t0, 0]
    for (const end = at + cells; at < end; at++) {
      // In place: gaps become starts, lengths become ends.
      moment = gap[at] = moment + (gap[at] ?? 0)
      moment = span[at] = moment + (span[at] ?? 0)
      row = first[at] = row + ((skipped[at] ?? 0) | 0)
      row += count[at] ?? 0
    }
  }
  const { t0, t1, cell_ns } = header
  const [name, busy, kind, shade] = [planes.words(), planes.shorts(), planes.bytes(), planes.bytes()]
  return { t0, t1, cell_ns, lanes, start: gap, end: span, first, count, name, busy, kind, shade }
}
