/** Draws the occurrences of findings: as a lane above the tracks, and on the events that they are. */

import type { OccurrencesAnswer } from '../api/timeline.ts'
import { firstWhere } from '../model/binary_search.ts'
import { LABEL_FONT } from './labels.ts'
import { laneOnPlot } from './overlay.ts'
import type { Scene } from './paint.ts'
import type { Palette } from './palette.ts'
import { type Viewport, xOf } from './viewport.ts'

export interface Occurrences {
  marks: OccurrencesAnswer['marks']
  /** Place of the chosen finding, and of its occurrence that is looked at; -1 for none. */
  chosen: number
  at: number
  caption: string
}

/** CSS pixels of the lane. */
export const OCCURRENCES = 24
/** CSS pixels from which on a mark bears the number of its finding. */
const NUMBERED = 14
/** CSS pixels from which on an event has an outline. */
const OUTLINED = 8
const TINT = 0.14

function colourOf(palette: Palette, finding: number, chosen: number): string {
  return finding === chosen ? palette.warning : palette.quiet
}

/** Places of the marks that a view shows: they are in order of their begin, and may be long. */
export function seen({ start, end }: Occurrences['marks'], view: Viewport): number[] {
  const last = firstWhere(0, start.length, (at) => (start[at] as number) >= view.end)
  const found = []
  for (let at = 0; at < last; at++) if ((end[at] as number) > view.start) found.push(at)
  return found
}

function edges(marks: Occurrences['marks'], at: number, view: Viewport): [number, number] {
  const left = xOf(view, marks.start[at] as number)
  return [left, Math.max(left + 2, xOf(view, marks.end[at] as number))]
}

/** The lane above the tracks; the chosen finding stands above the others. */
export function paintLane(
  context: CanvasRenderingContext2D,
  view: Viewport,
  ratio: number,
  palette: Palette,
  shown: Occurrences,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = palette.back
  context.fillRect(0, 0, view.width, OCCURRENCES)
  context.font = LABEL_FONT
  context.textBaseline = 'middle'
  const { marks, chosen } = shown
  const visible = seen(marks, view)
  for (const isChosen of [false, true])
    for (const at of visible)
      if ((marks.finding[at] === chosen) === isChosen) paintMark(context, view, palette, shown, at)
  if (shown.at >= 0) caption(context, view, palette, shown)
}

function paintMark(
  context: CanvasRenderingContext2D,
  view: Viewport,
  palette: Palette,
  { marks, chosen, at: current }: Occurrences,
  at: number,
): void {
  const finding = marks.finding[at] as number
  const [left, right] = edges(marks, at, view)
  const colour = colourOf(palette, finding, chosen)
  context.fillStyle = palette.back
  context.fillRect(left, 2, right - left, OCCURRENCES - 4)
  context.fillStyle = context.strokeStyle = colour
  context.globalAlpha = at === current ? 0.35 : TINT
  context.fillRect(left, 2, right - left, OCCURRENCES - 4)
  context.globalAlpha = 1
  context.lineWidth = 1
  context.strokeRect(left + 0.5, 2.5, Math.max(1, right - left - 1), OCCURRENCES - 5)
  context.fillStyle = palette.text
  if (right - left >= NUMBERED && at !== current)
    context.fillText(`${finding + 1}`, Math.max(2, left + 4), OCCURRENCES / 2)
}

/** What is looked at, in its mark where there is room, else behind it. */
function caption(context: CanvasRenderingContext2D, view: Viewport, palette: Palette, shown: Occurrences): void {
  const [left, right] = edges(shown.marks, shown.at, view)
  if (right < 0 || left > view.width) return
  const width = context.measureText(shown.caption).width + 8
  const inside = Math.min(right, view.width) - Math.max(left, 0) >= width
  const from = inside ? Math.max(left, 0) + 4 : Math.min(right + 4, view.width - width)
  context.fillStyle = palette.back
  context.globalAlpha = inside ? 0 : 0.85
  context.fillRect(from - 2, 2, width, OCCURRENCES - 4)
  context.globalAlpha = 1
  context.fillStyle = palette.text
  context.fillText(shown.caption, from, OCCURRENCES / 2)
}

/** Around an event; below it where it is so narrow that nothing of it would be left to see. */
function outline(
  context: CanvasRenderingContext2D,
  [left, right]: [number, number],
  row: { top: number; height: number },
  width: number,
): void {
  if (right - left < OUTLINED) return context.fillRect(left, row.top + row.height - 3, right - left, 2)
  context.lineWidth = width
  context.strokeRect(left + 1, row.top + 1, right - left - 2, row.height - 3)
}

/** On the tracks: the occurrence that is looked at as a band, and an outline around the events of all. */
export function paintOccurrences(context: CanvasRenderingContext2D, scene: Scene, shown: Occurrences): void {
  const { marks, chosen, at: current } = shown
  const { palette, view } = scene
  for (const at of seen(marks, view)) {
    const finding = marks.finding[at] as number
    if (chosen >= 0 && finding !== chosen) continue
    const [left, right] = edges(marks, at, view)
    context.strokeStyle = context.fillStyle = colourOf(palette, finding, chosen)
    if (at === current) {
      context.globalAlpha = TINT
      context.fillRect(left, 0, right - left, scene.height)
      context.globalAlpha = 1
    }
    const row = (marks.lane[at] as number) >= 0 ? laneOnPlot(scene, marks.lane[at] as number) : null
    if (!row || row.top + row.height < row.pane.top || row.top > row.pane.top + row.pane.height) continue
    outline(context, [left, right], row, finding === chosen ? 2 : 1)
  }
}
