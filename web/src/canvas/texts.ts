/** Names on events, and on runs of events that are too narrow for one each. */

import type { Piece } from './cells.ts'
import { LABEL_FONT } from './labels.ts'
import { isLit, litInLane } from './lit.ts'
import type { Pane, Scene } from './paint.ts'
import { type Palette, SHADES } from './palette.ts'
import type { Row } from './rows.ts'
import type { Run } from './runs.ts'

export interface Text {
  row: number
  /** Device pixels. */
  from: number
  to: number
  code: number
  /** Row of the first event; -1 of a run. */
  first: number
  count: number
  /** Of its colour in the palette; -1 of a run, which has many. */
  index: number
  idle: boolean
  /** Whether there are others beside the one named. */
  mixed: boolean
}

/** Texts of one picture; more are never readable at once. */
export const MOST_TEXTS = 1500
/** Rows lower than this have no texts. */
export const LEAST_HEIGHT = 14
/** The name of a run stands on a ground of its own: below it are many colours. */
const GROUND = { opacity: 0.72, height: 14, aside: 3 }

export function textOf(piece: Piece, index: number, from: number, to: number, row: number, palette: Palette): Text {
  const { cells } = piece
  const kind = cells.kind[index] as number
  return {
    row,
    from,
    to,
    code: cells.name[index] as number,
    first: cells.first[index] as number,
    count: cells.count[index] as number,
    index: kind * SHADES + ((cells.shade[index] as number) & (SHADES - 1)),
    idle: kind === palette.idleKind,
    mixed: false,
  }
}

export function textOfRun(run: Run, idle: boolean): Text {
  return { ...run, first: -1, index: -1, idle }
}

/** What stands behind a name: ` ×12`, or `, … ×12` where others are among the twelve. */
function ending({ count, mixed }: Text): string {
  return count > 1 ? `${mixed ? ', …' : ''} ×${count}` : ''
}

export function paintTexts(
  context: CanvasRenderingContext2D,
  scene: Scene,
  pane: Pane,
  rows: Row[],
  before: number,
  texts: Text[],
): void {
  const { names, labels, ratio } = scene
  context.font = LABEL_FONT
  context.textBaseline = 'middle'
  for (const text of texts) {
    const row = rows[text.row - before]
    if (!row) continue
    const name = names.get(text.code)
    if (name === undefined) continue
    const [from, to] = [Math.max(0, text.from / ratio), Math.min(scene.width, text.to / ratio)]
    const [said, end] = [text.idle ? (scene.causes[name] ?? name) : name, ending(text)]
    const behind = labels.widthOfCharacters(context, end)
    const shown = labels.fitting(context, said, to - from - behind)
    if (shown === '') continue
    const middle = pane.top + row.top - pane.scroll + row.height / 2
    if (text.index < 0) ground(context, scene, from + 4, middle, labels.widthOf(context, shown) + behind)
    context.fillStyle = inkOf(text, scene, row)
    context.fillText(shown + end, from + 4, middle)
  }
}

function inkOf(text: Text, { lit, palette }: Scene, row: Row): string {
  const isQuiet = text.index < 0 || !isLit(litInLane(lit, row.track.id, row.lane), text.code, text.first, text.count)
  if (isQuiet) return palette.quiet
  return text.idle ? palette.text : (palette.inks[text.index] as string)
}

function ground(context: CanvasRenderingContext2D, { palette }: Scene, x: number, middle: number, width: number): void {
  const { opacity, height, aside } = GROUND
  context.globalAlpha = opacity
  context.fillStyle = palette.back
  context.fillRect(x - aside, middle - height / 2 - 0.5, width + 2 * aside, height)
  context.globalAlpha = 1
}
