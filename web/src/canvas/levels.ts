/**
 * Levels of detail and their tiles.
 *
 * Level `k` has cells of 2^k ns. A tile is `TILE_CELLS` cells of it, and tile `i` of a level covers the tiles `2i` and
 * `2i + 1` of the level below: what is drawn stretched while better is fetched is found by shifting an index.
 */

import { nsPerPixel, type Viewport } from './viewport.ts'

export const TILE_CELLS = 1024
export const HIGHEST = 52

/** The level whose cells are between half a pixel and one pixel wide. */
export function levelOf(view: Viewport): number {
  return Math.min(HIGHEST, Math.max(0, Math.floor(Math.log2(nsPerPixel(view)))))
}

/** Length of a tile in ns. */
export function tileSpan(level: number): number {
  return TILE_CELLS * 2 ** level
}

/** First and last tile of a piece of time, within the recording. Empty (first > last) outside of it. */
export function tilesOf(start: number, end: number, level: number, limit: number): [number, number] {
  const length = tileSpan(level)
  const first = Math.max(0, Math.floor(start / length))
  const last = Math.min(Math.floor(limit / length), Math.ceil(end / length) - 1)
  return [first, last]
}
