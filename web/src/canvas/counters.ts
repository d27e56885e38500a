/** Counters: the band from the least to the most, the mean as a line. */

import type { Track } from '../api/timeline.ts'
import type { BinTile, TimelineData } from './data.ts'
import { levelOf, tilesOf } from './levels.ts'
import type { Palette } from './palette.ts'
import { type Viewport, xOf } from './viewport.ts'

interface CounterScene {
  view: Viewport
  width: number
  end: number
  palette: Palette
  data: TimelineData
}

/** Room above the highest value. */
const TOP = 3

export function paintCounter(
  context: CanvasRenderingContext2D,
  scene: CounterScene,
  track: Track,
  top: number,
  height: number,
): void {
  const most = track.max && track.max > 0 ? track.max : 1
  const floor = top + height - 2
  const scale = (height - 2 - TOP) / most
  const yOf = (value: number) => floor - Math.max(0, Math.min(value, most)) * scale
  context.fillStyle = scene.palette.line
  context.fillRect(0, floor, scene.width, 1)
  const level = levelOf(scene.view)
  const [first, last] = tilesOf(scene.view.start, scene.view.end, level, scene.end)
  scene.data.counters.pieces(level, first, last, track.id, (tile, start, end) => {
    context.save()
    context.beginPath()
    const [left, right] = [xOf(scene.view, start), xOf(scene.view, end)]
    context.rect(left, top, right - left, height)
    context.clip()
    paintTile(context, scene, tile, left, right, yOf)
    context.restore()
  })
}

/** A piece may come from a coarser level: its own tile's ends say where its bins are. */
function paintTile(
  context: CanvasRenderingContext2D,
  scene: CounterScene,
  tile: BinTile,
  left: number,
  right: number,
  yOf: (value: number) => number,
): void {
  if (tile.count === 0) return
  const step = (xOf(scene.view, tile.end) - xOf(scene.view, tile.start)) / tile.count
  const origin = xOf(scene.view, tile.start)
  const from = Math.max(0, Math.floor((left - origin) / step) - 1)
  const to = Math.min(tile.count, Math.ceil((right - origin) / step) + 1)
  const { min, max, mean } = tile.bins
  context.fillStyle = scene.palette.band
  context.strokeStyle = scene.palette.band
  context.globalAlpha = 0.28
  for (let i = from; i < to; i++) {
    const [low, high] = [min[tile.from + i] as number, max[tile.from + i] as number]
    if (Number.isNaN(high)) continue
    const y = yOf(high)
    context.fillRect(origin + i * step, y, step + 0.4, Math.max(1, yOf(low) - y))
  }
  context.globalAlpha = 1
  context.lineWidth = 1.25
  context.beginPath()
  let drawing = false
  for (let i = from; i < to; i++) {
    const value = mean[tile.from + i] as number
    if (Number.isNaN(value)) drawing = false
    else {
      const y = yOf(value)
      if (drawing) context.lineTo(origin + i * step, y)
      else context.moveTo(origin + i * step, y)
      context.lineTo(origin + (i + 1) * step, y)
      drawing = true
    }
  }
  context.stroke()
}

/** Least, most and mean of a counter at a moment; null where nothing is known. */
export function valueAt(scene: CounterScene, track: Track, moment: number): [number, number, number] | null {
  const level = levelOf(scene.view)
  const [first, last] = tilesOf(moment, moment + 1, level, scene.end)
  let found: [number, number, number] | null = null
  scene.data.counters.pieces(level, first, last, track.id, (tile, start, end) => {
    if (moment < start || moment >= end || tile.count === 0 || moment >= tile.end) return
    const at = Math.floor(((moment - tile.start) / (tile.end - tile.start)) * tile.count)
    const i = Math.max(0, Math.min(tile.count - 1, at))
    const mean = tile.bins.mean[tile.from + i] as number
    if (!Number.isNaN(mean))
      found = [tile.bins.min[tile.from + i] as number, tile.bins.max[tile.from + i] as number, mean]
  })
  return found
}
