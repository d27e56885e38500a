/**
 * The timeline's stage: what is looked at, what was fetched of it, and when it is drawn.
 *
 * Only what texts and buttons show is a rune; the viewport changes with every frame and is none.
 */

import type { Api } from '../api/api.ts'
import type { Flow, Place, Track, TrackList } from '../api/timeline.ts'
import type { Theme } from '../model/colours.ts'
import type { Area, TrackChoices } from '../state/timeline.svelte.ts'
import { type Cell, cellAt, type Piece } from './cells.ts'
import { TimelineData } from './data.ts'
import { levelOf, tilesOf } from './levels.ts'
import { FrameLoop } from './loop.ts'
import { minimapLanes } from './minimap.ts'
import { ViewportAnimation } from './viewport_animation.ts'
import { Names } from './names.ts'
import { paneRows, type Pane, type Scene } from './paint.ts'
import type { Occurrences } from './occurrences.ts'
import type { Path } from './path.ts'
import { type Canvases, Picture } from './picture.ts'
import { type Box, boxUnder, layout, ordered, pinnedLayout, type Row, rowAt } from './rows.ts'
import type { Step } from './ruler.ts'
import type { Simulated } from './simulated.ts'
import { type Bounds, clamped, fitted, momentAt, nsPerPixel, type Viewport } from './viewport.ts'
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
/** How far from a thin event the pointer still hits it, CSS pixels. */
const REACH = 3

export class Stage {
  readonly api: Api
  readonly run: string
  readonly data: TimelineData
  readonly names: Names
  readonly loop: FrameLoop
  readonly animation: ViewportAnimation
  readonly canvases: Canvases = { plot: null, overlay: null, ruler: null, minimap: null, occurrences: null, ends: null }
  readonly bounds: Bounds
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

  view: Viewport = { start: 0, end: 1, width: 1 }
  height = 0
  ratio = 1
  steps: Step[] = []
  chosenSteps: readonly [number, number] | null = null
  stepWord = 'step'
  causes: Record<string, string> = {}
  highlight = -1
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

  #scroll = 0
  #plotDirty = true
  #movedAt = -Infinity
  #publishedAt = -Infinity
  #stillTimer: ReturnType<typeof setTimeout> | undefined
  readonly #picture: Picture

  constructor(api: Api, run: string, list: TrackList, theme: Theme) {
    this.api = api
    this.run = run
    this.tracks = ordered(list.tracks)
    this.bounds = { start: 0, end: Math.max(1, list.end) }
    this.loop = new FrameLoop(() => this.#draw())
    this.animation = new ViewportAnimation(this)
    this.data = new TimelineData(api, run, this.bounds.end, () => this.#arrived())
    this.names = new Names(
      (codes) => api.names(run, codes),
      () => this.#arrived(),
    )
    this.#picture = new Picture(theme)
    this.view = fitted(this.view, this.bounds, 0, this.bounds.end, 0.01)
    void this.#fetchMinimap()
  }

  end(): void {
    clearTimeout(this.#stillTimer)
    this.loop.end()
    this.data.end()
  }

  async #fetchMinimap(): Promise<void> {
    const lanes = minimapLanes(this.tracks)
    if (lanes.length === 0) return
    const { start, end } = this.bounds
    try {
      this.#picture.minimap.setCells(await this.api.window(this.run, { t0: start, t1: end, px: 1024, lanes }))
      this.changed()
    } catch {
      // The minimap stays empty; what is wrong is said where the tracks are.
    }
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
    this.view = clamped({ ...this.view, width: Math.max(1, width) }, this.bounds)
    this.#place()
    this.#publish()
  }

  arrange(choices: TrackChoices): void {
    const pinned = pinnedLayout(this.tracks, choices)
    const main = layout(this.tracks, choices)
    this.panes = [
      { layout: pinned, top: 0, height: 0, scroll: 0 },
      { layout: main, top: 0, height: 0, scroll: 0 },
    ]
    this.#place()
  }

  #place(): void {
    const [pinned, main] = this.panes
    if (!pinned || !main) return
    const top = Math.min(pinned.layout.height, Math.floor(this.height * PINNED_SHARE))
    const height = Math.max(0, this.height - top)
    this.#scroll = Math.max(0, Math.min(this.#scroll, main.layout.height - height))
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
    this.#scroll = scroll
    this.#place()
  }

  /** Look at another piece of time. */
  look(view: Viewport): void {
    this.view = view
    this.#movedAt = performance.now()
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
    const scene = this.scene()
    const anew = this.#plotDirty
    this.#plotDirty = false
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

  /** What is to be drawn. */
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
    this.coarse = this.moving || this.data.busy ? this.coarse : this.#coarsest()
  }

  /** ns of the largest cells shown, where better ones do not exist: a report's detail ends somewhere. */
  #coarsest(): number {
    const level = levelOf(this.view)
    const [first, last] = tilesOf(this.view.start, this.view.end, level, this.bounds.end)
    let most = 0
    for (const row of this.panes.flatMap(paneRows))
      this.data.cells.pieces(level, first, last, row.lane, (tile) => {
        const isMerged = tile.cells.count.subarray(tile.from, tile.to).some((count) => count > 1)
        if (isMerged) most = Math.max(most, tile.cells.cell_ns)
      })
    return most > 2 * 2 ** level ? most : 0
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
  cellIn(lane: number, moment: number, reach = REACH): Cell | null {
    const level = levelOf(this.view)
    const room = nsPerPixel(this.view) * reach
    const [first, last] = tilesOf(moment - room, moment + room + 1, level, this.bounds.end)
    const pieces: Piece[] = []
    this.data.cells.pieces(level, first, last, lane, (tile, start, end) => pieces.push({ ...tile, start, end }))
    return cellAt(pieces, lane, moment, room)
  }
}
