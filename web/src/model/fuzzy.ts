/** Fuzzy search in a list of texts, best first. */

import uFuzzy from '@leeoniya/ufuzzy'

/** Out-of-order terms are found too, up to this many. */
const TERMS = 4
const matcher = new uFuzzy({ intraMode: 1, intraIns: 1 })

/** Indices of the texts that match, best first, at most `most`; all in their order for an empty query. */
export function fuzzy(texts: string[], query: string, most: number): number[] {
  const wanted = query.trim()
  if (wanted === '') return texts.slice(0, most).map((_, index) => index)
  // The matcher knows Latin letters only; other writing is searched for as it stands.
  if (!/^[\x20-\x7e]*$/.test(wanted)) return containing(texts, wanted, most)
  const [found, , order] = matcher.search(texts, wanted, TERMS, 1e5)
  if (!found) return containing(texts, wanted, most)
  const ranked = order ? order.map((index) => found[index] ?? 0) : found
  return ranked.length ? ranked.slice(0, most) : containing(texts, wanted, most)
}

function containing(texts: string[], wanted: string, most: number): number[] {
  const low = wanted.toLowerCase()
  const found: number[] = []
  for (let index = 0; index < texts.length && found.length < most; index++)
    if (texts[index]?.toLowerCase().includes(low)) found.push(index)
  return found
}

/** Found texts in their order, but first those that are the query, then those that begin with it, as they are listed. */
export function closestFirst(found: number[], texts: string[], query: string): number[] {
  const wanted = query.trim().toLowerCase()
  const far = (index: number) => {
    const text = texts[index]?.toLowerCase() ?? ''
    return text === wanted ? 0 : text.startsWith(wanted) ? 1 : 2
  }
  return [...found].sort((a, b) => far(a) - far(b) || (far(a) < 2 ? a - b : 0))
}
