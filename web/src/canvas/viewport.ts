/**
 * Three spaces, and what leads from one to the next.
 *
 * - **Time**: ns from the profile's origin, as a JS number: exact below 2^53 ns, 104 days. The viewport is a half-open
 *   piece of it, `[start, end)`.
 * - **CSS pixels**: `x` from the left edge of the plot, `y` from its top. Pointers, heights of rows and texts are in it.
 * - **Device pixels**: CSS pixels times `devicePixelRatio`. Only drawing knows them: edges are rounded to whole ones.
 *
 * Everything here is pure. A viewport is never changed: each function returns a new one.
 */

export interface Viewport {
  start: number
  end: number
  /** Of the plot, in CSS pixels. */
  width: number
}

/** The recording, or as far as one can look. */
export interface Bounds {
  start: number
  end: number
}

/** The shortest piece of time that fills the plot: a few hundred pixels for each ns. */
export const SHORTEST = 8

/** How far one can look past the ends of the recording, as a share of what the plot shows. */
const BEYOND = 0.5

/** Room left and right of what is fitted, as a share of it. */
const FIT_ROOM = 0.06

export function span(view: Viewport): number {
  return view.end - view.start
}

export function nsPerPixel(view: Viewport): number {
  return span(view) / Math.max(1, view.width)
}

/** The part of the recording that is shown: the plot has room left and right of its ends. */
export function seen(view: Viewport, bounds: Bounds): Bounds {
  const start = Math.min(Math.max(view.start, bounds.start), bounds.end)
  return { start, end: Math.max(start, Math.min(view.end, bounds.end)) }
}

/** Whether all of the recording is shown, and no more than one zooms out to. */
export function isWhole(view: Viewport, { start, end }: Bounds): boolean {
  return view.start <= start && view.end >= end && span(view) <= Math.ceil((end - start) * (1 + 2 * FIT_ROOM))
}

/** Where a moment is. */
export function xOf(view: Viewport, moment: number): number {
  return ((moment - view.start) / span(view)) * view.width
}

/** The moment at a place. */
export function momentAt(view: Viewport, x: number): number {
  return view.start + (x / Math.max(1, view.width)) * span(view)
}

/** The viewport nearest to the wanted one that one may look at: not shorter than `SHORTEST`, not lost beyond the ends. */
export function clamped(view: Viewport, bounds: Bounds): Viewport {
  const whole = Math.max(bounds.end - bounds.start, SHORTEST)
  const longest = whole * (1 + 2 * FIT_ROOM)
  const length = Math.min(Math.max(span(view), SHORTEST), longest)
  const middle = (view.start + view.end) / 2
  const lowest = bounds.start - length * BEYOND
  const highest = bounds.end + length * BEYOND - length
  const start = Math.min(Math.max(middle - length / 2, lowest), Math.max(lowest, highest))
  return { start, end: start + length, width: view.width }
}

/** Zoom so that the moment at `x` stays there; a factor above 1 shows less time. */
export function zoomed(view: Viewport, bounds: Bounds, factor: number, x: number): Viewport {
  const at = momentAt(view, x)
  const whole = Math.max(bounds.end - bounds.start, SHORTEST) * (1 + 2 * FIT_ROOM)
  const length = Math.min(Math.max(span(view) / factor, SHORTEST), whole)
  const wanted = at - (x / Math.max(1, view.width)) * length
  // Zoomed out as far as it goes, one sees the whole recording, wherever the pointer was.
  const fits = length >= bounds.end - bounds.start
  const start = fits ? Math.min(Math.max(wanted, bounds.end - length), bounds.start) : wanted
  return clamped({ start, end: start + length, width: view.width }, bounds)
}

/** Move the picture by some pixels; positive shows later moments. */
export function panned(view: Viewport, bounds: Bounds, pixels: number): Viewport {
  const by = pixels * nsPerPixel(view)
  return clamped({ start: view.start + by, end: view.end + by, width: view.width }, bounds)
}

/** The viewport in which a piece of time fills the plot with a little room. */
export function fitted(view: Viewport, bounds: Bounds, start: number, end: number, room = FIT_ROOM): Viewport {
  const length = Math.max(end - start, SHORTEST)
  const middle = (start + end) / 2
  const half = (length / 2) * (1 + 2 * room)
  return clamped({ start: middle - half, end: middle + half, width: view.width }, bounds)
}

/**
 * The same scale, moved only if the piece of time is not to be seen; a long one shows its start. Of the first and the
 * last of a recording nothing more can be seen, and beyond them is nothing to look at.
 */
export function revealed(view: Viewport, bounds: Bounds, start: number, end: number): Viewport {
  const room = span(view) * 0.02
  const from = Math.min(view.start + room, Math.max(view.start, bounds.start))
  const to = Math.max(view.end - room, Math.min(view.end, bounds.end))
  if (end > from && start < to) return view
  const middle = Math.min((start + end) / 2, start + span(view) * 0.4)
  return inside({ start: middle - span(view) / 2, end: middle + span(view) / 2, width: view.width }, bounds)
}

/** Moved so that little before and after the recording is shown, where nothing is to be seen. */
export function inside(view: Viewport, bounds: Bounds): Viewport {
  const room = span(view) * 0.02
  const ends = [bounds.start - room, bounds.end + room - span(view)]
  const start = Math.min(Math.max(view.start, Math.min(...ends)), Math.max(...ends))
  return clamped({ start, end: start + span(view), width: view.width }, bounds)
}

/** Around a piece of time that is too small to be seen at this scale; else as `revealed`. */
export function magnified(view: Viewport, bounds: Bounds, start: number, end: number): Viewport {
  const isSeen = end - start > span(view) * 0.004
  return isSeen ? revealed(view, bounds, start, end) : fitted(view, bounds, start, end, 15)
}

/** A viewport on the way from one to another: `share` 0 is the first, 1 the second. Even in the logarithm of scale. */
export function between(from: Viewport, to: Viewport, share: number): Viewport {
  const [a, b] = [span(from), span(to)]
  const length = Math.exp(Math.log(a) + (Math.log(b) - Math.log(a)) * share)
  // The middle moves in step with the length, so that what is zoomed at stays in place.
  const moved = Math.abs(b - a) > 1e-6 * a ? (length - a) / (b - a) : share
  const middle = (from.start + from.end) / 2 + ((to.start + to.end - from.start - from.end) / 2) * moved
  return { start: middle - length / 2, end: middle + length / 2, width: to.width }
}
