/** Moves the viewport while keys are held: smooth from the first frame on, faster the longer. */

import { type Bounds, panned, type Viewport, zoomed } from './viewport.ts'

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
