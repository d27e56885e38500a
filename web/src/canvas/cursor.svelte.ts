/** Which event is selected on the timeline, and the ways from it to others. */

import { type CellEvents, type Flow, type Place, type Track, trackOfLane } from '../api/timeline.ts'
import type { MergedCells } from '../model/merged_cells.ts'
import { clearSelection, highlighted, selectCell, selectedCell, selectEvent } from '../state/timeline.svelte.ts'
import type { Cell } from './cells.ts'
import { laneOnPlot } from './overlay.ts'
import { FOLDED_DEPTHS, placeOfLane, sectionKey } from './rows.ts'
import type { Stage } from './stage.svelte.ts'
import { magnified, revealed, type Viewport } from './viewport.ts'

/** Go there because of what was chosen: written at once, to the entry of what was chosen. */
export function carryTo(stage: Stage, to: Viewport): void {
  stage.carried = to
  stage.onstill(to)
  stage.animation.glide(to)
}

/** Of the plot's height; what begins below it is hardly seen. */
const MOST_ABOVE = 0.8

export class Cursor {
  readonly #stage: Stage
  /** The selected event; follows the URL, in which it is lane and row only. */
  place: Place | null = $state.raw(null)
  flows: Flow[] = $state.raw([])
  flowsTotal = $state(0)
  #asked = new AbortController()
  /** The way back for folded tracks: scrolls to a lane. */
  scrollTo: (top: number) => void = () => undefined
  /** Open a folded track, so that a lane in it is to be seen. */
  unfold: (track: number) => void = () => undefined
  unfoldSection: (key: string) => void = () => undefined

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Follow the URL: fetch the event it names, with its flows. */
  async follow(at: { lane: number; row: number } | null): Promise<void> {
    const known = this.place
    if (at && known && known.lane === at.lane && known.row === at.row) return
    this.#asked.abort()
    if (!at) return this.#set(null)
    const { signal } = (this.#asked = new AbortController())
    try {
      const place = await this.#placeOf(at.lane, at.row, signal)
      if (signal.aborted) return
      this.#set(place)
      if (place) await this.#fetchFlows(place, signal)
    } catch {
      // The dock asks for the same event and says what is wrong.
      if (!signal.aborted) this.#set(null)
    }
  }

  #set(place: Place | null): void {
    this.place = place
    this.#setFlows([], 0)
    this.#stage.selected = place
    this.#stage.selectedCell = null
    this.#stage.pointed()
  }

