/** Where the ruler has ticks, and what they say. */

import { niceStep, timeUnit } from '../model/ticks.ts'
import { nsPerPixel, type Viewport } from './viewport.ts'

export interface Tick {
  at: number
  /** Without the base: `+12.4 us`, or the whole moment where there is no base. */
  text: string
  major: boolean
}

export interface Scale {
  ticks: Tick[]
  /** What is to be added to the texts of the ticks, when whole moments would be too long to read; else 0. */
  base: number
  baseText: string
}

/** More digits than this are not read: the ruler then counts from a base. */
const MOST_DIGITS = 6

/** The step of the ruler: 1, 2 or 5 times a power of ten, in ns, never below 1. */
export function tickStep(nsPerPx: number, pixels: number): number {
  return Math.round(niceStep(Math.max(nsPerPx * pixels, 1), 'start_ns', 1))
}

/** A moment with as many digits as a step of that size needs: `12.4 ms` for 100 us, `12.400 ms` for 1 us. */
export function momentText(moment: number, step: number): string {
  const size = Math.abs(moment)
  if (size < 0.5) return '0'
  const [factor, unit] = timeUnit(Math.max(size, step))
  const digits = Math.max(0, Math.ceil(Math.log10(factor / step) - 1e-9))
  const number = (moment / factor).toFixed(Math.min(digits, 9))
  // A moment much shorter than the step keeps its own unit: `-138 us`, not `-0 ms`.
  if (Number(number) === 0) return momentText(moment, 10 ** Math.floor(Math.log10(size)))
  return `${number} ${unit}`
}

function digitsOf(moment: number, step: number): number {
  return Math.floor(Math.log10(Math.max(Math.abs(moment), 1))) - Math.floor(Math.log10(step)) + 1
}

/** Ticks of the visible piece of time, one beyond each edge, about `pixels` apart. */
export function scaleOf(view: Viewport, pixels = 110): Scale {
  const step = tickStep(nsPerPixel(view), pixels)
  const needsBase = digitsOf(Math.max(Math.abs(view.start), Math.abs(view.end)), step) > MOST_DIGITS
  const coarse = step * 1000
  const base = needsBase ? Math.floor(view.start / coarse) * coarse : 0
  const first = Math.floor(view.start / step)
  const last = Math.ceil(view.end / step)
  const ticks: Tick[] = []
  for (let i = first; i <= last; i++) {
    const at = i * step
    const offset = at - base
    const text = base === 0 ? momentText(at, step) : offset === 0 ? '+0' : signed(momentText(offset, step))
    ticks.push({ at, text, major: i % 5 === 0 })
  }
  return { ticks, base, baseText: base === 0 ? '' : momentText(base, coarse) }
}

function signed(text: string): string {
  return text.startsWith('-') ? text : `+${text}`
}
