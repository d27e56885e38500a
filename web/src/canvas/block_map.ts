/** The map of segments, drawn on a canvas and as SVG: blocks in colour, what is free empty, rounding hatched. */

import { bytesText } from '../model/format.ts'
import { BAR, isFree, LINE, type MapRect, type Segment, type SegmentMap } from '../model/memory_map.ts'
import { noted } from './svg.ts'

export interface MapLook {
  back: string
  text: string
  quiet: string
  line: string
  accent: string
  font: string
  fill: (one: MapRect) => string
  /** What is free. */
  free: string
  /** Words of a line's label. */
  several: (count: number, each: string) => string
}

export function drawMap(
  g: CanvasRenderingContext2D,
  map: SegmentMap,
  segments: readonly Segment[],
  marked: { hovered: number; chosen: number | null },
  look: MapLook,
): void {
  g.font = look.font
  g.textBaseline = 'middle'
  g.fillStyle = look.quiet
  map.lines.forEach((_, line) => g.fillText(labelOf(map, segments, line, look), 0, line * LINE + BAR / 2))
  for (const one of map.rects) {
    g.fillStyle = isFree(one.block.state) ? look.free : look.fill(one)
    g.fillRect(one.x, one.line * LINE, Math.max(1, one.width > 3 ? one.width - 0.5 : one.width), BAR)
    if (one.rounding >= 1) hatch(g, one, look)
  }
  g.strokeStyle = look.quiet
  g.lineWidth = 1
  for (const one of map.frames) g.strokeRect(one.x + 0.5, one.line * LINE + 0.5, Math.max(1, one.width - 1), BAR - 1)
  map.rects.forEach((one, at) => {
    const chosen = one.block.row === marked.chosen
    if (!chosen && at !== marked.hovered) return
    g.lineWidth = 2
    g.strokeStyle = chosen ? look.accent : look.text
    g.strokeRect(one.x + 1, one.line * LINE + 1, Math.max(2, one.width - 2), BAR - 2)
  })
}

function hatch(g: CanvasRenderingContext2D, one: MapRect, look: MapLook): void {
  const [right, top] = [one.x + one.width, one.line * LINE]
  g.strokeStyle = look.back
  g.lineWidth = 1
  g.beginPath()
  for (let x = right - one.rounding; x < right; x += 3) {
    g.moveTo(x, top + BAR)
    g.lineTo(Math.min(right, x + 3), top)
  }
  g.stroke()
}

/** `96.0 MiB`, `4 × 20.0 MiB`, or how many of different size. */
function labelOf(map: SegmentMap, segments: readonly Segment[], line: number, look: MapLook): string {
  const own = map.lines[line]?.segments ?? []
  const [first] = own
  const size = bytesText(segments[first ?? 0]?.bytes)
  if (own.length <= 1) {
    // One that began in a line above has its label there.
    const again = map.lines[line - 1]?.segments.includes(first ?? -1)
    return again ? '' : size
  }
  const each = own.every((at) => bytesText(segments[at]?.bytes) === size) ? size : ''
  return look.several(own.length, each)
}

/** The same picture as a file. */
export function mapSvg(map: SegmentMap, segments: readonly Segment[], width: number, look: MapLook): string {
  const height = map.lines.length * LINE
  const labels = map.lines.map((_, line) => {
    const text = labelOf(map, segments, line, look)
    return text && `<text x="0" y="${line * LINE + 12}" fill="${look.quiet}">${noted(text)}</text>`
  })
  const boxes = map.rects.map((one) => {
    const fill = isFree(one.block.state) ? look.free : look.fill(one)
    const said = `<title>${noted(`${one.block.category || one.block.state} ${bytesText(one.bytes)}`)}</title>`
    return `<rect ${placed(one)} fill="${fill}">${said}</rect>`
  })
  const frames = map.frames.map((one) => `<rect ${placed(one)} fill="none" stroke="${look.quiet}"/>`)
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11"`
  return `${head} style="background: ${look.back}">${[...labels, ...boxes, ...frames].join('')}</svg>`
}

function placed(one: { x: number; width: number; line: number }): string {
  return `x="${one.x.toFixed(1)}" y="${one.line * LINE}" width="${Math.max(0.5, one.width).toFixed(2)}" height="${BAR}"`
}
