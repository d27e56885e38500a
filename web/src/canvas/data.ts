/** Cells and counters of the timeline as the screen needs them: tiles, and what fetches them. */

import type { Api } from '../api/api.ts'
import { type CounterBins, firstEndingAfter, firstStartingFrom } from '../api/timeline.ts'
import { binsAsked, binsOfTile } from './bins.ts'
import { type Cell, cellAt, type Piece } from './cells.ts'
import { Fetching, momentsOf } from './fetching.ts'
import { kindsOf } from './kinds.ts'
import { levelOf, TILE_CELLS, tileSpan, tilesOf } from './levels.ts'
import { Tiles, type Wanted } from './tiles.ts'
import { nsPerPixel, type Viewport } from './viewport.ts'

/** Cells of a lane in a tile; `cell_ns` of the answer says how exact they are. */
type CellTile = Omit<Piece, 'start' | 'end'>

/** Bins of a counter in a tile. */
export interface BinTile {
  bins: CounterBins
  from: number
  count: number
  /** The moments that these bins cover. */
  start: number
  end: number
}

/** A bin of a counter for every fourth cell: two to four pixels. */
const CELLS_PER_BIN = 4
const BINS = TILE_CELLS / CELLS_PER_BIN
/** How far from a thin event the pointer still hits it, CSS pixels. */
const REACH = 3
const MOST_CELLS = 2_500_000
const MOST_BINS = 500_000

export class TimelineData {
  readonly cells = new Tiles<CellTile>((piece) => piece.to - piece.from + 8, MOST_CELLS)
  readonly counters = new Tiles<BinTile>((piece) => piece.count, MOST_BINS)
  readonly cellFetching: Fetching
  readonly counterFetching: Fetching
  /** Kinds of the cells that came so far, a bit for each. */
  kinds = 0
  readonly #api: Api
  readonly #run: string
  readonly #end: number

  /** `end`: of the recording. */
  constructor(api: Api, run: string, end: number, arrived: () => void) {
    this.#api = api
    this.#run = run
    this.#end = end
    this.cellFetching = new Fetching(this.#askCells, arrived)
    this.counterFetching = new Fetching(this.#askCounters, arrived)
  }

  get failure(): unknown {
    return this.cellFetching.failure ?? this.counterFetching.failure
  }

  get busy(): boolean {
    return this.cellFetching.busy || this.counterFetching.busy
  }

  end(): void {
    this.cellFetching.end()
    this.counterFetching.end()
  }

  /** The cell of a lane at a moment, or within some pixels of it, as far as it was fetched. */
  cellAt(view: Viewport, lane: number, moment: number, reach = REACH): Cell | null {
    const level = levelOf(view)
    const room = nsPerPixel(view) * reach
    const [first, last] = tilesOf(moment - room, moment + room + 1, level, this.#end)
    const pieces: Piece[] = []
    this.cells.pieces(level, first, last, lane, (tile, start, end) => pieces.push({ ...tile, start, end }))
    return cellAt(pieces, lane, moment, room)
  }

  #askCells = async (wanted: Wanted, signal: AbortSignal): Promise<void> => {
    const [t0, t1] = momentsOf(wanted)
    const px = TILE_CELLS * (wanted.last - wanted.first + 1)
    const cells = await this.#api.window(this.#run, { t0, t1, px, lanes: wanted.rows }, signal)
    this.kinds |= kindsOf(cells.kind)
    const sent = new Map(cells.lanes.map((lane) => [lane.lane, lane]))
    const length = tileSpan(wanted.level)
    for (const row of wanted.rows) {
      const lane = sent.get(row)
      const [start, end] = lane ? [lane.offset, lane.offset + lane.count] : [0, 0]
      for (let index = wanted.first; index <= wanted.last; index++) {
        const from = firstEndingAfter(cells.end, start, end, index * length - 1)
        const to = firstStartingFrom(cells.start, from, end, (index + 1) * length)
        this.cells.put(wanted.level, index, row, { cells, from, to })
      }
    }
  }

  #askCounters = async (wanted: Wanted, signal: AbortSignal): Promise<void> => {
    const asked = binsAsked(wanted, BINS, this.#end)
    if (!asked) return this.#noBins(wanted)
    const bins = await this.#api.counters(this.#run, asked.t0, asked.t1, asked.px, wanted.rows, signal)
    for (const { track, offset } of bins.tracks)
      for (let index = wanted.first; index <= wanted.last; index++) {
        const mine = binsOfTile(asked, bins.bins, wanted.level, index)
        this.counters.put(wanted.level, index, track, { bins, ...mine, from: offset + mine.from })
      }
  }

  /** A tile that only begins where the recording ends is known to be empty. */
  #noBins({ level, first, last, rows }: Wanted): void {
    const nothing = new Float32Array()
    const bins: CounterBins = { bins: 0, tracks: [], min: nothing, max: nothing, mean: nothing }
    for (const row of rows)
      for (let index = first; index <= last; index++)
        this.counters.put(level, index, row, { bins, from: 0, count: 0, start: this.#end, end: this.#end })
  }
}
