/** Draws what lies over the tracks: area, marks, selected event, pointer, flow arrows. Cheap: it follows the pointer. */

import type { Flow, Place } from '../api/timeline.ts'
import { paintArrow, paintLink } from './arrows.ts'
import type { Cell } from './cells.ts'
import type { Scene, Pane } from './paint.ts'
import { placeOfLane } from './rows.ts'
import { xOf } from './viewport.ts'

export interface Over {
  /** CSS pixel of the pointer, or null. */
  pointer: number | null
  hovered: Cell | null
  selected: Place | null
  selectedCell: Cell | null
  area: { start: number; end: number; top: number; bottom: number } | null
  marks: readonly (readonly [number, number])[]
  flows: Flow[]
}

/** Flow arrows of one event that are still told apart. */
export const MOST_ARROWS = 60

export function paintOverlay(context: CanvasRenderingContext2D, scene: Scene, over: Over): void {
  const { ratio, width, height, palette } = scene
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  for (const [start, end] of over.marks) paintMark(context, scene, start, end)
  if (over.area) paintArea(context, scene, over.area)
  if (over.hovered) outline(context, scene, over.hovered.lane, over.hovered.start, over.hovered.end, palette.text, 1)
  const { selected, selectedCell } = over
  if (selectedCell) outline(context, scene, selectedCell.lane, selectedCell.start, selectedCell.end, palette.accent, 2)
  for (const flow of over.flows.slice(0, MOST_ARROWS)) paintFlow(context, scene, flow)
  if (selected)
    outline(context, scene, selected.lane, selected.start, selected.start + selected.duration_ns, palette.accent, 2)
  if (over.pointer !== null) {
    context.fillStyle = palette.quiet
    context.globalAlpha = 0.55
    context.fillRect(Math.round(over.pointer), 0, 1, height)
    context.globalAlpha = 1
  }
}

/** Where a lane's row is on the plot, of the pane that shows it; null when no pane has its track. */
export function laneOnPlot(scene: Scene, lane: number): { top: number; height: number; pane: Pane } | null {
  for (const pane of scene.panes) {
    const place = placeOfLane(pane.layout, lane)
    if (place) return { top: pane.top + place.top - pane.scroll, height: place.height, pane }
  }
  return null
}

function outline(
  context: CanvasRenderingContext2D,
  scene: Scene,
  lane: number,
  start: number,
  end: number,
  colour: string,
  thickness: number,
): void {
  const place = laneOnPlot(scene, lane)
  if (!place) return
  const { pane } = place
  const left = Math.max(-4, xOf(scene.view, start))
  const right = Math.min(scene.width + 4, Math.max(xOf(scene.view, end), left + 3))
  if (right < 0 || left > scene.width) return
  context.save()
  context.beginPath()
  context.rect(0, pane.top, scene.width, pane.height)
  context.clip()
  context.strokeStyle = colour
  context.lineWidth = thickness
  const half = thickness / 2
  context.strokeRect(left + half, place.top + half, right - left - thickness, place.height - 1 - thickness)
  context.restore()
}

function paintArea(context: CanvasRenderingContext2D, scene: Scene, area: NonNullable<Over['area']>): void {
  const { palette, view, width, height } = scene
  const [left, right] = [xOf(view, area.start), xOf(view, area.end)]
  context.fillStyle = palette.back
  context.globalAlpha = 0.5
  context.fillRect(0, 0, Math.max(0, left), height)
  context.fillRect(right, 0, Math.max(0, width - right), height)
  if (area.top > 0) context.fillRect(left, 0, right - left, area.top)
  if (area.bottom < height) context.fillRect(left, area.bottom, right - left, height - area.bottom)
  context.globalAlpha = 1
  context.strokeStyle = palette.accent
  context.lineWidth = 1
  const [top, bottom] = [Math.max(0, area.top), Math.min(height, area.bottom)]
  context.strokeRect(Math.round(left) + 0.5, top + 0.5, Math.round(right - left), Math.max(1, bottom - top - 1))
}

function paintMark(context: CanvasRenderingContext2D, scene: Scene, start: number, end: number): void {
  const [left, right] = [xOf(scene.view, start), xOf(scene.view, end)]
  context.fillStyle = scene.palette.accent
  context.globalAlpha = 0.07
  context.fillRect(left, 0, right - left, scene.height)
  context.globalAlpha = 0.8
  for (const x of [left, right]) context.fillRect(Math.round(x), 0, 1, scene.height)
  context.globalAlpha = 1
}

function paintFlow(context: CanvasRenderingContext2D, scene: Scene, flow: Flow): void {
  const from = laneOnPlot(scene, flow.from.lane)
  const to = laneOnPlot(scene, flow.to.lane)
  if (from && to) (flow.kind === 'collective' ? paintLink : paintArrow)(context, scene, flow, from, to)
}