  #setFlows(flows: Flow[], total: number): void {
    this.flows = flows
    this.flowsTotal = total
    this.#stage.flows = flows
    this.#stage.pointed()
  }

  async #fetchFlows(place: Place, signal: AbortSignal): Promise<void> {
    const { flows, total } = await this.#stage.api.flows(this.#stage.run, place.lane, place.row, signal)
    if (!signal.aborted) this.#setFlows(flows, total)
  }

  async #placeOf(lane: number, row: number, signal?: AbortSignal): Promise<Place | null> {
    if (row < 0) return null
    const answer: CellEvents = await this.#stage.api.cell(this.#stage.run, lane, row, 1, 1, signal)
    const event = answer.events[0]
    return event ? { lane, ...event } : null
  }

  /** A click: an event, several in one cell, or nothing. */
  choose(cell: Cell | null): void {
    if (!cell) return this.clear()
    if (cell.count > 1) {
      this.#asked.abort()
      this.#set(null)
      this.#stage.selectedCell = cell
      selectCell(cell.lane, cell.first, cell.count)
    } else selectEvent(cell.lane, cell.first)
  }

  clear(): void {
    this.#asked.abort()
    this.#set(null)
    clearSelection()
  }

  /** Select an event and bring it into view; with `magnify`, large enough to be seen. */
  jump(place: Place, magnify = false, walks = false): void {
    this.#asked.abort()
    this.#set(place)
    selectEvent(place.lane, place.row, { walks })
    const { signal } = (this.#asked = new AbortController())
    this.#fetchFlows(place, signal).catch(() => undefined)
    this.reveal(place, magnify)
  }

  reveal(place: Place, magnify: boolean, isInView = false): void {
    const stage = this.#stage
    // The pointer rests on another event, of which its tip still told.
    stage.hover = null
    const track = trackOfLane(stage.tracks, place.lane)
    if (track) this.#open(track)
    stage.showLane(place.lane)
    this.#scrollToLane(place.lane)
    if (isInView) return
    const way = magnify ? magnified : revealed
    const to = way(stage.view, stage.reach, place.start, place.start + place.duration_ns)
    if (to !== stage.view) carryTo(stage, to)
  }

  /** Scroll to the tracks of a rank, where none of them has its begin in sight. */
  showRank(rank: number): void {
    const main = this.#stage.panes[1]
    const tops = main?.layout.boxes.filter(({ track }) => track?.rank === rank).map(({ top }) => top) ?? []
    const [first] = tops
    if (!main || first === undefined) return
    if (!tops.some((top) => top >= main.scroll && top < main.scroll + main.height * MOST_ABOVE))
      this.scrollTo(Math.max(0, first - Math.floor(main.height / 3)))
  }

  /** A section or a track that is folded over it opens. */
  #open(track: Track): void {
    const key = sectionKey(track, this.#stage.choices ?? { byKind: false })
    const isFolded = this.#stage.panes.some((pane) =>
      pane.layout.boxes.some((box) => box.heading?.key === key && box.heading.folded),
    )
    if (isFolded && !this.#stage.panes.some((pane) => placeOfLane(pane.layout, track.first_lane)))
      this.unfoldSection(key)
    if (this.#isFoldedDeep(track.id)) this.unfold(track.id)
  }

  #isFoldedDeep(id: number): boolean {
    for (const pane of this.#stage.panes)
      for (const { track, folded } of pane.layout.boxes)
        if (track?.id === id) return folded && track.depths > FOLDED_DEPTHS
    return false
  }

  /** Whether the selected event is on the plot. */
  get isInSight(): boolean {
    const { panes, view } = this.#stage
    const [at, main] = [this.place, panes[1]]
    const row = at && main && placeOfLane(main.layout, at.lane)
    if (!row) return false
    const isScrolledTo = row.top < main.scroll + main.height && row.top + row.height > main.scroll
    return isScrolledTo && at.start < view.end && at.start + at.duration_ns >= view.start
  }

  /** Up or down only: for a plot that became lower. */
  scrollIntoSight(): void {
    if (this.place) this.#scrollToLane(this.place.lane)
  }

  #scrollToLane(lane: number): void {
    const main = this.#stage.panes[1]
    const place = main && placeOfLane(main.layout, lane)
    if (!place) return
    const [top, bottom] = [main.scroll, main.scroll + main.height]
    if (place.top < top || place.top + place.height > bottom)
      this.scrollTo(Math.max(0, place.top - Math.floor(main.height / 3)))
  }

  /** The event before or after it in its lane. */
  async beside(direction: 1 | -1): Promise<void> {
    const from = this.place ?? this.#start()
    if (!from) return
    const place = await this.#placeOf(from.lane, this.place ? from.row + direction : from.row)
    if (place) this.jump(place, false, true)
  }

  /** The event above or below it: the nearest to its middle in the next lane that has one. */
  async across(direction: 1 | -1): Promise<void> {
    const from = this.place
    if (!from) return this.beside(1)
    const stage = this.#stage
    const middle = from.start + from.duration_ns / 2
    const start = Math.min(Math.max(middle, stage.view.start), stage.view.end)
    const here = laneOnPlot(stage.scene(), from.lane)
    for (let y = (here?.top ?? 0) + (here?.height ?? 0) / 2, tries = 0; tries < 400; tries++) {
      y += direction * 4
      if (y < 0 || y > stage.height) return
      const { row } = stage.under(y)
      if (!row || row.lane === from.lane) continue
      const cell = stage.cellIn(row.lane, start, stage.view.width)
      if (!cell) continue
      const place = await this.#placeOf(cell.lane, cell.first)
      if (place) return this.jump(place, false, true)
    }
  }

  /** An event near the middle of what is seen: where the keyboard begins. */
  #first(): { lane: number; row: number } | null {
    const stage = this.#stage
    for (let y = 0; y < stage.height; y += 6) {
      const { row } = stage.under(y)
      const cell = row && stage.cellIn(row.lane, (stage.view.start + stage.view.end) / 2, stage.view.width)
      if (cell) return { lane: cell.lane, row: cell.first }
    }
    return null
  }

  /** Several events that are chosen as one. */
  get merged(): MergedCells | null {
    return this.place ? null : selectedCell()
  }

  /** Whether there is a name to walk through. */
  get hasName(): boolean {
    return this.place !== null || this.merged !== null || this.#stage.highlight >= 0
  }

  /** Where the keyboard begins: at the first of the chosen events, else in the middle of what is seen. */
  #start(): { lane: number; row: number } | null {
    return this.merged ? { lane: this.merged.lane, row: this.merged.first } : this.#first()
  }

  /** Along an arrow: to what caused it (-1), to what it caused (1). */
  along(direction: 1 | -1): boolean {
    const at = this.place
    if (!at) return false
    const isHere = (place: Place) => place.lane === at.lane && place.row === at.row
    const flow = this.flows.find((one) => isHere(direction === 1 ? one.from : one.to))
    if (flow) this.jump(direction === 1 ? flow.to : flow.from)
    return flow !== undefined
  }

  /** The next or previous event of the same name, on any track: what was searched for, as it was counted. */
  async sameName(direction: 1 | -1): Promise<Place | null> {
    const { api, run } = this.#stage
    const first = this.merged && (await this.#firstOf(this.merged))
    const code = first && this.#stage.highlight < 0 ? first.code : this.#code()
    const from = this.place ?? first?.place ?? this.#first() ?? { lane: 0, row: 0 }
    if (code < 0) return null
    const place = await api.next(run, code, from, direction, highlighted() >= 0)
    if (place) this.jump(place)
    return place
  }

  /** The first of the chosen events, and the code of the name that takes most of their time. */
  async #firstOf({ lane, first, count }: MergedCells): Promise<{ place: Place | null; code: number }> {
    const { api, run, names, selectedCell: drawn } = this.#stage
    const { events, names: shares } = await api.cell(run, lane, first, count, 1)
    const isDrawn = drawn?.lane === lane && drawn.first === first && drawn.count === count
    const place = events[0] ? { lane, ...events[0] } : null
    return { place, code: isDrawn ? drawn.name : names.codeOf(shares[0]?.name ?? '') }
  }

  /** Code of the name to walk through: of the highlighted one, else of the selected event. */
  #code(): number {
    const stage = this.#stage
    if (stage.highlight >= 0) return stage.highlight
    const at = this.place
    if (!at) return -1
    const cell = stage.cellIn(at.lane, at.start + at.duration_ns / 2)
    return cell && cell.first === at.row && cell.count === 1 ? cell.name : stage.names.codeOf(at.name)
  }
}
