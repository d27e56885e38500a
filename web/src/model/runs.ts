/** The list of runs: filtered, sorted, in groups by folder. */

import { fuzzy } from './fuzzy.ts'

/** As much of a run as the list needs. */
export interface ListedRun {
  id: string
  name: string
  framework: string
  kind: string
  ranks: number | null
  steps: number | null
  health: string | null
  created_s: number | null
  updated_s: number
  size_bytes: number
}

export const RUN_COLUMNS = [
  'name',
  'framework',
  'ranks',
  'steps',
  'health',
  'created_s',
  'updated_s',
  'size_bytes',
] as const
export type RunColumn = (typeof RUN_COLUMNS)[number]

/** `column` for the largest first, `-column` for the smallest first, as `--sort` has it. */
interface RunSort {
  column: RunColumn
  smallest: boolean
}

export const NEWEST: RunSort = { column: 'updated_s', smallest: false }

export function parseRunSort(text: string | undefined): RunSort {
  const smallest = text?.startsWith('-') ?? false
  const column = RUN_COLUMNS.find((one) => one === text?.replace(/^-/, ''))
  return column ? { column, smallest } : NEWEST
}

/** The sort after a click on a heading: texts start with A, numbers with the largest, a second click turns it round. */
export function nextRunSort(now: RunSort, column: RunColumn): string {
  const smallest = now.column === column ? !now.smallest : column === 'name' || column === 'framework'
  return `${smallest ? '-' : ''}${column}`
}

const HEALTH_ORDER = ['ok', 'warning', 'error']

function key(run: ListedRun, column: RunColumn): string | number | null {
  if (column === 'health') return run.health === null ? null : HEALTH_ORDER.indexOf(run.health)
  return run[column]
}

/** Sorted; what is not known comes last either way, equal ones by name. */
export function sortRuns<T extends ListedRun>(runs: T[], { column, smallest }: RunSort): T[] {
  return [...runs].sort((a, b) => {
    const [one, other] = [key(a, column), key(b, column)]
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b)
    const order = typeof one === 'string' ? compareNames(one, String(other)) : one - Number(other)
    return (smallest ? order : -order) || byName(a, b)
  })
}

const collator = new Intl.Collator('en', { numeric: true })

function compareNames(one: string, other: string): number {
  return collator.compare(one, other)
}

function byName(a: ListedRun, b: ListedRun): number {
  return compareNames(a.id, b.id)
}

export function filterRuns<T extends ListedRun>(runs: T[], query: string): T[] {
  if (query.trim() === '') return runs
  const texts = runs.map((run) => `${run.id} ${run.name} ${run.framework} ${run.kind}`)
  const kept = new Set(fuzzy(texts, query, runs.length))
  return runs.filter((_, index) => kept.has(index))
}

/** The folder of a run, relative to the one that is served; "" for that one itself. */
export function folderOf(id: string): string {
  const slash = id.lastIndexOf('/')
  return slash < 0 ? '' : id.slice(0, slash)
}

/** Runs by folder, in the order in which the folders first appear. */
export function groupRuns<T extends ListedRun>(runs: T[]): { folder: string; runs: T[] }[] {
  const groups = new Map<string, T[]>()
  for (const run of runs) {
    const folder = folderOf(run.id)
    groups.set(folder, [...(groups.get(folder) ?? []), run])
  }
  return [...groups].map(([folder, members]) => ({ folder, runs: members }))
}

/** What lies beside a run: other kinds of files of its folder, or of the folder that it is. */
export function besideRun<T extends ListedRun>(runs: T[], id: string): T[] {
  const folder = folderOf(id)
  return runs.filter((run) => run.kind !== 'trace' && (folderOf(run.id) === folder || run.id.startsWith(`${id}/`)))
}
