/** Titles of tracks in the language chosen. */

import { innerWidth } from 'svelte/reactivity/window'
import type { Track } from '../../api/timeline.ts'
import { preferences } from '../../state/preferences.svelte.ts'
import { sentence, words } from '../../state/words.svelte.ts'

export function titleOf(track: Pick<Track, 'title' | 'kind' | 'thread'>): string {
  const title = sentence(track.title)
  // What has no number is no thread: the recorder named it itself.
  if (track.kind === 'other' && !/^\d+$/.test(track.thread ?? '')) return title
  return words().timeline.tracksOf[track.kind]?.(title) ?? title
}

/** Widths of the titles, px, in a window, in a wide one and in a narrow one; how far they can be drawn. */
const [USUAL, ON_WIDE] = [168, 216]
const [WIDE, NARROW] = [1600, 800]
const [LEAST, MOST] = [96, 320]
/** Pixels of a character, and of what stands around a title. */
const [CHARACTER, AROUND] = [6.2, 92]

/** Width of the titles, px: as it was drawn, else what suits the window. Longer titles are cut, their tips say all. */
export function titlesWidth(): number {
  const window = innerWidth.current ?? WIDE
  return preferences.labels ?? (window <= NARROW ? LEAST : window < WIDE ? USUAL : ON_WIDE)
}

/** The width that was drawn, within its limits. */
export function limitedWidth(wanted: number): number {
  return Math.round(Math.max(LEAST, Math.min(MOST, wanted)))
}

/** What the titles on a single line need. */
export function fittingWidth(tracks: readonly Track[]): number {
  const single = tracks.filter((track) => track.kind !== 'counter' && (track.depths < 2 || track.collapsed))
  const longest = single.reduce((most, track) => Math.max(most, titleOf(track).length), 0)
  return limitedWidth(longest * CHARACTER + AROUND)
}
