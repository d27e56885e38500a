/** Where the rows of tables are on the timeline. */

import type { TableData } from '../api/types.ts'
import { rangeText } from '../model/ranges.ts'
import { keyColumns } from '../model/rows.ts'
import { TABLE_FACTS } from '../model/table_facts.ts'
import { api, run, runId } from './app.svelte.ts'
import { showOnTimeline } from './places.ts'
import { go, route } from './route.svelte.ts'
import { listed, stepsText } from './selection.svelte.ts'
import { say } from './toast.svelte.ts'
import { words } from './words.svelte.ts'

/** Goes there, or says why it cannot. */
type Way = (none: string) => void

/** The way to the longest event of a name; null for tables whose rows are no events. */
export function placeOf(table: string, name: string): Way | null {
  const kind = TABLE_FACTS[table]?.place
  return kind ? longestOf(kind, name) : null
}

/** The way to the longest event of a kind and name. */
export function longestOf(kind: string, name: string): Way | null {
  const run = runId()
  return run === null ? null : (none) => void first(run, kind, name, none)
}

/** What the timeline calls the kinds of the table `instances`. */
const KINDS: Record<string, string> = { memcpy: 'kernel', memset: 'kernel' }

/** The way to an instance of a name; null for rows of other tables. */
export function instanceOf(data: TableData, row: number): Way | null {
  const run = runId()
  if (data.table !== 'instances' || run === null) return null
  const [kind, name, start] = ['kind', 'name', 'start_ns'].map((column) => data.data[column]?.[row])
  const otherwise = windowOf(data, row)
  return (none) => void first(run, KINDS[String(kind)] ?? String(kind), String(name), none, Number(start), otherwise)
}

/** The first question about a timeline waits until it is made; that is said when it takes longer than a moment. */
const SOON_MS = 300

async function first(
  run: string,
  kind: string,
  name: string,
  none: string,
  at?: number,
  otherwise?: Way | null,
): Promise<void> {
  const before = location.hash
  const waiting = setTimeout(() => say(words().details.looking), SOON_MS)
  const { places } = await api.places(run, kind, name, 1, at).catch(() => ({ places: [] }))
  clearTimeout(waiting)
  // Whoever has gone elsewhere meanwhile is not called back.
  if (location.hash !== before) return
  const [place] = places
  if (place) showOnTimeline(place)
  else if (otherwise) otherwise(none)
  else say(none)
}

/** The way to the time that a row covers; null where it has none. */
export function windowOf(data: TableData, row: number): Way | null {
  const at = (name: string) => {
    const value = data.data[name]?.[row]
    return typeof value === 'number' ? value : null
  }
  const start = at('start_ns') ?? at('at_ns')
  if (start === null) return null
  const length = Math.max(at('duration_ns') ?? 0, 1000)
  return () => go('timeline', { t: rangeText(Math.max(0, Math.floor(start - length)), Math.ceil(start + 2 * length)) })
}

/** Columns that name a row by what can be selected everywhere. */
const SELECTED = new Set(['rank', 'for_rank', 'step'])

/** For a row that is named by ranks and a step alone: what selects these. */
export function selectionOf(data: TableData, row: number): { title: string; apply: () => void } | null {
  const keys = keyColumns(data)
  if (!keys.every((one) => SELECTED.has(one))) return null
  const numbers = (names: string[]) =>
    names.map((name) => data.data[name]?.[row]).filter((one): one is number => typeof one === 'number')
  const several = (run()?.ranks.length ?? 0) > 1
  const ranks = several ? listed(numbers(['rank', 'for_rank'])) : ''
  const [step] = numbers(['step'])
  if (!ranks && step === undefined) return null
  const { strip, dock } = words()
  const named = ranks ? ranks.split(',').map(strip.rank) : []
  if (step !== undefined) named.push(strip.steps(`${step}`, `${step}`))
  const changes = {
    ...(ranks ? { rank: ranks } : {}),
    ...(step === undefined ? {} : { step: stepsText([step, step]) }),
  }
  return { title: dock.filterToPlace(named.join(', ')), apply: () => go(route.page, changes) }
}
