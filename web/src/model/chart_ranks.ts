/** Ranks as stacked bars: what each GPU did from its first activity to its last. */

import type { BarChart } from './chart.ts'
import type { Meaning } from './colours.ts'
import { type Columns, numbersOf } from './columns_of.ts'

/** Columns of the table `summary` that add up to the span. */
const SPAN_PARTS: { column: string; meaning: Meaning }[] = [
  { column: 'compute_ns', meaning: 'compute' },
  { column: 'exposed_communication_ns', meaning: 'communication' },
  { column: 'exposed_memory_ns', meaning: 'memory' },
  { column: 'idle_ns', meaning: 'idle' },
]

interface RankWords {
  rank: string
  time: string
  total: string
  parts: Record<string, string>
}

export function rankChart(summary: Columns, words: RankWords): BarChart {
  const ranks = numbersOf(summary, 'rank')
  return {
    kind: 'bars',
    column: 'span_ns',
    categories: ranks.map((rank) => `${rank ?? ''}`),
    categoryTitle: words.rank,
    valueTitle: words.time,
    horizontal: false,
    series: SPAN_PARTS.map(({ column, meaning }) => ({
      name: words.parts[meaning] ?? meaning,
      tint: { meaning },
      stack: 'span',
      values: numbersOf(summary, column),
    })),
    rows: ranks.map((_, row) => row),
    total: words.total,
  }
}
