/**
 * Keeps open tracks as high as what is in view needs: they grow at once and shrink after a rest, and what is under the
 * pointer stays where it is.
 */

import type { Track } from '../api/timeline.ts'
import type { Pane } from './paint.ts'
import { rowChanges } from './row_counts.ts'
import { boxAt, openHeight, placeOfLane, type RowCounts } from './rows.ts'

/** Ms without a movement after which tracks shrink. */
const REST_MS = 400

type Looking = Parameters<typeof rowChanges>[0]

interface Host extends Looking {
  readonly panes: Pane[]
  readonly hover: { y: number } | null
  readonly animation: { gliding: boolean }
  /** Lay the tracks out anew, with other rows. */
  layOut: () => void
  /** Scroll the tracks, and leave room below them where they would end too early. */
  scrollTo: (scroll: number) => void
}

/** A box, by its place, that is to stay where it is. */
interface Anchor {
  pane: number
  box: number
}

/** What is under the pointer, else what is seen at the top. */
function anchorOf(panes: Pane[], y: number | null): Anchor | null {
  const main = panes.length - 1
  const at = y === null ? main : panes.findIndex(({ top, height }) => y >= top && y < top + height)
  const pane = panes[at]
  if (!pane) return null
  const box = boxAt(pane.layout, pane.scroll + (y === null ? 0 : y - pane.top))
  return box < 0 ? null : { pane: at, box }
}

function topOf(panes: Pane[], { pane, box }: Anchor): number {
  const { layout, top, scroll } = panes[pane] as Pane
  return top + (layout.tops[box] as number) - scroll
}

/** Tracks that stand above the anchor and would shrink: pixels each by its id. */
function shrinkingAbove(panes: Pane[], anchor: Anchor, changes: RowCounts): Map<number, number> {
  const found = new Map<number, number>()
  panes.slice(0, anchor.pane + 1).forEach(({ layout }, i) => {
    const boxes = i === anchor.pane ? layout.boxes.slice(0, anchor.box) : layout.boxes
    for (const { track, rows } of boxes) {
      const wanted = track ? changes.get(track.id) : undefined
      if (track && wanted !== undefined && wanted < rows)
        found.set(track.id, openHeight(track, rows) - openHeight(track, wanted))
    }
  })
  return found
}

export class TrackHeights {
  /** Rows of tracks that were seen. */
  readonly rows = new Map<number, number>()
  readonly #host: Host
  #movedAt = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(host: Host) {
    this.#host = host
  }

  /** Another piece of time or other tracks are looked at. */
  moved(): void {
    this.#movedAt = performance.now()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** Call before drawing. */
  fit(): void {
    const { more, less, same } = rowChanges(this.#host, this.#host.panes)
    for (const [id, rows] of same) this.rows.set(id, rows)
    // Those that were not seen before come as they are to be.
    const now = new Map([...more, ...[...less].filter(([id]) => !this.rows.has(id))])
    if (now.size > 0) this.#change(now)
    if ([...less.keys()].some((id) => !now.has(id))) this.#timer ??= setTimeout(this.#shrink, REST_MS)
  }

  /** A lane of a track is to be looked at: it gets a row where it has none. */
  show(track: Track | null, lane: number): void {
    if (!track) return
    const rows = lane - track.first_lane + 1
    const shown = this.#host.panes.map(({ layout }) => placeOfLane(layout, lane)?.box).find(Boolean)
    if (shown && !shown.folded && shown.rows < rows) this.#change(new Map([[track.id, rows]]))
  }

  readonly #shrink = (): void => {
    this.#timer = undefined
    const host = this.#host
    const left = host.animation.gliding ? REST_MS : this.#movedAt + REST_MS - performance.now()
    if (left > 0) this.#timer = setTimeout(this.#shrink, left)
    else this.#change(rowChanges(host, host.panes).less)
  }

  #change(wanted: RowCounts): void {
    const host = this.#host
    const anchor = anchorOf(host.panes, host.hover?.y ?? null)
    const changes = new Map(wanted)
    if (anchor && host.hover) {
      // Nothing can be scrolled below the top: what stands above the pointer shrinks once it has gone.
      const above = shrinkingAbove(host.panes, anchor, changes)
      const room = (host.panes[anchor.pane] as Pane).scroll
      if ([...above.values()].reduce((sum, one) => sum + one, 0) > room)
        for (const id of above.keys()) changes.delete(id)
    }
    if (changes.size === 0) return
    const before = anchor && topOf(host.panes, anchor)
    for (const [id, rows] of changes) this.rows.set(id, rows)
    host.layOut()
    if (!anchor || before === null || anchor.pane !== host.panes.length - 1) return
    const by = topOf(host.panes, anchor) - before
    if (by !== 0) host.scrollTo(Math.max(0, (host.panes[anchor.pane] as Pane).scroll + by))
  }
}
