/** Titles of tracks in the language chosen. */

import type { Track } from '../../api/timeline.ts'
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
