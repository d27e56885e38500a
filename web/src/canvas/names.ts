/** Names of events by their code, fetched in batches when they are first needed on the screen. */

type Fetch = (codes: number[]) => Promise<Map<number, string>>

const MOST_AT_ONCE = 400

export class Names {
  readonly #known = new Map<number, string>()
  readonly #asked = new Set<number>()
  #missing: number[] = []
  readonly #fetch: Fetch
  readonly #arrived: () => void
  #waiting = false

  constructor(fetch: Fetch, arrived: () => void) {
    this.#fetch = fetch
    this.#arrived = arrived
  }

  /** The name, or undefined until it has come. */
  get(code: number): string | undefined {
    const name = this.#known.get(code)
    if (name === undefined && !this.#asked.has(code)) {
      this.#asked.add(code)
      // Not only drawing asks: the tip names events too narrow for a text. All that one turn misses goes together.
      if (this.#missing.push(code) === 1) queueMicrotask(() => this.fetchMissing())
    }
    return name
  }

  /** Code of a name that is known, or -1. */
  codeOf(name: string): number {
    for (const [code, one] of this.#known) if (one === name) return code
    return -1
  }

  /** Ask for what `get` did not have; more of it, and what came up meanwhile, after the next drawing. */
  fetchMissing(): void {
    if (this.#waiting || this.#missing.length === 0) return
    const codes = this.#missing.splice(0, MOST_AT_ONCE)
    this.#waiting = true
    this.#fetch(codes)
      .then(
        (names) => {
          for (const [code, name] of names) this.#known.set(code, name)
        },
        () => {
          // Without an answer the events stay without texts; they are asked for again when they come into view.
          for (const code of codes) this.#asked.delete(code)
        },
      )
      .finally(() => {
        this.#waiting = false
        this.#arrived()
      })
  }
}
