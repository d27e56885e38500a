/** What overlays leave on the minimap: where the critical path runs, where findings occur. */

import { MINIMAP } from './minimap.ts'
import type { Occurrences } from './occurrences.ts'
import type { Palette } from './palette.ts'
import type { Path } from './path.ts'
import type { Step } from './ruler.ts'
import type { Bounds } from './viewport.ts'

const LINE = 2
const TICK = 6

/** CSS pixels of moments, ascending, each once. */
export function ticks(moments: readonly number[], bounds: Bounds, width: number): number[] {
  const scale = width / Math.max(1, bounds.end - bounds.start)
  const places = moments.map((moment) => Math.min(width - 1, Math.max(0, Math.floor((moment - bounds.start) * scale))))
  return [...new Set(places)].sort((a, b) => a - b)
}

export function paintMarks(
  context: CanvasRenderingContext2D,
  bounds: Bounds,
  width: number,
  palette: Palette,
  { path, occurrences, steps }: { path: Path | null; occurrences: Occurrences | null; steps: Step[] },
): void {
  const scale = width / Math.max(1, bounds.end - bounds.start)
  if (path) {
    context.fillStyle = palette.path
    const [first, last] = path.steps
    for (const { start, end } of steps.filter(({ step }) => step >= first && step <= last)) {
      const left = (start - bounds.start) * scale
      context.fillRect(left, MINIMAP - LINE, Math.max(1, (end - start) * scale), LINE)
    }
  }
  if (!occurrences) return
  const { marks, chosen } = occurrences
  for (const isChosen of [false, true]) {
    context.fillStyle = isChosen ? palette.warning : palette.quiet
    const mine = marks.start.filter((_, at) => (marks.finding[at] === chosen) === isChosen)
    for (const x of ticks(mine, bounds, width)) context.fillRect(x, 0, 1, TICK)
  }
}
