/** A part of the time of a board of telemetry: what was drawn is drawn of that part, and summed up in it. */

import type { Heat } from './heat.ts'
import { type Board, endOf, type PanelLine, type TelemetryPanel } from './telemetry.ts'

/** GPUs whose lines can be told apart; more are a field of colours. */
export const MOST_LINES = 16

/** A board between two moments: the parts of the time that reach into it. Empty where none does. */
export function boardWithin(board: Board, range: readonly [number, number] | null): Board {
  if (!range) return board
  const inside = board.x.flatMap((from, i) => (from < range[1] && endOf(board.x, i) > range[0] ? [i] : []))
  const [first, last] = [inside[0] ?? 0, (inside.at(-1) ?? -1) + 1]
  const [begin, end] = [board.x[first] ?? range[0], inside.length > 0 ? endOf(board.x, last - 1) : range[1]]
  const cut = (line: PanelLine): PanelLine => ({
    gpu: line.gpu,
    mean: line.mean.slice(first, last),
    least: line.least.slice(first, last),
    most: line.most.slice(first, last),
  })
  return {
    ...board,
    x: board.x.slice(first, last),
    panels: board.panels.map((panel) => {
      const lines = panel.lines.map(cut)
      return { ...panel, lines, largest: Math.max(0, ...lines.flatMap((one) => one.most.map((value) => value ?? 0))) }
    }),
    held: board.held.flatMap((one) => {
      const [from, to] = [Math.max(one.from, begin), Math.min(one.to, end)]
      return to > from ? [{ ...one, from, to }] : []
    }),
  }
}

/** Mean of a line's parts, which are as long as each other, its least and its greatest value; null without any. */
export function sumOf(line: PanelLine): { mean: number; least: number; most: number } | null {
  const known = line.mean.filter((one) => one !== null)
  if (known.length === 0) return null
  const leasts = line.least.filter((one) => one !== null)
  const mosts = line.most.filter((one) => one !== null)
  return {
    mean: known.reduce((sum, one) => sum + one, 0) / known.length,
    least: Math.min(...leasts, ...known),
    most: Math.max(...mosts, ...known),
  }
}

/** A panel of many GPUs as a field: a row for each of the board, in its order; what is not known is NaN. */
export function heatOf(board: Board, panel: TelemetryPanel): Heat {
  const columns = board.x.map((_, i) => i)
  const values = new Float64Array(board.gpus.length * columns.length).fill(NaN)
  board.gpus.forEach((gpu, row) => {
    const line = panel.lines.find((one) => one.gpu.key === gpu.key)
    line?.mean.forEach((value, i) => {
      if (value !== null) values[row * columns.length + i] = value
    })
  })
  return { rows: board.gpus.map((_, row) => row), columns, values }
}
