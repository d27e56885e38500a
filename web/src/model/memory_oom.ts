/** The table `memory_oom`: what the device was full of when memory ran out, as the parts of a bar to scale. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'

interface OomPart {
  key: string
  from: number
  bytes: number
}

export interface Oom {
  row: number
  at: number | null
  requested: number
  allocated: number
  reserved: number
  /** Free on the device, as the driver said. */
  free: number | null
  holes: number | null
  largest: number | null
  limit: [low: number, high: number] | null
  reason: string
  evict: number | null
  evictBlocks: number
  source: string
}

export function oomsOf(table: Columns, rows: number[]): Oom[] {
  const of = (column: string) => numbersOf(table, column)
  const [at, requested, allocated, reserved] = [
    of('at_ns'),
    of('requested_bytes'),
    of('allocated_bytes'),
    of('reserved_bytes'),
  ]
  const [free, holes, largest] = [of('free_bytes'), of('hole_bytes'), of('largest_free_bytes')]
  const [low, high] = [of('limit_bytes'), of('limit_below_bytes')]
  const [evict, evictBlocks] = [of('evict_bytes'), of('evict_blocks')]
  const [reasons, sources] = [textsOf(table, 'reason'), textsOf(table, 'source')]
  return rows.map((row) => {
    const [least, below] = [low[row] ?? null, high[row] ?? null]
    return {
      row,
      at: at[row] ?? null,
      requested: requested[row] ?? 0,
      allocated: allocated[row] ?? 0,
      reserved: reserved[row] ?? 0,
      free: free[row] ?? null,
      holes: holes[row] ?? null,
      largest: largest[row] ?? null,
      limit: least === null || below === null ? null : [least, below],
      reason: reasons[row] ?? '',
      evict: evict[row] ?? null,
      evictBlocks: evictBlocks[row] ?? 0,
      source: sources[row] ?? '',
    }
  })
}

export interface OomBar {
  /** From the left: categories, what is reserved and not allocated, then what is not the process's. */
  parts: OomPart[]
  /** Where the request would have gone. */
  request: OomPart
  /** Where the bar ends, bytes. */
  end: number
}

/**
 * The bar: allocated by category, the rest of what is reserved, and, where no limit was set, what others hold and what is
 * free. Behind a limit the device's free memory says nothing, and may be a hundred times as long.
 *
 * The request begins where what it could have used begins: at the free pieces where these are enough, else behind what was
 * reserved.
 */
export function barOf(one: Oom, categories: { category: string; bytes: number }[], capacity: number | null): OomBar {
  const parts: OomPart[] = []
  const add = (key: string, bytes: number) => {
    const from = parts.reduce((sum, part) => sum + part.bytes, 0)
    if (bytes > 0) parts.push({ key, from, bytes })
  }
  const known = categories.reduce((sum, part) => sum + part.bytes, 0)
  for (const { category, bytes } of categories) add(category, bytes)
  // Categories are as large as what was asked for, what is allocated is rounded up.
  add('unknown', one.allocated - known)
  const unused = Math.max(0, one.reserved - Math.max(one.allocated, known))
  const holes = Math.min(unused, one.holes ?? 0)
  add('holes', holes)
  add('unused', unused - holes)
  if (one.limit === null) {
    if (capacity !== null && one.free !== null) add('others', capacity - one.reserved - one.free)
    add('free', one.free ?? 0)
  }
  const own = one.reason === 'fragmentation' ? Math.max(one.allocated, known) : Math.max(one.reserved, known)
  const request = { key: 'asked', from: own, bytes: one.requested }
  const last = parts.at(-1)
  const end = Math.max(request.from + request.bytes, last ? last.from + last.bytes : 0, one.limit?.[1] ?? 0)
  return { parts, request, end }
}
