/** One picture of the stage: which canvases are drawn anew, and from what. */

import type { Flow, Place, Track } from '../api/timeline.ts'
import type { Theme } from '../model/colours.ts'
import type { Area } from '../state/timeline.svelte.ts'
import { RowImage } from './bitmap.ts'
import type { Cell } from './cells.ts'
import type { TimelineData } from './data.ts'
import { Labels } from './labels.ts'
import { Minimap } from './minimap.ts'
import { paintMarks } from './minimap_marks.ts'
import type { Lit } from './lit.ts'
import type { Names } from './names.ts'
import { type Over, paintOverlay } from './overlay.ts'
import { learnIdle, paintPlot, paneRows, type Pane, type Scene } from './paint.ts'
import { type Palette, paletteOf } from './palette.ts'
import { type Occurrences, paintLane, paintOccurrences } from './occurrences.ts'
import type { Path } from './path.ts'
import { paintRuler, type Step, stepAfter } from './ruler.ts'
import { paintEnds, paintEndsLane, type Simulated } from './simulated.ts'
import { Runs } from './runs.ts'
import { scaleOf } from './timescale.ts'
import { type Bounds, nsPerPixel, type Viewport } from './viewport.ts'

/** Where canvases are, as far as they are mounted. */
export interface Canvases {
  plot: HTMLCanvasElement | null
  overlay: HTMLCanvasElement | null
  ruler: HTMLCanvasElement | null
  minimap: HTMLCanvasElement | null
  occurrences: HTMLCanvasElement | null
  ends: HTMLCanvasElement | null
}

/** What a picture shows. */
export interface Shown {
  canvases: Canvases
  view: Viewport
  height: number
  ratio: number
  bounds: Bounds
  panes: Pane[]
  tracks: Track[]
  data: TimelineData
  names: Names
  steps: Step[]
  chosenSteps: readonly [number, number] | null
  stepWord: string
  causes: Record<string, string>
  lit: Lit | null
  path: Path | null
  occurrences: Occurrences | null
  simulated: Simulated | null
  area: Area | null
  marks: readonly (readonly [number, number])[]
  selected: Place | null
  selectedCell: Cell | null
  hover: { cell: Cell | null } | null
  flows: Flow[]
  pointer: number | null
}

/** CSS pixels of a step from which on its start has a line through all tracks. */
const BOUNDARY = 24

export class Picture {
  readonly minimap = new Minimap()
  readonly #image = new RowImage()
  readonly #labels = new Labels()
  readonly #runs = new Runs()
  readonly #idle = new Map<number, number>()
  #palette: Palette

  constructor(theme: Theme) {
    this.#palette = paletteOf(theme)
  }

  setTheme(theme: Theme): void {
    this.#palette = paletteOf(theme)
    this.#idle.clear()
  }

  /** Draw what follows the pointer, and with `anew` the tracks below it. */
  draw(shown: Shown, scene: Scene, anew: boolean): void {
    const { view, ratio, height } = shown
    const { plot, overlay, ruler, minimap, occurrences, ends } = shown.canvases
    if (plot && anew) {
      for (const row of scene.panes.flatMap(paneRows)) if (row.track.kind === 'idle') learnIdle(scene, row.lane)
      paintPlot(context(plot, view.width, height, ratio), scene)
      if (minimap) {
        const small = sized(minimap, view.width, ratio)
        this.minimap.paint(small, view, shown.bounds, ratio, this.#palette)
        paintMarks(small, shown.bounds, view.width, this.#palette, shown)
      }
    }
    if (overlay) {
      const over = context(overlay, view.width, height, ratio)
      paintOverlay(over, scene, overOf(shown, scene))
      if (shown.simulated) paintEnds(over, scene, shown.simulated)
      if (shown.occurrences) paintOccurrences(over, scene, shown.occurrences)
    }
    if (occurrences && shown.occurrences)
      paintLane(sized(occurrences, view.width, ratio), view, ratio, this.#palette, shown.occurrences)
    if (ends) paintEndsLane(sized(ends, view.width, ratio), view, ratio, this.#palette, shown.simulated)
    if (ruler)
      paintRuler(sized(ruler, view.width, ratio), {
        ...{ view, ratio, palette: this.#palette, scale: scaleOf(view), steps: shown.steps, marks: shown.marks },
        ...{ chosen: shown.chosenSteps, pointer: shown.pointer, stepWord: shown.stepWord },
        area: shown.area && [shown.area.start, shown.area.end],
      })
  }

  scene(shown: Shown): Scene {
    const { view, ratio, height, data, names, lit, path, simulated, panes } = shown
    const { steps, chosenSteps, causes } = shown
    const seen = steps.slice(stepAfter(steps, view.start), stepAfter(steps, view.end) + 1)
    const first = seen[0]
    const wide = first !== undefined && (first.end - first.start) / nsPerPixel(view) > BOUNDARY
    const chosen = seen.filter((one) => chosenSteps && one.step >= chosenSteps[0] && one.step <= chosenSteps[1])
    return {
      ...{ view, panes, height, ratio, lit, path, simulated, causes, data, names, width: view.width },
      palette: this.#palette,
      ticks: scaleOf(view).ticks,
      shaded: chosen.map((one) => [one.start, one.end] as const),
      boundaries: wide ? seen.map((one) => one.start) : [],
      end: shown.bounds.end,
      labels: this.#labels,
      idle: this.#idle,
      image: this.#image,
      runs: this.#runs,
    }
  }
}

function overOf(shown: Shown, scene: Scene): Over {
  const { area, marks, selected, selectedCell, flows, pointer, hover } = shown
  const hovered = hover?.cell ?? null
  return { pointer, hovered, selected, selectedCell, flows, marks, area: area && areaOnPlot(scene, area) }
}

/** Top and bottom of an area's tracks on the plot; all of it where the area is of all tracks. */
function areaOnPlot(scene: Scene, area: Area): Over['area'] {
  const { start, end } = area
  const wanted = new Set(area.tracks ?? [])
  let [top, bottom] = [Infinity, -Infinity]
  for (const pane of scene.panes)
    for (const box of pane.layout.boxes) {
      if (!box.track || !wanted.has(box.track.id)) continue
      top = Math.min(top, pane.top + box.top - pane.scroll)
      bottom = Math.max(bottom, pane.top + box.top + box.height - pane.scroll)
    }
  return top < bottom ? { start, end, top, bottom } : { start, end, top: 0, bottom: scene.height }
}

function context(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): CanvasRenderingContext2D {
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))]
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h]
  return canvas.getContext('2d') as CanvasRenderingContext2D
}

/** The same for a canvas whose height the page's style gives. */
function sized(canvas: HTMLCanvasElement, width: number, ratio: number): CanvasRenderingContext2D {
  return context(canvas, width, canvas.clientHeight, ratio)
}
