/** Bins of counters: which ones are asked for, and which of an answer belong to a tile. */

import { tileSpan } from './levels.ts'
import type { Wanted } from './tiles.ts'

interface BinsAsked {
  t0: number
  t1: number
  px: number
}

/** What to ask for a run of tiles, with so many bins in a whole one; null when none of it is in the recording. */
export function binsAsked(wanted: Pick<Wanted, 'level' | 'first' | 'last'>, perTile: number, end: number) {
  const length = tileSpan(wanted.level)
  const t0 = Math.max(0, wanted.first * length)
  // The last tile reaches past the recording, at coarse levels past any moment that the server can count.
  const t1 = Math.min((wanted.last + 1) * length, end)
  if (!(t1 > t0)) return null
  return { t0, t1, px: Math.max(1, Math.round((perTile * (t1 - t0)) / length)) }
}

/** The bins that touch a tile: from which one, how many, and the moments that they cover. */
export function binsOfTile(asked: BinsAsked, bins: number, level: number, index: number) {
  const length = tileSpan(level)
  const each = (asked.t1 - asked.t0) / Math.max(1, bins)
  // What is computed of a whole number of bins may lie beside it by a rounding.
  const at = (moment: number) => Math.round(((moment - asked.t0) / each) * 1e6) / 1e6
  const from = Math.min(bins, Math.max(0, Math.floor(at(index * length))))
  const to = Math.max(from, Math.min(bins, Math.ceil(at((index + 1) * length))))
  return { from, count: to - from, start: asked.t0 + from * each, end: asked.t0 + to * each }
}
