/**
 * What was fetched of the timeline, by level, tile and row, and what is to be fetched for the screen.
 *
 * A row is a lane (cells) or a track (counters). While the pieces that the screen wants are on their way, the nearest
 * coarser or finer ones are drawn stretched. No drawing, no timers: the caller says when to look.
 */

import { HIGHEST, tileSpan, tilesOf } from './levels.ts'

/** What one answer holds of one row within one tile. */
export type Wanted = { level: number; first: number; last: number; rows: number[] }

interface Tile<P> {
  rows: Map<number, P>
  used: number
}

/** How many levels finer than wanted are still drawn, when nothing else is there. */
const FINER = 3

export class Tiles<P> {
  readonly #levels = new Map<number, Map<number, Tile<P>>>()
  readonly #cost: (piece: P) => number
  readonly #most: number
  #clock = 0
  #held = 0

  /** `most`: cost of all pieces together above which the least recently used tiles go. */
  constructor(cost: (piece: P) => number, most: number) {
    this.#cost = cost
    this.#most = most
  }

  clear(): void {
    this.#levels.clear()
    this.#held = 0
  }

  /** Call once for each picture: tiles used in it are the last to go. */
  tick(): void {
    this.#clock++
    if (this.#held > this.#most) this.#evict()
  }

  put(level: number, index: number, row: number, piece: P): void {
    let tiles = this.#levels.get(level)
    if (!tiles) this.#levels.set(level, (tiles = new Map()))
    let tile = tiles.get(index)
    if (!tile) tiles.set(index, (tile = { rows: new Map(), used: this.#clock }))
    if (!tile.rows.has(row)) this.#held += this.#cost(piece)
    tile.rows.set(row, piece)
  }

  has(level: number, index: number, row: number): boolean {
    return this.#levels.get(level)?.get(index)?.rows.has(row) ?? false
  }

  #get(level: number, index: number, row: number): P | undefined {
    const tile = this.#levels.get(level)?.get(index)
    if (tile) tile.used = this.#clock
    return tile?.rows.get(row)
  }

  /** Pieces to draw of a row between two tiles of a level, in order of time, each with the moments it stands for. */
  pieces(
    level: number,
    first: number,
    last: number,
    row: number,
    found: (piece: P, start: number, end: number) => void,
  ) {
    for (let index = first; index <= last; index++) this.#piece(level, index, row, found)
  }

  #piece(level: number, index: number, row: number, found: (piece: P, start: number, end: number) => void): void {
    const length = tileSpan(level)
    const [start, end] = [index * length, (index + 1) * length]
    for (let up = 0; level + up <= HIGHEST + 1; up++) {
      const piece = this.#get(level + up, Math.floor(index / 2 ** up), row)
      if (piece === undefined) {
        if (up === 0 && this.#finer(level, index, row, FINER, found)) return
        continue
      }
      found(piece, start, end)
      return
    }
  }

  /** Both halves of a tile from finer levels; false, and nothing found, when some of it is missing. */
  #finer(
    level: number,
    index: number,
    row: number,
    depth: number,
    found: (p: P, a: number, b: number) => void,
  ): boolean {
    if (level === 0 || depth === 0 || !this.#covered(level - 1, 2 * index, row, depth - 1)) return false
    if (!this.#covered(level - 1, 2 * index + 1, row, depth - 1)) return false
    for (const half of [2 * index, 2 * index + 1]) {
      const piece = this.#get(level - 1, half, row)
      const length = tileSpan(level - 1)
      if (piece !== undefined) found(piece, half * length, (half + 1) * length)
      else this.#finer(level - 1, half, row, depth - 1, found)
    }
    return true
  }

  #covered(level: number, index: number, row: number, depth: number): boolean {
    if (this.has(level, index, row)) return true
    if (depth === 0 || level === 0) return false
    return (
      this.#covered(level - 1, 2 * index, row, depth - 1) && this.#covered(level - 1, 2 * index + 1, row, depth - 1)
    )
  }

  /** What is missing for a piece of time: one entry for each run of tiles that lack the same rows. */
  missing(level: number, start: number, end: number, limit: number, rows: number[]): Wanted[] {
    const [first, last] = tilesOf(start, end, level, limit)
    const wanted: Wanted[] = []
    let key = ''
    for (let index = first; index <= last; index++) {
      const lacking = rows.filter((row) => !this.has(level, index, row))
      const nextKey = lacking.join()
      const open = wanted.at(-1)
      if (lacking.length === 0) key = ''
      else if (open && nextKey === key && open.last === index - 1) open.last = index
      else wanted.push({ level, first: index, last: index, rows: lacking })
      key = nextKey
    }
    return wanted
  }

  #evict(): void {
    const all = [...this.#levels].flatMap(([level, tiles]) =>
      [...tiles].map(([index, tile]) => ({ level, index, tile })),
    )
    all.sort((a, b) => a.tile.used - b.tile.used)
    for (const { level, index, tile } of all) {
      if (this.#held < this.#most * 0.75 || tile.used >= this.#clock - 1) return
      for (const piece of tile.rows.values()) this.#held -= this.#cost(piece)
      this.#levels.get(level)?.delete(index)
    }
  }
}
