/** Drawing of the step strip: one stacked bar per step, or per few steps. Geometry in px of the page. */

import type { Bar } from '../model/steps.ts'

interface StripColours {
  parts: string[]
  back: string
  text: string
  quiet: string
  line: string
  accent: string
  font: string
}

export interface StripView {
  width: number
  height: number
  bars: Bar[]
  /** ns at the top of the bars. */
  top: number
  /** Numbers of the steps, for the axis. */
  numbers: number[]
  /** Bars chosen, as indices, both included; null when all are. */
  chosen: [number, number] | null
  /** Bar under pointer or keyboard. */
  hovered: number | null
}

type Across = Pick<StripView, 'width' | 'bars'>

/** Height of the step numbers below the bars. */
const AXIS = 12
const WIDEST = 24
const MARGIN = 2
/** Steps narrower than this share a bar. */
const NARROWEST = 3

/** Room of a few bars, each as wide as it may be. */
export function roomFor(steps: number): number {
  return 2 * MARGIN + steps * WIDEST
}

/** How many bars fit. */
export function fitting(width: number): number {
  return Math.max(1, Math.floor((width - 2 * MARGIN) / NARROWEST))
}

/** Width of a bar with its gap. Few steps do not become doors. */
export function pitch(view: Across): number {
  return Math.min(WIDEST, (view.width - 2 * MARGIN) / Math.max(1, view.bars.length))
}

/** Bar at a place, clamped to the bars. */
export function barAt(view: Across, x: number): number {
  return Math.max(0, Math.min(view.bars.length - 1, Math.floor((x - MARGIN) / pitch(view))))
}

/** Left edge of a bar. */
export function leftOf(view: Across, index: number): number {
  return MARGIN + index * pitch(view)
}

export function drawStrip(g: CanvasRenderingContext2D, view: StripView, colours: StripColours): void {
  g.clearRect(0, 0, view.width, view.height)
  const base = view.height - AXIS
  g.fillStyle = colours.line
  g.fillRect(0, base, view.width, 1)
  view.bars.forEach((_, index) => drawBar(g, view, index, base, colours))
  if (view.chosen) drawChosen(g, view, view.chosen, base, colours)
  if (view.hovered !== null) drawHovered(g, view, view.hovered, base, colours)
  drawAxis(g, view, colours)
}

function drawBar(
  g: CanvasRenderingContext2D,
  view: StripView,
  index: number,
  base: number,
  colours: StripColours,
): void {
  const one = view.bars[index]
  if (!one) return
  const step = pitch(view)
  const gap = step >= 6 ? Math.min(3, step * 0.2) : step >= 4 ? 1 : 0
  // Without gaps, edges between pixels would let the page shine through.
  const x = gap ? leftOf(view, index) : Math.floor(leftOf(view, index))
  const width = gap ? step - gap : Math.floor(leftOf(view, index + 1)) - x
  const scale = (base - 4) / view.top
  const clip = (ns: number) => Math.min(base - 2, ns * scale)
  if (one.most > one.mean) {
    g.globalAlpha = 0.35
    g.fillStyle = colours.quiet
    g.fillRect(x, base - clip(one.most), width, clip(one.most) - clip(one.mean))
    g.globalAlpha = 1
  }
  let below = 0
  one.parts.forEach((part, i) => {
    const [low, high] = [clip(below), clip(below + part)]
    g.fillStyle = colours.parts[i] ?? colours.quiet
    if (high > low) g.fillRect(x, base - high, width, high - low)
    below += part
  })
  if (one.cut) hatch(g, x, base - clip(one.mean), width, clip(one.mean), colours.back)
  if (one.most * scale > base - 2) drawTorn(g, x, width, colours)
  if (one.period !== null) drawPeriod(g, x, width, base - clip(one.period), colours)
}

