/** Charts of how a job is split over ranks: sizes of messages, links, pipeline stages, experts. */

import type { BarChart } from './chart.ts'
import { type Columns, cellsOf, numbersOf, textsOf } from './columns_of.ts'
import { bytesText } from './format.ts'
import { emptyHeat, fillHeat, type Heat } from './heat.ts'
import { distinct } from './rank_matrix.ts'

interface SizeWords {
  size: string
  share: string
  calls: string
  transfer: string
  unknown: string
}

/** Classes of sizes, all operations together: share of the calls and of the time that transfers. */
export function sizeBars(table: Columns, words: SizeWords): BarChart {
  const from = numbersOf(table, 'from_bytes')
  const sizes = distinct(from)
  const classes: (number | null)[] = from.includes(null) ? [...sizes, null] : sizes
  const sums = (column: string) => {
    const values = numbersOf(table, column)
    return classes.map((one) =>
      from.reduce<number>((sum, size, row) => sum + (size === one ? (values[row] ?? 0) : 0), 0),
    )
  }
  return {
    kind: 'bars',
    column: 'share_pct',
    categories: classes.map((one) => (one === null ? words.unknown : bytesText(one))),
    categoryTitle: words.size,
    valueTitle: words.share,
    horizontal: false,
    series: [
      { name: words.calls, tint: { meaning: 'other' }, values: sums('calls_pct') },
      { name: words.transfer, tint: { meaning: 'communication' }, values: sums('transfer_pct') },
    ],
    rows: classes.map(() => null),
  }
}

/** Bandwidth from rank to rank: senders downwards, receivers to the right; of several kinds of calls the slowest. */
export function linkHeat(table: Columns): Heat {
  const [from, to] = [numbersOf(table, 'src'), numbersOf(table, 'dst')]
  const slowest = new Map<string, number>()
  numbersOf(table, 'bandwidth').forEach((value, row) => {
    const key = `${from[row]}.${to[row]}`
    if (value !== null) slowest.set(key, Math.min(value, slowest.get(key) ?? Infinity))
  })
  const ranks = distinct(from, to)
  const heat = emptyHeat(ranks, ranks)
  fillHeat(heat, from, to, from.map((_, row) => slowest.get(`${from[row]}.${to[row]}`) ?? null)) // prettier-ignore
  return heat
}

interface LoadWords {
  rank: string
  load: string
}

/** How much each rank of each group has to do, against the mean of its group. */
export function loadBars(table: Columns, words: LoadWords): BarChart {
  const [groups, ranks] = [textsOf(table, 'group'), cellsOf(table, 'rank')]
  const several = new Set(groups).size > 1
  return {
    kind: 'bars',
    column: 'load_pct',
    categories: ranks.map((rank, row) => (several ? `${groups[row]} · ${rank}` : `${rank}`)),
    categoryTitle: words.rank,
    valueTitle: words.load,
    horizontal: false,
    series: [{ name: words.load, tint: { meaning: 'compute' }, values: numbersOf(table, 'load_pct') }],
    rows: ranks.map((_, row) => row),
  }
}
