/** Which events keep their colour while all others are dimmed. */

export interface Lit {
  /** 1 at the codes of the names; null for every name. */
  codes: Uint8Array | null
  /** Ids of tracks; null for every track. */
  tracks: ReadonlySet<number> | null
}

const NOTHING = new Uint8Array()

/** The names, as they are looked up for each event. */
export function litCodes(codes: readonly number[]): Uint8Array {
  const all = new Uint8Array(codes.reduce((most, code) => Math.max(most, code + 1), 0))
  for (const code of codes) all[code] = 1
  return all
}

/** Names of a track that keep their colour; null for all of them. */
export function litOnTrack(lit: Lit | null, track: number): Uint8Array | null {
  return lit?.tracks && !lit.tracks.has(track) ? NOTHING : (lit?.codes ?? null)
}

export function isLit(lit: Lit | null, track: number, code: number): boolean {
  const codes = litOnTrack(lit, track)
  return codes === null || codes[code] === 1
}
