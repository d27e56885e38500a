/**
 * The timeline's stage: what is looked at, what was fetched of it, and when it is drawn. Only what texts and buttons show
 * is a rune; the viewport changes with every frame and is none.
 */

import type { Api } from '../api/api.ts'
import { type Flow, type Place, type Track, type TrackList, trackOfLane } from '../api/timeline.ts'
import type { Theme } from '../model/colours.ts'
import type { Area, TrackChoices } from '../state/timeline.svelte.ts'
import type { Cell } from './cells.ts'
import { coarsest } from './coarseness.ts'
import { TimelineData } from './data.ts'
import type { Lit } from './lit.ts'
import { FrameLoop } from './loop.ts'
import { minimapCells } from './minimap.ts'
import { ViewportAnimation } from './viewport_animation.ts'
import { Names } from './names.ts'
import type { Pane, Scene } from './paint.ts'
import type { Occurrences } from './occurrences.ts'
import type { Path } from './path.ts'
import { type Canvases, Picture } from './picture.ts'
import { type Box, boxUnder, layout, ordered, pinnedLayout, type Row, rowAt } from './rows.ts'
import type { Step } from './ruler.ts'
import type { Simulated } from './simulated.ts'
import { TrackHeights } from './track_heights.ts'
import { type Bounds, clamped, fitted, momentAt, type Viewport } from './viewport.ts'
import { fetchPlan } from './fetch_plan.ts'

/** What the pointer is on. */
interface Hover {
  x: number
  y: number
  moment: number
  cell: Cell | null
  box: Box
}

/** Ms without a change of the viewport after which it stands still. */
const STILL_MS = 160
/** Pinned tracks take at most this share of the plot. */
const PINNED_SHARE = 0.6

export class Stage {
  readonly api: Api
  readonly run: string
  readonly data: TimelineData
  readonly names: Names
  readonly loop: FrameLoop
  readonly animation: ViewportAnimation
  readonly canvases: Canvases = { plot: null, overlay: null, ruler: null, minimap: null, occurrences: null, ends: null }
  readonly bounds: Bounds
  /** How far one can look: to the end of the recording, or of a simulated step that is longer. */
  reach: Bounds
  readonly tracks: Track[]
  /** Runes: what toolbar, labels and tooltips show. */
  hover: Hover | null = $state.raw(null)
  /** The viewport, once it stands still or a few times a second. */
  still: Viewport = $state.raw({ start: 0, end: 1, width: 1 })
  panes: Pane[] = $state.raw([])
  /** ns of a cell as fetched for what is shown, where that is coarser than asked for; else 0. */
  coarse = $state(0)
  waiting = $state(false)
  /** Kinds of the cells seen so far, a bit for each. */
  kinds = $state(0)
  failure: unknown = $state.raw(null)
  /** CSS pixels left empty below the tracks, so that nothing moves under the pointer when they shrink. */
  room = $state(0)

  view: Viewport = { start: 0, end: 1, width: 1 }
  height = 0
  ratio = 1
  steps: Step[] = $state.raw([])
  chosenSteps: readonly [number, number] | null = null
  stepWord = 'step'
  causes: Record<string, string> = {}
  /** Code of the highlighted name, or -1. */
  highlight = -1
  lit: Lit | null = null
  path: Path | null = null
  occurrences: Occurrences | null = null
  simulated: Simulated | null = null
  area: Area | null = null
  marks: readonly (readonly [number, number])[] = []
  selected: Place | null = null
  selectedCell: Cell | null = null
  flows: Flow[] = []
  pointer: number | null = null
  /** Where the viewport follows what was selected, or the address: no step of history of its own. */
  carried: Bounds | null = null
  /** Called when the viewport came to a stop. */
  onstill: (view: Viewport) => void = () => undefined
  /** Called when the tracks were scrolled so that something stays in place. */
  onscrolled: (top: number) => void = () => undefined

  #scroll = 0
  choices: TrackChoices | null = null
  readonly #heights = new TrackHeights(this)
  #plotDirty = true
  #movedAt = -Infinity
  #publishedAt = -Infinity
  #stillTimer: ReturnType<typeof setTimeout> | undefined
  readonly #picture: Picture

