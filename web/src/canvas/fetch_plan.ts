/** What is to be fetched for the screen, most wanted first. */

import { levelOf } from './levels.ts'
import { paneRows, type Pane } from './paint.ts'
import { lanesWithoutRow, visibleBoxes, visibleRows } from './rows.ts'
import type { Tiles, Wanted } from './tiles.ts'
import { span, type Viewport } from './viewport.ts'

type Missing = Pick<Tiles<unknown>, 'missing'>

interface Looking {
  view: Viewport
  panes: Pane[]
  moving: boolean
  bounds: { end: number }
  data: { cells: Missing; counters: Missing }
}

/** Share of the viewport fetched on either side of it, once it stands still. */
const ASIDE = 0.2
/** CSS pixels of tracks fetched above and below, once it stands still. */
const ABOVE = 240
/** Lanes of one request. */
const LANES = 96

export function fetchPlan(looking: Looking): { cells: Wanted[]; counters: Wanted[] } {
  const { view, panes, moving, bounds, data } = looking
  const level = levelOf(view)
  // Lanes without a row are asked for, too: their track grows as soon as there is something on them.
  const hidden = panes.flatMap(({ layout, scroll, height }) => lanesWithoutRow(layout, scroll, scroll + height))
  const lanes = unique([...panes.flatMap(paneRows).map((row) => row.lane), ...hidden])
  const tracks = unique(panes.flatMap(counterTracks))
  const seen = (tiles: Missing, rows: number[], room: number) =>
    grouped(rows).flatMap((group) => tiles.missing(level, view.start - room, view.end + room, bounds.end, group))
  let cells = seen(data.cells, lanes, 0)
  const counters = seen(data.counters, tracks, 0)
  if (cells.length === 0 && !moving) {
    const near = unique(panes.flatMap((pane) => nearRows(pane)))
    cells = [...seen(data.cells, lanes, span(view) * ASIDE), ...seen(data.cells, near, 0)]
  }
  return { cells, counters }
}

function unique(numbers: number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function grouped(rows: number[]): number[][] {
  const groups: number[][] = []
  for (let i = 0; i < rows.length; i += LANES) groups.push(rows.slice(i, i + LANES))
  return groups
}

function nearRows(pane: Pane): number[] {
  if (pane.height <= 0) return []
  return visibleRows(pane.layout, Math.max(0, pane.scroll - ABOVE), pane.scroll + pane.height + ABOVE).map(
    (row) => row.lane,
  )
}

function counterTracks(pane: Pane): number[] {
  const [first, last] = visibleBoxes(pane.layout, pane.scroll, pane.scroll + pane.height)
  const tracks = []
  for (let i = first; i <= last; i++) {
    const track = pane.layout.boxes[i]?.track
    if (track?.kind === 'counter') tracks.push(track.id)
  }
  return tracks
}
