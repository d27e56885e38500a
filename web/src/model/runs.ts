/** The list of runs: as a table that filters understand, sorted, in groups by folder. */

import type { RunEntry, TableData } from '../api/types.ts'
import type { Cell } from './cells.ts'
import type { Meaning } from './colours.ts'
import type { Named } from './filtering.ts'
import type { RunSaving } from './run_summary.ts'

/** As much of a run as the list needs. */
export type ListedRun = Pick<
  RunEntry,
  | 'id'
  | 'name'
  | 'framework'
  | 'kind'
  | 'device'
  | 'ranks'
  | 'steps'
  | 'health'
  | 'created_s'
  | 'updated_s'
  | 'size_bytes'
  | 'state'
  | 'opens'
  | 'summary'
>

/** Columns of the list, in their order, and whether they are texts. */
const COLUMNS = {
  name: true,
  steps: false,
  step_ns: false,
  bottleneck: true,
  saving_pct: false,
  busy_pct: false,
  gpu: true,
  ranks: false,
  health: true,
  kind: true,
  framework: true,
  size_bytes: false,
  updated_s: false,
} as const

export type RunColumn = keyof typeof COLUMNS
export const RUN_COLUMNS = Object.keys(COLUMNS) as RunColumn[]
export const isText = (column: RunColumn) => COLUMNS[column]

const WIDEST: readonly RunColumn[] = ['kind', 'framework', 'size_bytes']
/** A narrow window leaves them to the page of the run. */
const ROOMY: readonly RunColumn[] = ['gpu', 'updated_s']

/** The class of a column that not every window has room for: the difference to a baseline takes that of the date. */
export function roomOf(column: RunColumn, versus: boolean): '' | 'roomy-only' | 'widest-only' {
  if (WIDEST.includes(column) || (versus && column === 'updated_s')) return 'widest-only'
  return ROOMY.includes(column) ? 'roomy-only' : ''
}

/** Whether a check of the recording failed, as of a file that was cut off: its figures may be of half of a step. */
export const isDamaged = (run: ListedRun): boolean => run.health === 'error'

/** What the first recommendation may save; null where there is none, or the recording is damaged. */
export const savingOf = (run: ListedRun): RunSaving | null => (isDamaged(run) ? null : (run.summary?.saving ?? null))

/** What a run has in a column; null where that is not known. */
export function valueOf(run: ListedRun, column: RunColumn): string | number | null {
  const { summary } = run
  switch (column) {
    case 'bottleneck':
      return summary?.bound ?? null
    case 'step_ns':
    case 'busy_pct':
      return summary?.[column] ?? null
    case 'ranks': // several ranks may lie in one file
      return run.ranks && Math.max(run.ranks, summary?.ranks ?? 0)
    case 'saving_pct':
      return savingOf(run)?.saving_pct ?? null
    case 'gpu':
      return run.device
    case 'framework':
      return run.framework || null
    default:
      return run[column]
  }
}

/** What texts of the columns may hold, for examples of filters. */
const EXAMPLES: Partial<Record<string, string>> = {
  bottleneck: 'host',
  gpu: 'H200',
  health: 'error',
  kind: 'trace',
  framework: 'PyTorch',
}

/** The runs as a table, so that the filter of tables is theirs: a text of it is the id, too, whose folders names lack. */
export function runTable(runs: ListedRun[], titles: Record<string, string>): { data: TableData; columns: Named[] } {
  const columns = [...RUN_COLUMNS, 'id' as const].map((name): Named => {
    const text = name === 'id' || isText(name)
    const example = EXAMPLES[name] ?? 'train'
    return { name, title: titles[name] ?? name, type: text ? 'text' : 'float', moment: false, description: '', example }
  })
  const cells = (name: RunColumn | 'id'): Cell[] =>
    runs.map((run) => (name === 'id' ? run.id : (valueOf(run, name) ?? (isText(name) ? '' : null))))
  const data = Object.fromEntries(columns.map(({ name }) => [name, cells(name as RunColumn | 'id')]))
  const none = { by: '', source: false, origin_ns: '0', notes: [], command: '' }
  return { data: { table: '', total: runs.length, columns, data, ...none }, columns }
}

/** Bottlenecks in their colours: those of what the step waits for. */
export const BOUND_COLOURS: Record<string, Meaning> = {
  gpu: 'compute',
  copies: 'memory',
  communication: 'communication',
  'data loading': 'data_loading',
  host: 'host',
  straggler: 'warning',
  unknown: 'idle',
}

/** `column` for the largest first, `-column` for the smallest first, as `--sort` has it. */
export interface RunSort {
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
  const smallest = now.column === column ? !now.smallest : isText(column) && column !== 'health'
  return `${smallest ? '-' : ''}${column}`
}

const HEALTH_ORDER = ['ok', 'warning', 'error']

function key(run: ListedRun, column: RunColumn): string | number | null {
  if (column === 'health') return run.health === null ? null : HEALTH_ORDER.indexOf(run.health)
  return valueOf(run, column)
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

/** The words of a name, each with the sign behind it: a line may end there. */
export function wordsOf(name: string): string[] {
  return name.match(/[^-_./]*[-_./]+|[^-_./]+$/g) ?? [name]
}

/** The folder of a run, relative to the one that is served; "" for that one itself. */
export function folderOf(id: string): string {
  const slash = id.lastIndexOf('/')
  return slash < 0 ? '' : id.slice(0, slash)
}

/** A run's name that says the end of its folder itself, as those of MindSpore do: the two parts, each said once. */
export function namedWithin(id: string, name: string): { before: string; short: string } {
  const [folder, own] = [folderOf(id), folderOf(name)]
  if (own === '' || !`/${folder}`.endsWith(`/${own}`)) return { before: folder, short: name }
  return { before: folder.slice(0, -own.length).replace(/\/$/, ''), short: name.slice(own.length + 1) }
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
export function besideRun<T extends Pick<ListedRun, 'id' | 'kind'>>(runs: T[], id: string): T[] {
  const folder = folderOf(id)
  return runs.filter((run) => run.kind !== 'trace' && (folderOf(run.id) === folder || run.id.startsWith(`${id}/`)))
}
