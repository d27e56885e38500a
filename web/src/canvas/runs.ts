/**
 * Runs of cells that are too narrow for texts and stand next to each other in a row: together they bear one name.
 *
 * All cells of a picture pass through here, so that nothing is made for a cell, only for a run.
 */

import type { Cells } from '../api/timeline.ts'

/** CSS pixels of a run that bears a name, and those between its cells at most. */
const LEAST_RUN = 60
const GAP = 6
/** CSS pixels of a cell that is seen as an event of its own: it shares a run with its like alone. */
const BOX = 12

interface Part {
  cells: Cells
  first: number
  last: number
}

export interface Run {
  row: number
  /** Device pixels. */
  from: number
  to: number
  /** The name with most time in it. */
  code: number
  /** Whether there are others. */
  mixed: boolean
  /** How many events it stands for. */
  count: number
}

/** Time by name; zero but while a run is added up. */
let time = new Float64Array(1024)
const seen: number[] = []

function add(code: number, ns: number): void {
  if (code >= time.length) {
    const larger = new Float64Array(2 * code)
    larger.set(time)
    time = larger
  }
  // An event without length counts, too.
  if (time[code] === 0) seen.push(code)
  time[code] = (time[code] as number) + ns + 1e-3
}

/** What the cells of a run are called. */
function named(parts: Part[]): Pick<Run, 'code' | 'mixed' | 'count'> {
  let count = 0
  for (const { cells, first, last } of parts)
    for (let i = first; i <= last; i++) {
      count += cells.count[i] as number
      add(cells.name[i] as number, ((cells.end[i] as number) - (cells.start[i] as number)) * (cells.busy[i] as number))
    }
  let code = seen[0] as number
  for (const one of seen) if ((time[one] as number) > (time[code] as number)) code = one
  const mixed = seen.length > 1
  for (const one of seen) time[one] = 0
  seen.length = 0
  return { code, mixed, count }
}

export class Runs {
  found: Run[] = []
  #least = 0
  #gap = 0
  #box = 0
  #row = 0
  #from = 0
  #to = -Infinity
  #parts: Part[] = []
  /** The name of the last cell, and whether it is a box. */
  #name = -1
  #isBox = false

  /** A new picture. */
  begin(ratio: number): void {
    this.found = []
    this.#least = LEAST_RUN * ratio
    this.#gap = GAP * ratio
    this.#box = BOX * ratio
  }

  /** The cells that follow are of this row. */
  inRow(row: number): void {
    this.end()
    this.#row = row
  }

  /** A cell, from its first to its last pixel; they come in order. */
  add(cells: Cells, index: number, from: number, to: number): void {
    const [name, isBox] = [cells.name[index] as number, to - from >= this.#box]
    if (from - this.#to > this.#gap || ((isBox || this.#isBox) && name !== this.#name)) {
      this.end()
      this.#from = from
    }
    this.#to = Math.max(this.#to, to)
    this.#name = name
    this.#isBox = isBox
    const open = this.#parts.at(-1)
    if (open?.cells === cells && index === open.last + 1) open.last = index
    else this.#parts.push({ cells, first: index, last: index })
  }

  /** The run ends here. */
  end(): void {
    if (this.#to - this.#from >= this.#least && this.#parts.length > 0)
      this.found.push({ row: this.#row, from: this.#from, to: this.#to, ...named(this.#parts) })
    this.#to = -Infinity
    this.#parts.length = 0
  }
}
