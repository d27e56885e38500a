/** How many rows open tracks need for what is in view: those that have no more are not drawn. */

import type { TimelineData } from './data.ts'
import { firstEndingAfter, type Track } from '../api/timeline.ts'
import { levelOf, tilesOf } from './levels.ts'
import type { Pane } from './paint.ts'
import { visibleBoxes } from './rows.ts'
import type { Viewport } from './viewport.ts'

interface Looking {
  view: Viewport
  bounds: { end: number }
  data: { cells: Pick<TimelineData['cells'], 'pieces'> }
}

/** Whether a lane has anything in view; null where not all of it has been fetched. */
function isUsed({ view, bounds, data }: Looking, lane: number): boolean | null {
  const level = levelOf(view)
  const [first, last] = tilesOf(view.start, view.end, level, bounds.end)
  let used = false
  let known = true
  for (let index = first; index <= last && !used; index++) {
    let isThere = false
    data.cells.pieces(level, index, index, lane, ({ cells, from, to }, start, end) => {
      isThere = true
      const at = firstEndingAfter(cells.end, from, to, Math.max(start, view.start))
      if (at < to && (cells.start[at] as number) < Math.min(end, view.end)) used = true
    })
    if (!isThere) known = false
  }
  return used || (known ? false : null)
}

/** Rows of a track down to the deepest one with anything in view, and whether there may be deeper ones. */
export function rowsNeeded(looking: Looking, track: Track): { rows: number; known: boolean } {
  let known = true
  for (let depth = track.depths - 1; depth > 0; depth--) {
    const used = isUsed(looking, track.first_lane + depth)
    if (used) return { rows: depth + 1, known }
    if (used === null) known = false
  }
  return { rows: 1, known }
}

interface Changes {
  /** Rows by the ids of tracks that should have more, that could have less, and that have what they need. */
  more: Map<number, number>
  less: Map<number, number>
  same: Map<number, number>
}

/** What the open tracks that are seen need. */
export function rowChanges(looking: Looking, panes: Pane[]): Changes {
  const [more, less, same] = [0, 1, 2].map(() => new Map<number, number>()) as [
    Changes['more'],
    Changes['less'],
    Changes['same'],
  ]
  for (const { layout, scroll, height } of panes) {
    const [first, last] = visibleBoxes(layout, scroll, scroll + height)
    for (let i = first; i <= last && height > 0; i++) {
      const box = layout.boxes[i]
      if (!box?.track || box.folded || box.track.depths < 2) continue
      const { rows, known } = rowsNeeded(looking, box.track)
      if (rows > box.rows) more.set(box.track.id, rows)
      else if (known) (rows < box.rows ? less : same).set(box.track.id, rows)
    }
  }
  return { more, less, same }
}
