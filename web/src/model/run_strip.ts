/** The steps of a run in the space of a word: a bar for each step or for a few, each with its parts. */

import type { RunStripData } from './run_summary.ts'
import type { Meaning } from './colours.ts'
import { PARTS, topOf } from './steps.ts'

const WIDEST = 12

interface Drawn {
  /** Of each part that takes any time, the outline of all its pieces. */
  parts: { meaning: string; path: string }[]
  /** Longest steps of bars that hold several. */
  most: string
}

/** Paths in a field of some width and height. Each run has its own scale, a bar beyond it reaches the top. */
export function stripPaths(strip: RunStripData, width: number, height: number): Drawn {
  const each = Math.min(WIDEST, width / Math.max(1, strip.total.length))
  const bar = Math.max(1, each - (each >= 4 ? 1 : 0))
  const top = topOf(strip.total)
  const high = (ns: number) => (Math.min(ns, top) / top) * height
  const piece = (index: number, from: number, to: number) =>
    `M${round(index * each)} ${round(height - high(from))}h${round(bar)}V${round(height - high(to))}h${round(-bar)}z`
  const below = strip.total.map(() => 0)
  const parts = PARTS.map((meaning) => {
    const path = (strip.parts[meaning] ?? []).map((ns, index) => {
      const from = below[index] ?? 0
      below[index] = from + ns
      return high(from + ns) - high(from) > 0.05 ? piece(index, from, from + ns) : ''
    })
    return { meaning, path: path.join('') }
  })
  const most = strip.most.map((ns, index) => {
    const mean = strip.total[index] ?? 0
    return ns > mean ? piece(index, mean, ns) : ''
  })
  return { parts: parts.filter((one) => one.path), most: most.join('') }
}

const round = (value: number) => Math.round(value * 100) / 100

/** Shares of the parts in all bars, largest first, in per cent. */
export function partShares(strip: RunStripData): { part: Meaning; share: number }[] {
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
  const whole = sum(strip.total)
  return PARTS.map((part) => ({ part, share: whole ? (100 * sum(strip.parts[part] ?? [])) / whole : 0 }))
    .filter((one) => one.share >= 0.5)
    .sort((a, b) => b.share - a.share)
}
