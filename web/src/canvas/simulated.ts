/** Draws the simulated step: a row of stripes below each track with work, and where the step ends. */

import type { SimulatedAnswer } from '../api/simulated.ts'
import { KINDS, type Track } from '../api/timeline.ts'
import { firstWhere } from '../model/binary_search.ts'
import { LABEL_FONT } from './labels.ts'
import type { Pane, Scene } from './paint.ts'
import { type Palette, SHADES } from './palette.ts'
import { visibleBoxes } from './rows.ts'
import { type Viewport, xOf } from './viewport.ts'

export interface Simulated {
  answer: SimulatedAnswer
  /** The ends, in words. */
  words: { recorded: string; before: string; after: string }
}

/** CSS pixels of a row of stripes, and of the lane above the tracks. */
export const STRIPES = 9
export const ENDS = 38
const LABELS = 20
/** CSS pixels from one stripe to the next. */
const EVERY = 5

/** Places of the pieces of a track, in order of lane and time: `[first, behind the last)`. */
function piecesOf({ lane }: SimulatedAnswer['pieces'], track: Track): [number, number] {
  const first = firstWhere(0, lane.length, (at) => (lane[at] as number) >= track.first_lane)
  return [first, firstWhere(first, lane.length, (at) => (lane[at] as number) >= track.first_lane + track.depths)]
}

/** The piece of a track at a moment, the latest that began before it; -1 for none. */
export function simulatedAt({ pieces }: SimulatedAnswer, track: Track, moment: number): number {
  const [first, last] = piecesOf(pieces, track)
  let found = -1
  for (let at = first; at < last; at++) {
    const [start, end] = [pieces.start[at] as number, pieces.end[at] as number]
    if (start <= moment && moment < end && (found < 0 || start > (pieces.start[found] as number))) found = at
  }
  return found
}

const patterns = new WeakMap<Palette, Map<string, CanvasPattern | string>>()

/** Stripes of a kind's colour on the background, as all that is simulated has. */
function stripes(context: CanvasRenderingContext2D, palette: Palette, kind: number, ratio: number) {
  const known = patterns.get(palette) ?? new Map<string, CanvasPattern | string>()
  patterns.set(palette, known)
  const key = `${kind} ${ratio}`
  let pattern = known.get(key)
  if (pattern === undefined) {
    pattern = striped(context, palette, cssColour(palette.colours[kind * SHADES] ?? 0), ratio)
    known.set(key, pattern)
  }
  return pattern
}

function cssColour(packed: number): string {
  return `rgb(${packed & 255} ${(packed >> 8) & 255} ${(packed >> 16) & 255})`
}

function striped(context: CanvasRenderingContext2D, palette: Palette, colour: string, ratio: number) {
  const size = Math.max(2, Math.round(EVERY * ratio))
  const tile = Object.assign(document.createElement('canvas'), { width: size, height: size })
  const drawn = tile.getContext('2d')
  if (!drawn) return colour
  drawn.fillStyle = palette.back
  drawn.fillRect(0, 0, size, size)
  drawn.strokeStyle = colour
  drawn.lineWidth = size * 0.45
  drawn.beginPath()
  for (const from of [-size, 0, size]) {
    drawn.moveTo(from - 1, size + 1)
    drawn.lineTo(from + size + 1, -1)
  }
  drawn.stroke()
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio))
  return pattern ?? colour
}

/** The rows of a pane. */
export function paintSimulated(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, shown: Simulated): void {
  const { boxes } = pane.layout
  const [first, last] = visibleBoxes(pane.layout, pane.scroll, pane.scroll + pane.height)
  for (let at = first; at <= last; at++) {
    const box = boxes[at]
    if (!box?.track || box.below === 0) continue
    const top = pane.top + box.top + box.height - box.below + 1 - pane.scroll
    paintRow(context, scene, shown.answer, box.track, top)
  }
}

