/** Events of a lane that the timeline draws as one, as the URL names them: `lane.first.count`. */

export interface MergedCells {
  lane: number
  /** Row of the first event in the lane. */
  first: number
  count: number
}

/** What a key says, or null when it says nothing of the kind. */
export function mergedCells(key: string): MergedCells | null {
  if (!/^\d+\.\d+\.\d+$/.test(key)) return null
  const [lane, first, count] = key.split('.').map(Number) as [number, number, number]
  return count > 0 ? { lane, first, count } : null
}
