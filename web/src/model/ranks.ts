/** Ranks as people write them: `0-3, 8`. */

/** The ranks that a text names, of those that exist; null when it names none or is no list of ranks. */
export function parseRanks(text: string, all: number[]): number[] | null {
  const wanted = new Set<number>()
  for (const part of text.split(/[\s,;，；]+/).filter(Boolean)) {
    const ends = /^(\d+)(?:[-:–](\d+))?$/.exec(part)
    if (!ends) return null
    const [first, last] = [Number(ends[1]), Number(ends[2] ?? ends[1])]
    for (const rank of all) if (rank >= first && rank <= last) wanted.add(rank)
  }
  return wanted.size ? all.filter((rank) => wanted.has(rank)) : null
}
