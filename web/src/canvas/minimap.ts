/** The whole recording in a few pixels, and where the viewport is in it. */

import type { Api } from '../api/api.ts'
import type { Cells, Track } from '../api/timeline.ts'
import { type Paint, paintPiece, RowImage } from './bitmap.ts'
import { ALL_LIT } from './lit.ts'
import type { Palette } from './palette.ts'
import type { Bounds, Viewport } from './viewport.ts'

export const MINIMAP = 40
const MOST_LANES = 10

/** Lanes that say most about the recording: of each rank its busiest streams, else its busiest threads or process groups. */
export function minimapLanes(tracks: Track[]): number[] {
  const telling = ['stream', 'packed', 'operators', 'process_group']
  const rows = tracks.filter((track) => track.depths > 0 && telling.includes(track.kind))
  const gpu = rows.filter((track) => track.section === 'gpu')
  const from = gpu.length ? gpu : rows
  const busiest = new Map<number, Track[]>()
  for (const track of [...from].sort((a, b) => b.busy_ns - a.busy_ns))
    busiest.set(track.rank, [...(busiest.get(track.rank) ?? []), track])
  const perRank = Math.max(1, Math.floor(MOST_LANES / Math.max(1, busiest.size)))
  const all = [...busiest.values()].flatMap((one) => one.slice(0, Math.min(perRank, 3)))
  // Of hundreds of ranks some, evenly.
  const every = Math.max(1, Math.ceil(all.length / MOST_LANES))
  return all
    .filter((_, i) => i % every === 0)
    .map((track) => track.first_lane)
    .sort((a, b) => a - b)
}

/** What they hold; null where there is nothing, or no answer: what is wrong is said where the tracks are. */
export async function minimapCells(api: Api, run: string, tracks: Track[], bounds: Bounds): Promise<Cells | null> {
  const lanes = minimapLanes(tracks)
  if (lanes.length === 0) return null
  return api.window(run, { t0: bounds.start, t1: bounds.end, px: 1024, lanes }).catch(() => null)
}

export class Minimap {
  readonly #image = new RowImage()
  #cells: Cells | null = null
  #drawn = ''

  setCells(cells: Cells): void {
    this.#cells = cells
    this.#drawn = ''
  }

  paint(context: CanvasRenderingContext2D, view: Viewport, bounds: Bounds, ratio: number, palette: Palette): void {
    const { width } = view
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = palette.back
    context.fillRect(0, 0, width * ratio, MINIMAP * ratio)
    const lanes = this.#cells?.lanes.length ?? 0
    if (this.#cells && lanes > 0) {
      this.#picture(this.#cells, bounds, Math.max(1, Math.round(width * ratio)), palette)
      context.imageSmoothingEnabled = false
      const height = (MINIMAP - 6) / lanes
      for (let i = 0; i < lanes; i++) {
        const [top, bottom] = [Math.round((3 + i * height) * ratio), Math.round((3 + (i + 1) * height) * ratio)]
        const source = this.#image
        context.drawImage(source.canvas, 0, i, source.width, 1, 0, top, source.width, Math.max(1, bottom - top - 1))
      }
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    handle(context, view, bounds, palette)
  }

  #picture(cells: Cells, bounds: Bounds, width: number, palette: Palette): void {
    const drawn = `${width} ${palette.theme}`
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#image.clear(width, cells.lanes.length)
    const paint: Paint = {
      palette,
      start: bounds.start,
      scale: width / Math.max(1, bounds.end - bounds.start),
      lit: ALL_LIT,
      runs: null,
      idle: new Map(),
      wide: () => undefined,
      widest: Infinity,
    }
    cells.lanes.forEach(({ offset, count }, i) => {
      const piece = { cells, from: offset, to: offset + count, start: bounds.start, end: bounds.end }
      paintPiece(this.#image.pixels, i * width, width, piece, paint)
    })
    this.#image.done(cells.lanes.length)
  }
}

/** Left and right edge of the viewport on the minimap, in CSS pixels. */
export function handleOf(view: Viewport, bounds: Bounds): [number, number] {
  const scale = view.width / Math.max(1, bounds.end - bounds.start)
  const left = Math.max(0, (view.start - bounds.start) * scale)
  const right = Math.min(view.width, (view.end - bounds.start) * scale)
  // Deep in, it is still to be seen and to be dragged.
  const middle = (left + right) / 2
  return right - left < 4 ? [Math.max(0, middle - 2), Math.min(view.width, middle + 2)] : [left, right]
}

function handle(context: CanvasRenderingContext2D, view: Viewport, bounds: Bounds, palette: Palette): void {
  const [left, right] = handleOf(view, bounds)
  context.globalAlpha = 0.6
  context.fillStyle = palette.back
  context.fillRect(0, 0, left, MINIMAP)
  context.fillRect(right, 0, view.width - right, MINIMAP)
  context.globalAlpha = 1
  context.strokeStyle = palette.accent
  context.lineWidth = 1
  context.strokeRect(left + 0.5, 0.5, Math.max(1, right - left - 1), MINIMAP - 1)
  context.fillStyle = palette.accent
  if (right - left > 16) for (const x of [left, right - 3]) context.fillRect(x, MINIMAP / 2 - 7, 3, 14)
}
