/** The one frame loop: draws when something changed, and while something moves. */

type Moving = (elapsed: number) => boolean

export class FrameLoop {
  readonly #draw: () => void
  readonly #moving = new Set<Moving>()
  #asked = 0
  #last = 0

  constructor(draw: () => void) {
    this.#draw = draw
  }

  /** Something changed: draw with the next frame. */
  dirty = (): void => {
    this.#asked ||= requestAnimationFrame(this.#frame)
  }

  /** What was to be drawn with the next frame, drawn at once: paper does not wait for frames. */
  now = (): void => {
    cancelAnimationFrame(this.#asked)
    this.#asked = 0
    this.#draw()
  }

  /** Call before each frame with the ms since the last one, until it returns false. */
  move(moving: Moving): void {
    if (this.#moving.size === 0 && !this.#asked) this.#last = performance.now()
    this.#moving.add(moving)
    this.dirty()
  }

  stop(moving: Moving): void {
    this.#moving.delete(moving)
  }

  end(): void {
    cancelAnimationFrame(this.#asked)
    this.#moving.clear()
  }

  #frame = (now: number): void => {
    this.#asked = 0
    // After a pause one frame is not to jump over all of it.
    const elapsed = Math.min(50, Math.max(0, now - this.#last))
    this.#last = now
    for (const moving of this.#moving) if (!moving(elapsed)) this.#moving.delete(moving)
    if (this.#moving.size > 0) this.dirty()
    this.#draw()
  }
}