  constructor(api: Api, run: string, list: TrackList, theme: Theme) {
    this.api = api
    this.run = run
    this.tracks = ordered(list.tracks)
    this.bounds = this.reach = { start: 0, end: Math.max(1, list.end) }
    this.loop = new FrameLoop(() => this.#draw())
    this.animation = new ViewportAnimation(this)
    this.data = new TimelineData(api, run, this.bounds.end, () => this.#arrived())
    this.names = new Names(
      (codes) => api.names(run, codes),
      () => this.#arrived(),
    )
    this.#picture = new Picture(theme)
    this.view = fitted(this.view, this.bounds, 0, this.bounds.end, 0.01)
    void minimapCells(api, run, this.tracks, this.bounds).then((cells) => {
      if (cells) this.#picture.minimap.setCells(cells)
      this.changed()
    })
  }

  end(): void {
    clearTimeout(this.#stillTimer)
    this.#heights.end()
    this.loop.end()
    this.data.end()
  }

  #arrived(): void {
    this.failure = this.data.failure
    this.kinds = this.data.kinds
    this.changed()
  }

  /** Everything is to be drawn anew. */
  changed = (): void => {
    this.#plotDirty = true
    this.loop.dirty()
  }

  setTheme(theme: Theme): void {
    this.#picture.setTheme(theme)
    this.changed()
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio
    this.height = height
    // The first size is no reason to zoom.
    this.view = clamped({ ...this.view, width: Math.max(1, width) }, this.reach)
    this.#place()
    this.#publish()
  }

  arrange(choices: TrackChoices): void {
    this.choices = choices
    this.layOut()
  }

  layOut = (): void => {
    if (!this.choices) return
    const { rows } = this.#heights
    const layouts = [pinnedLayout(this.tracks, this.choices, rows), layout(this.tracks, this.choices, rows)]
    this.panes = layouts.map((one) => ({ layout: one, top: 0, height: 0, scroll: 0 }))
    this.#place()
  }

  /** A lane whose track has no row for it, as nothing was on it in view, gets one. */
  showLane = (lane: number): void => this.#heights.show(trackOfLane(this.tracks, lane), lane)

  #place(): void {
    const [pinned, main] = this.panes
    if (!pinned || !main) return
    const top = Math.min(pinned.layout.height, Math.floor(this.height * PINNED_SHARE))
    const height = Math.max(0, this.height - top)
    this.#scroll = Math.max(0, Math.min(this.#scroll, main.layout.height + this.room - height))
    this.panes = [
      { ...pinned, height: top },
      { ...main, top, height, scroll: this.#scroll },
    ]
    this.changed()
  }

  get scroll(): number {
    return this.#scroll
  }

  set scroll(scroll: number) {
    if (scroll !== this.#scroll) this.#heights.moved()
    this.#scroll = scroll
    this.room = Math.min(this.room, this.#roomAt(scroll))
    this.#place()
  }

  scrollTo = (scroll: number): void => {
    this.room = this.#roomAt(scroll)
    this.#scroll = scroll
    this.#place()
    this.onscrolled(scroll)
  }

  /** CSS pixels that are lacking below the tracks where they are scrolled so far. */
  #roomAt(scroll: number): number {
    const main = this.panes[1]
    return main ? Math.max(0, scroll + main.height - main.layout.height) : 0
  }

  look(view: Viewport): void {
    this.view = view
    this.#movedAt = performance.now()
    this.#heights.moved()
    this.#publish()
    this.changed()
  }

  get moving(): boolean {
    return performance.now() - this.#movedAt < STILL_MS
  }

  #publish(): void {
    const now = performance.now()
    if (now - this.#publishedAt > 120) {
      this.#publishedAt = now
      this.still = this.view
    }
    this.#stillTimer ??= setTimeout(this.#checkStill, STILL_MS)
  }

  /** One timer for a whole movement: setting one for each frame costs as much as drawing it. */
  readonly #checkStill = (): void => {
    this.#stillTimer = undefined
    const left = this.animation.gliding ? STILL_MS : this.#movedAt + STILL_MS - performance.now()
    if (left > 0) {
      this.#stillTimer = setTimeout(this.#checkStill, left)
      return
    }
    this.still = this.view
    this.onstill(this.view)
    this.changed()
  }

  /** Only what lies over the tracks changed. */
  pointed(): void {
    this.loop.dirty()
  }

  #draw(): void {
    const { view, canvases, height } = this
    if (!canvases.plot || !canvases.overlay || view.width <= 1 || height <= 0) return
    const anew = this.#plotDirty
    if (anew) this.#heights.fit()
    this.#plotDirty = false
    const scene = this.scene()
    if (anew) this.#hoverAgain()
    this.#picture.draw(this, scene, anew)
    if (anew) this.#fetch()
  }

  /** The pointer stands still, but what is under it moved. */
  #hoverAgain(): void {
    const at = this.hover
    if (!at) return
    const { row, box } = this.under(at.y)
    const moment = momentAt(this.view, at.x)
    const cell = row && this.cellIn(row.lane, moment)
    this.hover = box && { ...at, moment, box, cell }
  }

  scene(): Scene {
    return this.#picture.scene(this)
  }

  #fetch(): void {
    this.data.cells.tick()
    this.data.counters.tick()
    const { cells, counters } = fetchPlan(this)
    this.data.cellFetching.want(cells, this.moving)
    this.data.counterFetching.want(counters, this.moving)
    this.names.fetchMissing()
    this.waiting = this.data.busy
    this.coarse = this.moving || this.data.busy ? this.coarse : coarsest(this)
  }

  /** The row under a place of the plot, and the box (counters have no rows). */
  under(y: number): { box: Box | null; row: Row | null } {
    for (const pane of this.panes)
      if (y >= pane.top && y < pane.top + pane.height) {
        const inside = y - pane.top + pane.scroll
        return { box: boxUnder(pane.layout, inside), row: rowAt(pane.layout, inside) }
      }
    return { box: null, row: null }
  }

  /** The cell of a lane at a moment, as far as it was fetched. */
  cellIn(lane: number, moment: number, reach?: number): Cell | null {
    return this.data.cellAt(this.view, lane, moment, reach)
  }
}
