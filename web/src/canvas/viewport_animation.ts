/** Moves the viewport: while keys are held, smooth from the first frame on and faster the longer; or to a place. */

import type { FrameLoop } from './loop.ts'
import { between, type Bounds, fitted, panned, type Viewport, zoomed } from './viewport.ts'

export interface Held {
  /** -1, 0 or 1: to earlier or later moments, and in or out. */
  pan: number
  zoom: number
  fast: boolean
}

/** CSS pixels a second at first and at most. */
const PAN_SPEED = [450, 1900] as const
/** Natural logarithm of the scale a second. */
const ZOOM_SPEED = [1.6, 4.2] as const
/** Ms until a held key is at full speed. */
const RAMP = 700
const FAST = 3
/** What pressing a key moves at once, however seldom is drawn: a scale, and CSS pixels. */
const TAP_ZOOM = 1.2
const TAP_PAN = 60

/** Speed after a key was held for some ms. */
export function speedAfter(held: number, [slow, full]: readonly [number, number]): number {
  const share = Math.min(1, held / RAMP)
  return slow + (full - slow) * share * share
}

/** The viewport `elapsed` ms later. `since`: for how long keys have been held, ms. `x`: where to zoom. */
export function moved(view: Viewport, bounds: Bounds, held: Held, elapsed: number, since: number, x: number): Viewport {
  const factor = (held.fast ? FAST : 1) * (elapsed / 1000)
  let next = view
  if (held.pan !== 0) next = panned(next, bounds, held.pan * speedAfter(since, PAN_SPEED) * factor)
  if (held.zoom !== 0) next = zoomed(next, bounds, Math.exp(held.zoom * speedAfter(since, ZOOM_SPEED) * factor), x)
  return next
}

/** The viewport after keys went down: a short press is seen to do something at any frame rate. */
export function tapped(view: Viewport, bounds: Bounds, was: Held, held: Held, x: number): Viewport {
  const times = held.fast ? FAST : 1
  let next = view
  if (held.pan !== 0 && held.pan !== was.pan) next = panned(next, bounds, held.pan * TAP_PAN * times)
  if (held.zoom !== 0 && held.zoom !== was.zoom) next = zoomed(next, bounds, TAP_ZOOM ** (held.zoom * times), x)
  return next
}

/** What is moved. */
interface Movable {
  readonly view: Viewport
  /** How far one can look. */
  readonly reach: Bounds
  readonly loop: FrameLoop
  /** CSS pixel of the pointer, around which keys zoom. */
  readonly pointer: number | null
  look: (view: Viewport) => void
}

const GLIDE_MS = 130

export class ViewportAnimation {
  readonly #moved: Movable
  #heldSince = 0
  #held: Held = { pan: 0, zoom: 0, fast: false }
  #gliding: (elapsed: number) => boolean = () => false
  /** On the way to a place. */
  gliding = false

  constructor(what: Movable) {
    this.#moved = what
  }

  /** Go there within a moment; at once where no motion is wanted. */
  glide(to: Viewport): void {
    const what = this.#moved
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return what.look(to)
    const from = what.view
    let gone = 0
    this.gliding = true
    this.#gliding = (elapsed) => {
      gone += elapsed
      const share = Math.min(1, gone / GLIDE_MS)
      const view = share >= 1 ? to : between(from, to, 1 - (1 - share) ** 3)
      what.look({ ...view, width: what.view.width })
      return (this.gliding = share < 1)
    }
    what.loop.move(this.#glide)
  }
  readonly #glide = (elapsed: number): boolean => this.#gliding(elapsed)

  fit(start: number, end: number, room?: number): void {
    this.glide(fitted(this.#moved.view, this.#moved.reach, start, end, room))
  }

  /** Be there; no glide that is still under way goes on. */
  jump(to: Viewport): void {
    this.#stop()
    this.#moved.look(to)
  }

  #stop(): void {
    this.#moved.loop.stop(this.#glide)
    this.gliding = false
  }

  /** Keys are held or no longer. */
  hold(held: Held): void {
    const { loop, view, reach } = this.#moved
    const was = this.#held
    this.#held = held
    if (held.pan === 0 && held.zoom === 0) return loop.stop(this.#holding)
    if (was.pan !== held.pan || was.zoom !== held.zoom) this.#heldSince = performance.now()
    this.#stop()
    const next = tapped(view, reach, was, held, this.#x)
    if (next !== view) this.#moved.look(next)
    loop.move(this.#holding)
  }
  readonly #holding = (elapsed: number): boolean => {
    const { view, reach } = this.#moved
    const since = performance.now() - this.#heldSince
    this.#moved.look(moved(view, reach, this.#held, elapsed, since, this.#x))
    return true
  }

  /** Where keys zoom. */
  get #x(): number {
    return this.#moved.pointer ?? this.#moved.view.width / 2
  }
}
