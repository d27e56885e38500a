/** Where the words beside the pointer stand: on the side that has room, and within the plot. */

export interface Size {
  width: number
  height: number
}

/** CSS pixels between the pointer and its tip, and between the tip and the plot's edge. */
const BESIDE = 14
const BELOW = 16
const EDGE = 4

const within = (at: number, size: number, room: number): number => Math.max(EDGE, Math.min(at, room - size - EDGE))

/** Left and top of a tip. In a plot with room on neither side it stands where all of it can be seen. */
export function tipPlace(pointer: { x: number; y: number }, tip: Size, plot: Size): { left: number; top: number } {
  const right = pointer.x + BESIDE
  const below = pointer.y + BELOW
  const left = right + tip.width + EDGE <= plot.width ? right : pointer.x - BESIDE - tip.width
  const top = below + tip.height + EDGE <= plot.height ? below : pointer.y - BESIDE - tip.height
  return { left: within(left, tip.width, plot.width), top: within(top, tip.height, plot.height) }
}
