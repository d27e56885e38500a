/** Draws the panes of tracks: background, grid, cells, texts, counters. */

import { type Paint, paintPiece, type RowImage } from './bitmap.ts'
import { following, type Piece } from './cells.ts'
import type { TimelineData } from './data.ts'
import { paintCounter } from './counters.ts'
import { type Labels, LEAST_WIDTH } from './labels.ts'
import { levelOf, tileSpan, tilesOf } from './levels.ts'
import { ALL_LIT, type Lit, litInLane } from './lit.ts'
import type { Names } from './names.ts'
import { paintPath, type Path } from './path.ts'
import { idlePacked, type Palette } from './palette.ts'
import { type Layout, type Row, visibleBoxes, visibleRows } from './rows.ts'
import { paintSimulated, type Simulated } from './simulated.ts'
import type { Runs } from './runs.ts'
import { LEAST_HEIGHT, MOST_TEXTS, paintTexts, type Text, textOf, textOfRun } from './texts.ts'
import type { Tick } from './timescale.ts'
import { type Viewport, xOf } from './viewport.ts'

/** A part of the plot with tracks in it: the pinned ones, and all others below. */
export interface Pane {
  layout: Layout
  /** CSS pixels of the plot, and how far the tracks are scrolled up in it. */
  top: number
  height: number
  scroll: number
}

export interface Scene {
  view: Viewport
  panes: Pane[]
  /** CSS pixels; device pixels per CSS pixel. */
  width: number
  height: number
  ratio: number
  palette: Palette
  /** What stands out; null where everything does. */
  lit: Lit | null
  /** Causes of idle time in the user's language. */
  causes: Record<string, string>
  /** Colours of idle time by the code of its cause; filled as their names arrive. */
  idle: Map<number, number>
  ticks: Tick[]
  /** Pieces of time with another background: the chosen steps. */
  shaded: readonly (readonly [number, number])[]
  /** Moments with a line: where steps begin. */
  boundaries: readonly number[]
  end: number
  /** The critical path, lit up; null where it is not shown. */
  path: Path | null
  /** The simulated step, below its tracks; null where none is shown. */
  simulated: Simulated | null
  data: TimelineData
  names: Names
  labels: Labels
  image: RowImage
  runs: Runs
}

/** Rows that a pane shows, with their place on the plot. */
export function paneRows(pane: Pane): Row[] {
  return visibleRows(pane.layout, pane.scroll, pane.scroll + pane.height)
}

/** Grey that is faint on either theme. */
const AWAITED = 0x18808080

export function paintPlot(context: CanvasRenderingContext2D, scene: Scene): void {
  const { ratio, width, height, palette } = scene
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = palette.back
  context.fillRect(0, 0, width, height)
  const rows = scene.panes.map(paneRows)
  backgrounds(context, scene)
  const image = rowsImage(scene, rows.flat())
  scene.panes.forEach((pane, i) => {
    clipped(context, pane, width, () => {
      const before = rows.slice(0, i).reduce((sum, one) => sum + one.length, 0)
      stretched(context, scene, pane, rows[i] as Row[], before)
      paintTexts(context, scene, pane, rows[i] as Row[], before, image)
      paintCounters(context, scene, pane)
      if (scene.path) paintPath(context, scene, pane, scene.path)
      if (scene.simulated) paintSimulated(context, scene, pane, scene.simulated)
    })
  })
}

function clipped(context: CanvasRenderingContext2D, pane: Pane, width: number, draw: () => void): void {
  context.save()
  context.beginPath()
  context.rect(0, pane.top, width, pane.height)
  context.clip()
  draw()
  context.restore()
}

/** Headings, chosen steps and the lines of the ruler, under the cells. */
function backgrounds(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, palette, ratio, height } = scene
  context.fillStyle = palette.row
  for (const pane of scene.panes) {
    const [first, last] = visibleBoxes(pane.layout, pane.scroll, pane.scroll + pane.height)
    for (let i = first; i <= last; i++) {
      const box = pane.layout.boxes[i]
      if (box?.heading) context.fillRect(0, pane.top + box.top - pane.scroll, scene.width, box.height)
    }
  }
  context.globalAlpha = 0.1
  context.fillStyle = palette.accent
  for (const [from, to] of scene.shaded) context.fillRect(xOf(view, from), 0, xOf(view, to) - xOf(view, from), height)
  context.globalAlpha = 1
  lines(
    context,
    scene.ticks.map((tick) => tick.at),
    palette.line,
    scene,
    1 / ratio,
  )
  lines(context, scene.boundaries, palette.strongLine, scene, 1 / ratio)
}

function lines(
  context: CanvasRenderingContext2D,
  moments: readonly number[],
  colour: string,
  scene: Scene,
  width: number,
): void {
  context.fillStyle = colour
  for (const moment of moments) {
    const x = Math.round(xOf(scene.view, moment) * scene.ratio) / scene.ratio
    if (x >= 0 && x < scene.width) context.fillRect(x, 0, width, scene.height)
  }
}