/** The step's length on the GPU's clock: a line across the bar. */
function drawPeriod(g: CanvasRenderingContext2D, x: number, width: number, y: number, colours: StripColours): void {
  if (width >= 4) {
    g.fillStyle = colours.back
    g.fillRect(x - 1, y - 1.5, width + 2, 3)
  }
  g.fillStyle = width >= 4 ? colours.text : colours.quiet
  g.fillRect(x - (width >= 4 ? 1 : 0), y - 0.5, width + (width >= 4 ? 2 : 0), 1)
}

/** A gap near the top says that the bar is longer than drawn. */
function drawTorn(g: CanvasRenderingContext2D, x: number, width: number, colours: StripColours): void {
  g.fillStyle = colours.back
  g.fillRect(x, 5, width, 2)
}

function hatch(g: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, ink: string): void {
  g.save()
  g.beginPath()
  g.rect(x, y, width, height)
  g.clip()
  g.strokeStyle = ink
  g.lineWidth = 1.5
  g.beginPath()
  for (let at = -height; at < width; at += 6) {
    g.moveTo(x + at, y + height)
    g.lineTo(x + at + height, y)
  }
  g.stroke()
  g.restore()
}

function drawChosen(
  g: CanvasRenderingContext2D,
  view: StripView,
  [first, last]: [number, number],
  base: number,
  colours: StripColours,
): void {
  const [from, to] = [leftOf(view, first), leftOf(view, last + 1)]
  g.strokeStyle = colours.accent
  g.lineWidth = 2
  g.strokeRect(from, 1, to - from, base)
}

function drawHovered(
  g: CanvasRenderingContext2D,
  view: StripView,
  index: number,
  base: number,
  colours: StripColours,
): void {
  g.strokeStyle = colours.accent
  g.lineWidth = 1
  g.strokeRect(leftOf(view, index) - 0.5, 0.5, Math.max(2, pitch(view)), base)
}

/** A number below the bars: of a step, at its place, CSS pixels. */
export interface Tick {
  step: number
  x: number
}

/** Round step numbers, as many as fit with `room` pixels for each; where steps are missing, the next one there is. */
export function axisTicks(view: Across & Pick<StripView, 'numbers'>, room: number): Tick[] {
  const { bars, numbers } = view
  const at = (index: number) => numbers[index] ?? 0
  const each = pitch(view)
  const [first, last] = [at(bars[0]?.first ?? 0), at(bars.at(-1)?.last ?? 0)]
  // The last bar may have fewer steps than the others.
  const width = each * Math.max(1, bars.length - 1)
  const every = each >= room ? 1 : roundUp(Math.ceil((room * (last - first + 1)) / width))
  const ticks: Tick[] = []
  let before = first - 1
  bars.forEach((bar, i) => {
    const wanted = Math.ceil((before + 1) / every) * every
    before = at(bar.last)
    if (wanted > before) return
    let index = bar.first
    while (at(index) < wanted) index++
    const x = leftOf(view, i) + (each * (index - bar.first + 0.5)) / (bar.last - bar.first + 1)
    if (x - (ticks.at(-1)?.x ?? -Infinity) >= room) ticks.push({ step: at(index), x })
  })
  return ticks
}

function drawAxis(g: CanvasRenderingContext2D, view: StripView, colours: StripColours): void {
  g.fillStyle = colours.quiet
  g.font = colours.font
  g.textBaseline = 'bottom'
  g.textAlign = 'center'
  const room = g.measureText(`${view.numbers.at(-1) ?? ''}`).width + 14
  for (const { step, x } of axisTicks(view, room)) {
    const half = g.measureText(`${step}`).width / 2
    g.fillText(`${step}`, Math.max(half, Math.min(view.width - half, x)), view.height)
  }
}

/** 1, 2, 5, 10, 20, 50, … at least as large. */
function roundUp(count: number): number {
  const ten = 10 ** Math.floor(Math.log10(count))
  return [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= count) ?? count
}
