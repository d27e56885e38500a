/** Which events keep their colour while all others are dimmed. */

import { firstWhere } from '../model/binary_search.ts'

export interface Lit {
  /** 1 at the codes of the names; null for every name. */
  codes: Uint8Array | null
  /** Ids of tracks; null for every track. */
  tracks: ReadonlySet<number> | null
  /** Rows of lanes, ascending, that keep it under any name. */
  rows: ReadonlyMap<number, Uint32Array> | null
}

/** The same of one lane. */
export interface LitLane {
  codes: Uint8Array | null
  rows: Uint32Array | null
}

const NOTHING = new Uint8Array()
export const ALL_LIT: LitLane = { codes: null, rows: null }

/** The names, as they are looked up for each event. */
export function litCodes(codes: readonly number[]): Uint8Array {
  const all = new Uint8Array(codes.reduce((most, code) => Math.max(most, code + 1), 0))
  for (const code of codes) all[code] = 1
  return all
}

/** Events with these names. */
export function litNames(codes: readonly number[], rows: Lit['rows'] = null): Lit {
  return { codes: litCodes(codes), tracks: null, rows }
}

/** What keeps its colour in a lane of a track. */
export function litInLane(lit: Lit | null, track: number, lane: number): LitLane {
  if (!lit) return ALL_LIT
  const rows = lit.rows?.get(lane) ?? null
  return { codes: lit.tracks && !lit.tracks.has(track) ? NOTHING : lit.codes, rows }
}

/** Whether a cell does: `count` events from row `first` on, called by a name. One of them is enough. */
export function isLit({ codes, rows }: LitLane, code: number, first: number, count: number): boolean {
  if (codes === null || codes[code] === 1) return true
  if (rows === null) return false
  const next = rows[firstWhere(0, rows.length, (at) => (rows[at] as number) >= first)]
  return next !== undefined && next < first + count
}
