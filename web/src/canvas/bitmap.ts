/**
 * Cells of all visible lanes as one image: as wide as the plot in device pixels, one pixel high for each lane.
 *
 * Each lane's row is then stretched to its height, so that the cost is one write for each pixel and cell, not one
 * rectangle. Cells narrower than three pixels share pixels by how much of them they cover; wider ones have crisp edges.
 */

import { firstEndingAfter } from '../api/timeline.ts'
import type { Piece } from './cells.ts'
import { isLit, type LitLane } from './lit.ts'
import { type Palette, SHADES } from './palette.ts'
import type { Runs } from './runs.ts'

/** Cells at least this wide (device pixels) get whole pixels of their own. */
const CRISP = 3
/** Least opacity of a pixel with any event in it: nothing that happened is invisible. */
const FAINTEST = 64
/** Weight of a highlighted event against the others of its pixel. */
const EMPHASIS = 64

export interface Paint {
  palette: Palette
  /** First moment of the image and device pixels per ns. */
  start: number
  scale: number
  /** What stands out. */
  lit: LitLane
  /** Colours of idle time by the code of its cause. */
  idle: ReadonlyMap<number, number>
  /** Called for each cell wide enough for a text: index of the cell, and from which to which pixel. */
  wide: (piece: Piece, index: number, from: number, to: number) => void
  widest: number
  /** Takes the cells that are not wide enough; null where nothing has a text. */
  runs: Pick<Runs, 'add'> | null
}

/** The pixel that is being added up; cells come in order, so there is only one. */
const pixel = { at: -1, weight: 0, cover: 0, red: 0, green: 0, blue: 0 }

function flush(pixels: Uint32Array, offset: number): void {
  const { at, weight, cover } = pixel
  if (at >= 0 && weight > 0 && pixels[offset + at] === 0) {
    const alpha = Math.max(FAINTEST, Math.min(255, Math.round(cover * 255)))
    const [red, green, blue] = [pixel.red / weight, pixel.green / weight, pixel.blue / weight]
    pixels[offset + at] = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
  }
  pixel.at = -1
}

function add(pixels: Uint32Array, offset: number, at: number, cover: number, emphasis: number, colour: number): void {
  if (at !== pixel.at) {
    if (pixel.at >= 0) flush(pixels, offset)
    pixel.at = at
    pixel.weight = pixel.cover = pixel.red = pixel.green = pixel.blue = 0
  }
  const weight = (cover + 1e-4) * emphasis
  pixel.weight += weight
  pixel.cover += cover
  pixel.red += weight * (colour & 255)
  pixel.green += weight * ((colour >> 8) & 255)
  pixel.blue += weight * ((colour >> 16) & 255)
}

/** Write one piece of a lane into its row of the image; `offset` is where the row starts in `pixels`. */
export function paintPiece(pixels: Uint32Array, offset: number, width: number, piece: Piece, paint: Paint): void {
  const { start: starts, end: ends, first: firsts, count: counts, busy } = piece.cells
  const { kind: kinds, shade: shades, name: names } = piece.cells
  const { start, scale, lit: chosen, idle, palette, runs } = paint
  const [left, right] = [Math.max(0, (piece.start - start) * scale), Math.min(width, (piece.end - start) * scale)]
  if (right <= left) return
  const begin = firstEndingAfter(ends, piece.from, piece.to, start + left / scale - 1)
  for (let i = begin; i < piece.to; i++) {
    const trueEnd = ((ends[i] as number) - start) * scale
    const from = Math.max(((starts[i] as number) - start) * scale, left)
    if (from >= right) break
    const to = Math.min(trueEnd, right)
    if (to < left) continue
    const kind = kinds[i] as number
    const index = kind * SHADES + ((shades[i] as number) & (SHADES - 1))
    const lit = isLit(chosen, names[i] as number, firsts[i] as number, counts[i] as number)
    let colour = (lit ? palette.colours[index] : palette.dimmed[index]) as number
    if (kind === palette.idleKind && lit) colour = idle.get(names[i] as number) ?? colour
    const share = counts[i] === 1 ? 1 : (busy[i] as number) / 65535
    if (runs && to - from < paint.widest) runs.add(piece.cells, i, from, to)
    if (to - from >= CRISP) {
      flush(pixels, offset)
      const a = Math.round(from)
      let b = Math.round(to)
      if (to - from >= paint.widest) paint.wide(piece, i, a, b)
      // A line of background between neighbours; not where a tile ends within a cell.
      if (to === trueEnd && b - a > CRISP) b--
      const alpha = share >= 1 ? 255 : Math.round(90 + 165 * share)
      pixels.fill(((alpha << 24) | colour) >>> 0, offset + a, offset + b)
    } else {
      const emphasis = chosen.codes !== null && lit ? EMPHASIS : 1
      const [p, last] = [Math.floor(from), Math.min(Math.floor(to), width - 1)]
      if (p >= last) add(pixels, offset, Math.min(p, width - 1), (to - from) * share, emphasis, colour)
      else
        for (let at = p; at <= last; at++)
          add(pixels, offset, at, (Math.min(to, at + 1) - Math.max(from, at)) * share, emphasis, colour)
    }
  }
  flush(pixels, offset)
}

/** The image and the canvas that it is stretched from; grows, never shrinks. */
export class RowImage {
  readonly canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  #image: ImageData | null = null
  pixels = new Uint32Array(0)
  width = 0

  constructor() {
    this.canvas = document.createElement('canvas')
    this.#context = this.canvas.getContext('2d') as CanvasRenderingContext2D
  }

  /** An empty image of this size; what was in it is gone. */
  clear(width: number, rows: number): void {
    if (!this.#image || this.#image.width !== width || this.#image.height < rows) {
      const height = Math.max(8, rows, this.#image?.width === width ? this.#image.height : 0)
      this.canvas.width = width
      this.canvas.height = height
      this.#image = this.#context.createImageData(width, height)
      this.pixels = new Uint32Array(this.#image.data.buffer)
      this.width = width
    } else this.pixels.fill(0, 0, width * rows)
  }

  /** Hand the first rows to the canvas. */
  done(rows: number): void {
    if (this.#image && rows > 0) this.#context.putImageData(this.#image, 0, 0, 0, 0, this.width, rows)
  }
}
