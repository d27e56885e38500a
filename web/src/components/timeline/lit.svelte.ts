/** What stands out on the timeline: the name chosen, what is being searched for, or what the header is filtered to. */

import type { Track } from '../../api/timeline.ts'
import { type Lit, litNames } from '../../canvas/lit.ts'
import { highlighted } from '../../state/timeline.svelte.ts'
import { limitedEvents } from './limited.svelte.ts'

interface LitEvents {
  readonly lit: Lit | null
  /** Code of the one name to walk through, or -1. */
  readonly code: number
  /** What is to be known of the filter. */
  readonly note: string
  /** Names found by the search, null without one. */
  hits: readonly number[] | null
}

/** Has to be called while a component is being made. */
export function litEvents(tracks: readonly Track[]): LitEvents {
  const limit = limitedEvents(tracks)
  let hits: readonly number[] | null = $state.raw(null)
  const lit = $derived.by(() => {
    const codes = highlighted() >= 0 ? [highlighted()] : hits
    return codes ? litNames(codes) : limit.lit
  })
  return {
    get lit() {
      return lit
    },
    get code() {
      return highlighted() < 0 ? limit.code : highlighted()
    },
    get note() {
      return limit.note
    },
    get hits() {
      return hits
    },
    set hits(codes) {
      hits = codes
    },
  }
}