/** Fill the image, one pixel row for each row; returns the cells that are wide enough for a text. */
function rowsImage(scene: Scene, rows: Row[]): Text[] {
  const { view, ratio, palette, image, runs } = scene
  const width = Math.max(1, Math.round(scene.width * ratio))
  runs.begin(ratio)
  image.clear(width, rows.length)
  const level = levelOf(view)
  const [first, last] = tilesOf(view.start, view.end, level, scene.end)
  const texts: Text[] = []
  let row = 0
  const paint: Paint = {
    palette,
    start: view.start,
    scale: width / (view.end - view.start),
    lit: ALL_LIT,
    idle: scene.idle,
    widest: LEAST_WIDTH * ratio,
    runs,
    wide: (piece, index, from, to) => {
      if (texts.length < MOST_TEXTS) texts.push(textOf(piece, index, from, to, row, palette))
    },
  }
  for (; row < rows.length; row++) {
    const { lane, height, track } = rows[row] as Row
    const named = height >= LEAST_HEIGHT
    paint.widest = named ? LEAST_WIDTH * ratio : Infinity
    // They would cover what stands out.
    paint.runs = named && !scene.lit ? runs : null
    paint.lit = litInLane(scene.lit, track.id, lane)
    runs.inRow(row)
    paintLane(scene, lane, level, first, last, row * width, width, paint)
  }
  runs.end()
  image.done(rows.length)
  const ofRuns = runs.found.map((run) => textOfRun(run, (rows[run.row] as Row).track.kind === 'idle'))
  return [...texts, ...ofRuns].slice(0, MOST_TEXTS)
}

function paintLane(
  scene: Scene,
  lane: number,
  level: number,
  first: number,
  last: number,
  offset: number,
  width: number,
  paint: Paint,
): void {
  const { pixels } = scene.image
  // No edge, and no second text, where two tiles meet.
  let open: Piece | null = null
  const draw = () => {
    if (open) paintPiece(pixels, offset, width, open, paint)
    open = null
  }
  for (let index = first; index <= last; index++) {
    let isThere = false
    scene.data.cells.pieces(level, index, index, lane, (tile, start, end) => {
      isThere = true
      const next = open ? following(open, { ...tile, start, end }) : { ...tile, start, end }
      if (!next) return
      draw()
      open = next
    })
    if (!isThere) awaited(pixels, offset, width, index * tileSpan(level), (index + 1) * tileSpan(level), paint)
  }
  draw()
}

/** Where nothing was fetched yet it does not look as if nothing happened. */
function awaited(pixels: Uint32Array, offset: number, width: number, start: number, end: number, paint: Paint): void {
  const from = Math.max(0, Math.round((start - paint.start) * paint.scale))
  const to = Math.min(width, Math.round((end - paint.start) * paint.scale))
  if (to > from) pixels.fill(AWAITED, offset + from, offset + to)
}

/** Stretch each row of the image over its height; a line of background stays between rows. */
function stretched(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, rows: Row[], before: number): void {
  const { image, ratio } = scene
  context.imageSmoothingEnabled = false
  context.setTransform(1, 0, 0, 1, 0, 0)
  rows.forEach((row, i) => {
    const top = Math.round((pane.top + row.top - pane.scroll) * ratio)
    const bottom = Math.round((pane.top + row.top + row.height - pane.scroll) * ratio)
    const gap = row.folded && row.height < 10 ? 0 : Math.max(1, Math.round(ratio))
    context.drawImage(image.canvas, 0, before + i, image.width, 1, 0, top, image.width, Math.max(1, bottom - top - gap))
  })
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
}

/** Learn the colours of the causes in a lane of idle time: their names are needed even when no text fits. */
export function learnIdle(scene: Scene, lane: number): void {
  const level = levelOf(scene.view)
  const [first, last] = tilesOf(scene.view.start, scene.view.end, level, scene.end)
  const colours = scene.idle
  scene.data.cells.pieces(level, first, last, lane, (tile) => {
    const { name } = tile.cells
    for (let i = tile.from; i < tile.to; i++) {
      const code = name[i] as number
      if (colours.has(code)) continue
      const text = scene.names.get(code)
      if (text !== undefined) colours.set(code, idlePacked(text, scene.palette.theme))
    }
  })
}

function paintCounters(context: CanvasRenderingContext2D, scene: Scene, pane: Pane): void {
  const [first, last] = visibleBoxes(pane.layout, pane.scroll, pane.scroll + pane.height)
  for (let i = first; i <= last; i++) {
    const box = pane.layout.boxes[i]
    if (box?.track?.kind === 'counter')
      paintCounter(context, scene, box.track, pane.top + box.top - pane.scroll, box.height)
  }
}
