/** Events of a lane that the timeline draws as one, as the URL names them: `lane.first.count`. */

export interface Merged {
  lane: number
  /** Row of the first event in the lane. */
  first: number
  count: number
}

/** What a key says, or null when it says nothing of the kind. */
export function mergedOf(key: string): Merged | null {
  if (!/^\d+\.\d+\.\d+$/.test(key)) return null
  const [lane, first, count] = key.split('.').map(Number) as [number, number, number]
  return count > 0 ? { lane, first, count } : null
}
