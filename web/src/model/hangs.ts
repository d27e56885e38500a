/** Collectives that did not end: each hang, and where the ranks are, those in one place together. */

import type { Said, TableData } from '../api/types.ts'
import { numberAt, numbersOf, rowCount, textsOf } from './columns_of.ts'
import { runsText } from './ranges.ts'
import { saidAt } from './said.ts'

type Table = Pick<TableData, 'data' | 'messages'>

export interface Hang {
  row: number
  cause: string
  /** Its missing ranks wait in another hang. */
  follows: boolean
  finding: Said | null
  advice: Said | null
  ranks: number | null
  entered: number | null
  completed: number | null
  waited_ns: number | null
  timeout_ns: number | null
  source: string
  stack: string
}

/** The hangs in the table's order: what the others follow from is first. One circle of waiting ranks is one hang. */
export function hangsOf(table: Table): Hang[] {
  const [causes, sources, stacks, findings] = ['cause', 'source', 'stack', 'finding'].map((one) => textsOf(table, one))
  const seen = new Set<string>()
  const found: Hang[] = []
  for (let row = 0; row < rowCount(table); row++) {
    const said = findings?.[row] ?? ''
    if (seen.has(said)) continue
    seen.add(said)
    found.push({
      row,
      cause: causes?.[row] ?? '',
      follows: table.data['follows']?.[row] === true,
      finding: saidAt(table, 'finding', row),
      advice: saidAt(table, 'advice', row),
      ranks: numberAt(table, 'ranks', row),
      entered: numberAt(table, 'entered', row),
      completed: numberAt(table, 'completed', row),
      waited_ns: numberAt(table, 'waited_ns', row),
      timeout_ns: numberAt(table, 'timeout_ns', row),
      source: sources?.[row] ?? '',
      stack: stacks?.[row] ?? '',
    })
  }
  return found
}

export interface Place {
  key: string
  /** Ranks as a text: 0-2, 5. */
  ranks: string
  state: string
  collective: string
  sequence: number | null
  group: string
  source: string
  stack: string
}

const ORDER = ['behind', 'waits', 'completed']

const WORTH = ['waits', 'behind', 'completed']

/**
 * Where ranks called the collective that they wait in; of those that wait in none where they are behind, else their
 * last one: equal ones together, those behind first.
 */
export function placesOf(table: Table): Place[] {
  const [states, collectives, groups, descriptions, sources, stacks] = [
    'state',
    'collective',
    'group',
    'description',
    'source',
    'stack',
  ].map((one) => textsOf(table, one))
  const [ranks, sequences] = [numbersOf(table, 'rank'), numbersOf(table, 'sequence')]
  const worth = (row: number) => WORTH.indexOf(states?.[row] ?? '')
  const best = new Map<number | null, number>()
  ranks.forEach((rank, row) => best.set(rank, Math.min(worth(row), best.get(rank) ?? WORTH.length)))
  const found = new Map<string, { place: Place; ranks: number[] }>()
  for (let row = 0; row < rowCount(table); row++) {
    if (worth(row) !== best.get(ranks[row] ?? null)) continue
    const place = {
      state: states?.[row] ?? '',
      collective: collectives?.[row] ?? '',
      sequence: sequences[row] ?? null,
      group: descriptions?.[row] || groups?.[row] || '',
      source: sources?.[row] ?? '',
      stack: stacks?.[row] ?? '',
    }
    const key = JSON.stringify([...Object.values(place), groups?.[row]])
    const known = found.get(key) ?? { place: { ...place, key, ranks: '' }, ranks: [] }
    known.ranks.push(ranks[row] ?? 0)
    found.set(key, known)
  }
  const places = [...found.values()].map(({ place, ranks: own }) => ({ ...place, ranks: runsText(own) }))
  return ORDER.flatMap((state) => places.filter((one) => one.state === state))
}
