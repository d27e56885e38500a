/**
 * An icicle: things that lie in one another as boxes, as wide as their time or size, those inside below: modules, frames of
 * stacks. Geometry in px of the page, pure; drawing, on a canvas and as SVG.
 */

import { inkOn } from '../model/colours.ts'
import { middleCut } from '../model/format.ts'
import { lineage, type Tree } from '../model/tree.ts'
import { noted } from './svg.ts'

/** Height of a row of boxes. */
export const LEVEL = 22

/** Stands for all rows together. */
export const ALL = -1

export interface Box {
  row: number
  level: number
  x: number
  width: number
}

/** Boxes narrower than this are not drawn; their room stays empty. */
const NARROWEST = 0.5

/**
 * Boxes of a tree across a width.
 *
 * @param values width of each row; what is inside a row never gets wider than the row.
 * @param whole value of the box over all roots: their sum, or more.
 * @param focus row that takes the whole width, under those around it; `ALL` for none.
 */
export function icicleBoxes(tree: Tree, values: Float64Array, whole: number, focus: number, width: number): Box[] {
  const above = focus === ALL ? [] : lineage(tree, focus)
  const boxes: Box[] = [ALL, ...above].map((row, level) => ({ row, level, x: 0, width }))
  const value = focus === ALL ? whole : (values[focus] ?? 0)
  const inside = focus === ALL ? tree.roots : (tree.children[focus] ?? [])
  const waiting = placed(inside, values, value, { row: focus, level: boxes.length - 1, x: 0, width })
  for (let box = waiting.pop(); box; box = waiting.pop()) {
    boxes.push(box)
    waiting.push(...placed(tree.children[box.row] ?? [], values, values[box.row] ?? 0, box))
  }
  return boxes
}

/** Rows side by side in the box around them, the widest first. */
function placed(rows: number[], values: Float64Array, whole: number, around: Box): Box[] {
  const sum = rows.reduce((total, row) => total + (values[row] ?? 0), 0)
  const most = Math.max(whole, sum, 1)
  let x = around.x
  const boxes: Box[] = []
  for (const row of rows.toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0))) {
    const width = around.width * ((values[row] ?? 0) / most)
    if (width < NARROWEST) break
    boxes.push({ row, level: around.level + 1, x, width })
    x += width
  }
  return boxes
}

/** The box at a place. */
export function boxAt(boxes: Box[], x: number, y: number): Box | undefined {
  const level = Math.floor(y / LEVEL)
  return boxes.find((box) => box.level === level && x >= box.x && x < box.x + box.width)
}

/** The box that an arrow key leads to from a row: over it, below it, or beside it. */
export function boxBeside(boxes: Box[], row: number, key: string): Box | undefined {
  const now = boxes.find((box) => box.row === row)
  if (!now) return boxes[0]
  const level = boxes.filter((box) => box.level === now.level).toSorted((a, b) => a.x - b.x)
  const at = level.indexOf(now)
  const middle = now.x + now.width / 2
  switch (key) {
    case 'ArrowLeft':
      return level[at - 1]
    case 'ArrowRight':
      return level[at + 1]
    case 'ArrowUp':
      return boxes.find((box) => box.level === now.level - 1 && box.x <= middle && middle < box.x + box.width)
    default:
      return boxes
        .filter((box) => box.level === now.level + 1 && box.x >= now.x - 0.01 && box.x < now.x + now.width)
        .toSorted((a, b) => a.x - b.x)[0]
  }
}

export interface IcicleLook {
  back: string
  text: string
  /** Of the box over all. */
  raised: string
  accent: string
  font: string
  /** Colour of a row. */
  fill: (row: number) => string
  /** Name of a row and its time. */
  label: (row: number) => readonly [name: string, value: string]
}

interface IcicleView {
  boxes: Box[]
  width: number
  height: number
  /** Row outlined: chosen, or under pointer or keyboard. */
  chosen: number | null
  hovered: number | null
}

export function drawIcicle(g: CanvasRenderingContext2D, view: IcicleView, look: IcicleLook): void {
  g.clearRect(0, 0, view.width, view.height)
  g.font = look.font
  g.textBaseline = 'middle'
  for (const box of view.boxes) {
    const fill = box.row === ALL ? look.raised : look.fill(box.row)
    g.fillStyle = fill
    const width = Math.max(1, box.width - 1)
    g.fillRect(box.x, box.level * LEVEL, width, LEVEL - 1)
    if (width > 26) label(g, look, box, box.row === ALL ? look.text : inkOn(fill), width)
  }
  for (const [row, line] of [
    [view.hovered, 1],
    [view.chosen, 2],
  ] as const) {
    const box = row === null ? undefined : view.boxes.find((one) => one.row === row)
    if (!box) continue
    g.lineWidth = line
    g.strokeStyle = line === 2 ? look.accent : look.text
    const half = line / 2
    g.strokeRect(box.x + half, box.level * LEVEL + half, Math.max(1, box.width - 1 - line), LEVEL - 1 - line)
  }
}

function label(g: CanvasRenderingContext2D, look: IcicleLook, box: Box, ink: string, width: number): void {
  const shown = labelIn(look.label(box.row), width, (text) => g.measureText(text).width)
  if (!shown) return
  g.fillStyle = ink
  g.fillText(shown, box.x + 5, box.level * LEVEL + LEVEL / 2)
}

/** What of a name and its value a box has room for; the name goes first: its value stands in the table. */
function labelIn([name, value]: readonly [string, string], width: number, measure: (text: string) => number): string {
  const room = width - 10
  const whole = [`${name}  ${value}`, name].find((text) => measure(text) <= room)
  let count = Math.floor((name.length * room) / measure(name)) + 1
  let shown = whole ?? middleCut(name, count)
  // Some letters are wider than others.
  while (!whole && count > 2 && measure(shown) > room) shown = middleCut(name, --count)
  // A few letters say nothing.
  return (shown.length < 3 && shown !== name) || measure(shown) > room ? '' : shown
}

/** Of an 11 px letter of a system font, px: a file has no canvas to measure on. */
const LETTER = 6.2

/** The same picture as a file. */
export function icicleSvg({ boxes, width, height }: Omit<IcicleView, 'chosen' | 'hovered'>, look: IcicleLook): string {
  const parts = boxes.map((box) => {
    const fill = box.row === ALL ? look.raised : look.fill(box.row)
    const wide = Math.max(1, box.width - 1)
    const y = box.level * LEVEL
    const shown = wide > 26 ? labelIn(look.label(box.row), wide, (text) => LETTER * text.length) : ''
    const ink = box.row === ALL ? look.text : inkOn(fill)
    const title = `<title>${noted(look.label(box.row).join('  '))}</title>`
    const rect = `<rect x="${box.x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${LEVEL - 1}" fill="${fill}"/>`
    const text = shown && `<text x="${(box.x + 5).toFixed(1)}" y="${y + 15}" fill="${ink}">${noted(shown)}</text>`
    return `<g>${title}${rect}${text}</g>`
  })
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11"`
  return `${head} style="background: ${look.back}">${parts.join('')}</svg>`
}