function paintRow(
  context: CanvasRenderingContext2D,
  { view, palette, ratio, width }: Scene,
  { pieces, begin, length_ns }: SimulatedAnswer,
  track: Track,
  top: number,
): void {
  const [from, to] = [xOf(view, begin), xOf(view, begin + length_ns)]
  context.fillStyle = palette.line
  if (to > 0 && from < width)
    context.fillRect(Math.max(0, from), top + STRIPES, Math.min(width, to) - Math.max(0, from), 1)
  const [first, last] = piecesOf(pieces, track)
  for (let at = first; at < last; at++) {
    const left = Math.max(0, xOf(view, pieces.start[at] as number))
    const right = Math.min(width, Math.max(xOf(view, pieces.end[at] as number), left + 1 / ratio))
    if (right <= left) continue
    context.fillStyle = stripes(context, palette, pieces.kind[at] ?? KINDS.indexOf('other'), ratio)
    context.fillRect(left, top, right - left, STRIPES)
  }
}

/** Where the step ends as recorded, without the profiler, and with the changes. */
function endsOf({ begin, end, before_ns, after_ns, after_low_ns, after_high_ns }: SimulatedAnswer, view: Viewport) {
  const at = (ns: number) => xOf(view, begin + ns)
  return {
    recorded: xOf(view, end),
    before: at(before_ns),
    after: at(after_ns),
    band: [at(after_low_ns), at(after_high_ns)] as const,
  }
}

/** The ends through all tracks. */
export function paintEnds(context: CanvasRenderingContext2D, scene: Scene, { answer }: Simulated): void {
  lines(context, scene.palette, endsOf(answer, scene.view), scene.height)
}

function lines(
  context: CanvasRenderingContext2D,
  palette: Palette,
  ends: ReturnType<typeof endsOf>,
  height: number,
  top = 0,
): void {
  context.fillStyle = palette.sim
  context.globalAlpha = 0.1
  context.fillRect(ends.band[0], top, Math.max(1, ends.band[1] - ends.band[0]), height - top)
  context.globalAlpha = 1
  context.lineWidth = 1.5
  const line = (x: number, colour: string, dash: number[]) => {
    context.strokeStyle = colour
    context.setLineDash(dash)
    context.beginPath()
    context.moveTo(Math.round(x) + 0.5, top)
    context.lineTo(Math.round(x) + 0.5, height)
    context.stroke()
  }
  line(ends.recorded, palette.quiet, [])
  line(ends.before, palette.quiet, [5, 4])
  line(ends.after, palette.sim, [5, 4])
  context.setLineDash([])
}

/** The lane above the tracks: each end with its time, as far as they do not cover each other. */
export function paintEndsLane(
  context: CanvasRenderingContext2D,
  view: Viewport,
  ratio: number,
  palette: Palette,
  shown: Simulated | null,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = palette.back
  context.fillRect(0, 0, view.width, ENDS)
  if (!shown) return
  const { words } = shown
  const ends = endsOf(shown.answer, view)
  lines(context, palette, ends, ENDS, LABELS)
  context.font = LABEL_FONT
  context.textBaseline = 'middle'
  const taken: [number, number][] = []
  for (const name of ['after', 'recorded', 'before'] as const) {
    const { width } = context.measureText(words[name])
    const place = placed(ends[name], width, view.width, taken)
    if (place === null) continue
    // The line of another end may run through it.
    context.fillStyle = palette.back
    context.fillRect(place - 2, LABELS + 1, width + 4, ENDS - LABELS - 2)
    context.fillStyle = name === 'after' ? palette.sim : palette.text
    context.fillText(words[name], place, (LABELS + ENDS) / 2)
  }
}

/** Where a label of a line begins: behind it, else before it; null where neither has room. */
export function placed(x: number, width: number, room: number, taken: [number, number][]): number | null {
  for (const from of [x + 5, x - 5 - width]) {
    const to = from + width
    if (from < 0 || to > room || taken.some(([left, right]) => from < right + 4 && to > left - 4)) continue
    taken.push([from, to])
    return from
  }
  return null
}
