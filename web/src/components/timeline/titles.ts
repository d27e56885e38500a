/** Titles of tracks in the language chosen. */

import type { Track } from '../../api/timeline.ts'
import { preferences } from '../../state/preferences.svelte.ts'
import { words } from '../../state/words.svelte.ts'

/** The server's titles are English; what is not a name of the recording is translated, part by part. */
export function titleOf(track: Track): string {
  const text = words().timeline
  const parts = track.title.split(' · ').map((part) => translated(part, text.titles))
  const title = parts.join(' · ')
  return track.kind === 'python' ? text.pythonOf(title) : title
}

function translated(part: string, titles: Record<string, string>): string {
  const whole = titles[part]
  if (whole !== undefined) return whole
  const packed = /^packed: (.+), (\d+) streams?$/.exec(part)
  if (packed) return words().timeline.packedTitle(titles[packed[1] ?? ''] ?? packed[1] ?? '', packed[2] ?? '')
  // `stream 7`, `main thread 2051`: the number stays.
  const numbered = /^(.*\S) (\S+)$/.exec(part)
  const known = numbered?.[1] === undefined ? undefined : titles[numbered[1]]
  return known === undefined ? part : `${known} ${numbered?.[2] ?? ''}`
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
