/** Draws the critical path: its events keep their colours, all else fades; a line runs along it from lane to lane. */

import type { PathAnswer } from '../api/timeline.ts'
import { firstWhere } from '../model/binary_search.ts'
import { isBetween } from '../model/path.ts'
import type { Pane, Scene } from './paint.ts'
import { LABEL_FONT } from './labels.ts'
import { placeOfLane } from './rows.ts'
import { type Viewport, xOf } from './viewport.ts'

/** The path as it was answered, and the names of its kinds in the language chosen. */
export interface Path {
  /** Numbers of the first and the last step. */
  steps: readonly [number, number]
  pieces: PathAnswer['pieces']
  words: Record<string, string>
  /** Whether no other step has one, as in a report: what lies outside of it is not off the path. */
  alone: boolean
}

/** How much of the background is mixed into what is off the path. */
const VEIL = 0.7
/** CSS pixels from which on a latency has a caption. */
const CAPTION = 40
const LINE = 2
/** CSS pixels between two changes of the row below which they are faint: else all of them together are a black band. */
const DENSE = 6
const FAINT = 0.3

/** First and last piece that a view shows, the neighbours on either side included. */
function seen({ start, end }: PathAnswer['pieces'], view: Viewport): [number, number] {
  const first = firstWhere(0, end.length, (i) => (end[i] as number) > view.start)
  const last = firstWhere(first, start.length, (i) => (start[i] as number) >= view.end)
  return [Math.max(0, first - 1), Math.min(start.length, last + 1)]
}

interface Point {
  x: number
  y: number
}

interface Rows {
  (lane: number): { top: number; height: number } | null
}

export function paintPath(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, path: Path): void {
  const known = new Map<number, { top: number; height: number } | null>()
  const rows: Rows = (lane) => {
    let row = known.get(lane)
    if (row === undefined) {
      const place = placeOfLane(pane.layout, lane)
      row = place && { top: pane.top + place.top - pane.scroll, height: place.height }
      known.set(lane, row)
    }
    return row
  }
  veil(context, scene, pane, path, rows)
  line(context, scene, path, rows)
}

/** Everything off the path is mixed with the background. Rectangles of one row never overlap, so even-odd leaves holes. */
function veil(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, { pieces, alone }: Path, rows: Rows): void {
  const [first, last] = seen(pieces, scene.view)
  const { ratio } = scene
  const filled = new Map<number, number>()
  context.beginPath()
  const from = alone ? Math.max(0, edge(scene, pieces.start[0] ?? 0, ratio)) : 0
  const to = alone ? Math.min(scene.width, edge(scene, pieces.end.at(-1) ?? 0, ratio)) : scene.width
  if (to <= from) return
  context.rect(from, pane.top, to - from, pane.height)
  for (let i = first; i < last; i++) {
    const row = isBetween(pieces, i) ? null : rows(pieces.lane[i] as number)
    if (!row) continue
    const left = Math.max(edge(scene, pieces.start[i] as number, ratio), filled.get(row.top) ?? from)
    const right = Math.max(edge(scene, pieces.end[i] as number, ratio), left + (left < scene.width ? 1 / ratio : 0))
    const shown = Math.min(right, scene.width)
    if (shown <= left) continue
    context.rect(left, row.top, shown - left, row.height)
    filled.set(row.top, right)
  }
  context.globalAlpha = VEIL
  context.fillStyle = scene.palette.back
  context.fill('evenodd')
  context.globalAlpha = 1
}

function edge(scene: Scene, moment: number, ratio: number): number {
  return Math.round(xOf(scene.view, moment) * ratio) / ratio
}

/** The line on the lower edge of the path's events; dotted where nothing runs. */
function line(context: CanvasRenderingContext2D, scene: Scene, path: Path, rows: Rows): void {
  const { pieces } = path
  const [first, last] = seen(pieces, scene.view)
  context.strokeStyle = context.fillStyle = scene.palette.path
  context.lineWidth = LINE
  const [solid, dotted] = [new Path2D(), new Path2D()]
  const changes: [Point, Point][] = []
  let from: Point | null = null
  for (let i = first; i < last; i++) {
    const row = rows(pieces.lane[i] as number)
    if (!row) {
      from = null
      continue
    }
    const [left, right] = [xOf(scene.view, pieces.start[i] as number), xOf(scene.view, pieces.end[i] as number)]
    const y = row.top + row.height - LINE
    if (from && from.y !== y) changes.push([from, { x: left, y }])
    const between = isBetween(pieces, i)
    segment(between ? dotted : solid, { x: left, y }, { x: right, y })
    if (between && right - left >= CAPTION)
      caption(context, scene.palette, path.words[pieces.kind[i] as string] ?? '', left, right, row)
    from = { x: right, y }
  }
  const faint = new Path2D()
  changes.forEach(([one, to], i) => segment(isDense(changes, i) ? faint : solid, one, to))
  context.stroke(solid)
  context.globalAlpha = FAINT
  context.stroke(faint)
  context.globalAlpha = 1
  context.setLineDash([2, 3])
  context.stroke(dotted)
  context.setLineDash([])
}

/** Whether the line left the row, or comes back to it, right beside this change. */
function isDense(changes: [Point, Point][], i: number): boolean {
  const x = (at: number) => changes[at]?.[1].x ?? NaN
  return x(i) - x(i - 1) < DENSE || x(i + 1) - x(i) < DENSE
}

function segment(path: Path2D, from: Point, to: Point): void {
  path.moveTo(from.x, from.y)
  path.lineTo(to.x, to.y)
}

function caption(
  context: CanvasRenderingContext2D,
  palette: Scene['palette'],
  text: string,
  left: number,
  right: number,
  row: { top: number; height: number },
): void {
  context.font = LABEL_FONT
  context.textBaseline = 'middle'
  const from = Math.max(0, left)
  const { width } = context.measureText(text)
  if (width > right - from - 8) return
  // The name of the event below stays faintly readable under the veil: two texts in one place would be neither.
  context.fillStyle = palette.back
  context.fillRect(from + 1, row.top, width + 6, row.height - LINE)
  context.fillStyle = palette.path
  context.fillText(text, from + 4, row.top + row.height / 2 - 1)
}
