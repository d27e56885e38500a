/** Which colours of the timeline are in use: the legend explains only those. */

import { KINDS, type Track } from '../api/timeline.ts'
import { type Meaning, meaningOf } from '../model/colours.ts'

/** In the order in which they are explained. */
const ORDER: Meaning[] = [
  'compute',
  'communication',
  'memory',
  'data_loading',
  'host',
  'annotation',
  'python',
  'sync',
  'idle',
  'other',
  'warning',
]

/** What all events of a kind of track are; those of other tracks are known once their cells are. */
const OF_TRACKS: Record<string, Meaning> = {
  annotations: 'annotation',
  python: 'python',
  sync: 'sync',
  idle: 'idle',
}

/** Kinds of some cells, a bit for each. */
export function kindsOf(kinds: Uint8Array): number {
  let bits = 0
  for (const kind of kinds) bits |= 1 << kind
  return bits
}

/** What the colours in use mean: those of the tracks, and of the cells seen so far. */
export function meaningsIn(tracks: readonly Pick<Track, 'kind' | 'events'>[], bits: number): Meaning[] {
  const found = new Set<Meaning>()
  KINDS.forEach((kind, i) => (bits & (1 << i)) !== 0 && found.add(meaningOf(kind)))
  for (const { kind, events } of tracks) {
    const meaning = OF_TRACKS[kind]
    if (meaning && events > 0) found.add(meaning)
  }
  return ORDER.filter((meaning) => found.has(meaning))
}
