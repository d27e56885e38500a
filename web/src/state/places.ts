/** The way from anywhere in the app to a place on the timeline. */

import type { Place } from '../api/timeline.ts'
import { go } from './route.svelte.ts'

/** How much of the window an event that is shown fills. */
const SHARE = 0.4

/** Show an event on the timeline, selected, with its surroundings: `t0` and `t1` are the window, offsets in ns. */
export function showOnTimeline(place: Place): void {
  const half = Math.max(place.duration_ns, 100) / SHARE / 2
  const middle = place.start + place.duration_ns / 2
  const [t0, t1] = [Math.max(0, Math.floor(middle - half)), Math.ceil(middle + half)]
  go('timeline', { t0: `${t0}`, t1: `${t1}`, sel: JSON.stringify(['event', `${place.lane}.${place.row}`]) })
}
