/** Arrows from what caused an event to it; one that leaves the plot ends at its edge. */

import type { Flow } from '../api/timeline.ts'
import type { Scene } from './paint.ts'
import { xOf } from './viewport.ts'

export interface Row {
  top: number
  height: number
}

/** From and to where an arrow is drawn; `cut` says whether an end of it is out of sight. */
interface Ends {
  from: number
  to: number
  cut: boolean
}

/** CSS pixels between a cut end and the edge of the plot. */
const EDGE = 3

/** The ends of an arrow as they are drawn, or null when neither is in sight: a line across the plot looks like an event. */
export function endsOf(from: number, to: number, width: number): Ends | null {
  const [isFromSeen, isToSeen] = [from, to].map((x) => x >= 0 && x <= width) as [boolean, boolean]
  if (!isFromSeen && !isToSeen) return null
  const within = (x: number) => Math.min(Math.max(x, EDGE), width - EDGE)
  return {
    from: isFromSeen ? from : within(from),
    to: isToSeen ? to : within(to),
    cut: !isFromSeen || !isToSeen,
  }
}

/** A curve from the end of the one event to the start of the other, with a head. */
export function paintArrow(context: CanvasRenderingContext2D, scene: Scene, flow: Flow, from: Row, to: Row): void {
  const { view, palette } = scene
  const end = flow.from.start + Math.min(flow.from.duration_ns, Math.max(0, flow.to.start - flow.from.start))
  const ends = endsOf(xOf(view, end), xOf(view, flow.to.start), scene.width)
  if (!ends) return
  const [x0, x1] = [ends.from, ends.to]
  const [y0, y1] = [from.top + from.height / 2, to.top + to.height / 2]
  // Cut at the left edge it goes on to the left.
  const side = ends.cut && x1 < x0 ? -1 : 1
  const reach = Math.max(24, Math.min(160, Math.abs(x1 - x0) / 2)) * side
  const drawn = () => {
    context.beginPath()
    context.moveTo(x0, y0)
    context.bezierCurveTo(x0 + reach, y0, x1 - reach, y1, x1 - side, y1)
    context.stroke()
  }
  // A rim of background first, so that the arrow is seen on any colour.
  context.lineWidth = 4
  context.strokeStyle = palette.back
  context.globalAlpha = ends.cut ? 0.4 : 0.7
  drawn()
  context.globalAlpha = ends.cut ? 0.5 : 1
  context.lineWidth = ends.cut ? 1 : 1.5
  context.strokeStyle = palette.text
  drawn()
  head(context, x1, y1, side, palette.text)
  context.globalAlpha = 1
}

/** The moment at which the rank that arrived last did so. */
const DOT = 4

/** Between the arrivals of two ranks at one collective, from the earlier to the later. */
export function paintLink(context: CanvasRenderingContext2D, scene: Scene, flow: Flow, from: Row, to: Row): void {
  const { view, palette } = scene
  const ends = endsOf(xOf(view, flow.from.start), xOf(view, flow.to.start), scene.width)
  if (!ends) return
  const isDown = to.top > from.top
  const [y0, y1] = isDown ? [from.top + from.height, to.top] : [from.top, to.top + to.height]
  const middle = (y0 + y1) / 2
  const drawn = () => {
    context.beginPath()
    context.moveTo(ends.from, y0)
    context.bezierCurveTo(ends.from, middle, ends.to, middle, ends.to, y1)
    context.stroke()
  }
  const colour = flow.last ? palette.accent : palette.text
  context.globalAlpha = ends.cut ? 0.5 : 0.9
  context.lineWidth = 4
  context.strokeStyle = palette.back
  drawn()
  context.lineWidth = flow.last ? 2 : 1
  context.strokeStyle = colour
  drawn()
  context.globalAlpha = 1
  if (ends.cut) return
  context.fillStyle = colour
  context.beginPath()
  if (flow.last) context.arc(ends.to, y1, DOT, 0, 2 * Math.PI)
  else triangle(context, ends.to, y1, isDown ? 1 : -1)
  context.fill()
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number, side: number): void {
  context.moveTo(x, y)
  context.lineTo(x - DOT, y - 7 * side)
  context.lineTo(x + DOT, y - 7 * side)
}

function head(context: CanvasRenderingContext2D, x: number, y: number, side: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.moveTo(x + side, y)
  context.lineTo(x - 7 * side, y - 4)
  context.lineTo(x - 7 * side, y + 4)
  context.fill()
}
