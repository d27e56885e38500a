/** Questions asked one at a time: after a pause in which nothing else was wished, and never beside another one. */

export class SerialRequests<Q> {
  readonly #ask: (question: Q) => Promise<void>
  readonly #pauseMs: number
  #waiting: { question: Q } | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #busy = false

  /** `ask` must not fail; while it is under way, only the newest question is remembered. */
  constructor(ask: (question: Q) => Promise<void>, pauseMs: number) {
    this.#ask = ask
    this.#pauseMs = pauseMs
  }

  /** Have a question asked, unless another one is wished first. */
  want(question: Q): void {
    this.#waiting = { question }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#next(), this.#pauseMs)
  }

  /** Ask nothing more. */
  forget(): void {
    this.#waiting = null
    clearTimeout(this.#timer)
  }

  async #next(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    while (this.#waiting) {
      const { question } = this.#waiting
      this.#waiting = null
      await this.#ask(question)
    }
    this.#busy = false
  }
}
