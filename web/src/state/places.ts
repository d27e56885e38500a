/** The way from anywhere in the app to a place on the timeline. */

import type { Place } from '../api/timeline.ts'
import { go } from './route.svelte.ts'

/** How much of the window an event that is shown fills. */
const SHARE = 0.4

/** The piece of time in which an event is seen with its surroundings, as the URL has it. */
export function surroundings(start: number, durationNs: number): string {
  const half = Math.max(durationNs, 100) / SHARE / 2
  const middle = start + durationNs / 2
  return `${Math.max(0, Math.floor(middle - half))},${Math.ceil(middle + half)}`
}

/** Show an event on the timeline, selected, with its surroundings. */
export function showOnTimeline(place: Place): void {
  const at = `${place.lane}.${place.row}`
  go('timeline', { t: surroundings(place.start, place.duration_ns), at, sel: JSON.stringify(['event', at]) })
}
