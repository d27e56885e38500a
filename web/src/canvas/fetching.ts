/** Fetches what the screen lacks: few requests at a time, the newest wish first, those no longer wished for cancelled. */

import { tileSpan } from './levels.ts'
import type { Wanted } from './tiles.ts'

/** Ask for rows of a run of tiles and keep the answer. */
export type Ask = (wanted: Wanted, signal: AbortSignal) => Promise<void>

/** How many requests may be on their way. */
const AT_ONCE = 2
/** Ms between requests while the picture moves: levels passed by in between are never asked for. */
const PAUSE_MOVING = 90
/** Ms before what failed is asked for again. */
const PAUSE_FAILED = 2000

interface Flight {
  wanted: Wanted
  abort: AbortController
}

export class Fetching {
  readonly #ask: Ask
  readonly #arrived: () => void
  readonly #flights = new Set<Flight>()
  #last = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #failedAt = -Infinity
  /** Why the last request failed; null once one succeeded. */
  failure: unknown = null

  constructor(ask: Ask, arrived: () => void) {
    this.#ask = ask
    this.#arrived = arrived
  }

  get busy(): boolean {
    return this.#flights.size > 0
  }

  /** What the screen wants now, most wanted first. `moving`: the user is on the way somewhere. */
  want(wanted: Wanted[], moving: boolean): void {
    for (const flight of this.#flights)
      if (!wanted.some((one) => meets(one, flight.wanted))) {
        flight.abort.abort()
        this.#flights.delete(flight)
      }
    const open = wanted.filter((one) => ![...this.#flights].some((flight) => contains(flight.wanted, one)))
    if (open.length === 0) return
    const now = performance.now()
    const pause = Math.max(moving ? this.#last + PAUSE_MOVING - now : 0, this.#failedAt + PAUSE_FAILED - now)
    if (pause > 0) return this.#later(pause)
    for (const one of open.slice(0, AT_ONCE - this.#flights.size)) this.#start(one, now)
  }

  end(): void {
    clearTimeout(this.#timer)
    for (const flight of this.#flights) flight.abort.abort()
    this.#flights.clear()
  }

  #later(pause: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#arrived()
    }, pause)
  }

  #start(wanted: Wanted, now: number): void {
    const flight = { wanted, abort: new AbortController() }
    this.#flights.add(flight)
    this.#last = now
    this.#ask(wanted, flight.abort.signal)
      .then(
        () => (this.failure = null),
        (error: unknown) => {
          if (flight.abort.signal.aborted) return
          this.failure = error
          this.#failedAt = performance.now()
        },
      )
      .finally(() => {
        this.#flights.delete(flight)
        if (!flight.abort.signal.aborted) this.#arrived()
      })
  }
}

/** Whether an answer on its way is of use for a wish: same level, some of the same tiles. */
function meets(wish: Wanted, flight: Wanted): boolean {
  return wish.level === flight.level && wish.first <= flight.last && wish.last >= flight.first
}

function contains(flight: Wanted, wish: Wanted): boolean {
  if (flight.level !== wish.level || flight.first > wish.first || flight.last < wish.last) return false
  const rows = new Set(flight.rows)
  return wish.rows.every((row) => rows.has(row))
}

/** The moments that a run of tiles covers. */
export function momentsOf(wanted: Wanted): [number, number] {
  const length = tileSpan(wanted.level)
  return [wanted.first * length, (wanted.last + 1) * length]
}
