/** Where better detail does not exist: a report's ends somewhere. */

import type { TimelineData } from './data.ts'
import { levelOf, tilesOf } from './levels.ts'
import { paneRows, type Pane } from './paint.ts'
import type { Viewport } from './viewport.ts'

interface Looking {
  view: Viewport
  panes: Pane[]
  bounds: { end: number }
  data: TimelineData
}

/** ns of the largest cells shown, where they are coarser than asked for; else 0. */
export function coarsest({ view, panes, bounds, data }: Looking): number {
  const level = levelOf(view)
  const [first, last] = tilesOf(view.start, view.end, level, bounds.end)
  let most = 0
  for (const row of panes.flatMap(paneRows))
    data.cells.pieces(level, first, last, row.lane, (tile) => {
      const isMerged = tile.cells.count.subarray(tile.from, tile.to).some((count) => count > 1)
      if (isMerged) most = Math.max(most, tile.cells.cell_ns)
    })
  return most > 2 * 2 ** level ? most : 0
}
