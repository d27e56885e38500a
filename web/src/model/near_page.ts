/** The page that an address may have meant. */

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The page one of whose names is the nearest to what was written; null where none is near. */
export function nearPage<P extends string>(written: string, names: readonly (readonly [P, string])[]): P | null {
  const wanted = plain(written)
  let best: { page: P; off: number } | null = null
  for (const [page, name] of names) {
    const known = plain(name)
    const off = wanted.length >= 3 && known.startsWith(wanted) ? 1 : distance(wanted, known)
    if (off <= Math.max(1, known.length / 3) && off < (best?.off ?? Infinity)) best = { page, off }
  }
  return best?.page ?? null
}

/** How many letters have to be put in, taken out or replaced to make one text of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (before[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = row
  }
  return before[other.length] ?? 0
}
