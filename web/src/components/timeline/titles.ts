/** Titles of tracks in the language chosen. */

import type { Track } from '../../api/timeline.ts'
import { preferences } from '../../state/preferences.svelte.ts'
import { sentence, words } from '../../state/words.svelte.ts'

export function titleOf(track: Track): string {
  const title = sentence(track.title)
  return words().timeline.tracksOf[track.kind]?.(title) ?? title
}

const [NARROWEST, WIDEST] = [168, 272]
/** Pixels of a character, and of what stands around a title. */
const [CHARACTER, AROUND] = [6.2, 92]

/** Width of the titles, px: as it was drawn, else what those on a single line need. */
export function titlesWidth(tracks: readonly Track[]): number {
  if (preferences.labels !== null) return preferences.labels
  const single = tracks.filter((track) => track.kind !== 'counter' && (track.depths < 2 || track.collapsed))
  const longest = single.reduce((most, track) => Math.max(most, titleOf(track).length), 0)
  return Math.round(Math.max(NARROWEST, Math.min(WIDEST, longest * CHARACTER + AROUND)))
}
