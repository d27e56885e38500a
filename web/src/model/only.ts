/** What everything is limited to: one role and its value, as the address has it: `operator:aten::mm`. */

import type { RowFilter } from './row_filter.ts'

export const ROLES = ['operator', 'kernel', 'module', 'source', 'stream', 'collective', 'kind'] as const
export type Role = (typeof ROLES)[number]

export interface Only {
  role: Role
  value: string
}

export function parsedOnly(text: string | undefined): Only | null {
  const at = text?.indexOf(':') ?? -1
  const role = ROLES.find((one) => one === text?.slice(0, at))
  const value = text?.slice(at + 1)
  return role && value ? { role, value } : null
}

export function onlyText({ role, value }: Only): string {
  return `${role}:${value}`
}

/** How a table is asked for rows of a role: its column, and the grouping or the source lines that have the column. */
interface Place {
  column: string
  by?: string
  source?: true
  /** Groupings that leave the column out. */
  without?: string
}

const PLACES: Record<Role, Record<string, Place>> = {
  operator: {
    operators: { column: 'name' },
    kernels: { column: 'op', by: 'op' },
    short_kernels: { column: 'op', by: 'op' },
    launches: { column: 'operator', by: 'operator' },
    sync: { column: 'operator', by: 'operator' },
    memory: { column: 'name' },
    memory_peak: { column: 'op', without: 'category' },
    memory_events: { column: 'op' },
    roofline: { column: 'op', without: 'kind' },
    sequences: { column: 'op' },
    fusion: { column: 'op' },
  },
  kernel: { kernels: { column: 'name' }, short_kernels: { column: 'name' } },
  module: { modules: { column: 'path' }, operators: { column: 'module', by: 'module' } },
  source: { operators: { column: 'source', source: true }, idle: { column: 'source', source: true } },
  stream: { idle: { column: 'stream', by: 'stream' }, queue_depth: { column: 'stream' } },
  collective: {
    communication: { column: 'op' },
    message_sizes: { column: 'op' },
    collectives: { column: 'op' },
  },
  kind: { kernels: { column: 'kind' }, roofline: { column: 'kind', without: 'op' } },
}

/** A question about a table, as far as a limit changes it. */
interface Question {
  table: string
  by?: string
  source?: boolean
  filter?: RowFilter
}

/** The question for the rows of a role only; null where the table has no such column, or not as it is grouped. */
export function limited<Q extends Question>(question: Q, { role, value }: Only): Q | null {
  const place = PLACES[role][question.table]
  if (!place || (question.by && (question.by === place.without || (place.by ?? question.by) !== question.by)))
    return null
  const equal = { ...question.filter?.equal, [place.column]: role === 'stream' ? Number(value) : value }
  return {
    ...question,
    ...(place.by ? { by: place.by } : {}),
    ...(place.source ? { source: true } : {}),
    filter: { ...question.filter, equal },
  }
}

/** The column of a table that names what a role is of. */
export const columnOf = (role: Role, table: string): string | undefined => PLACES[role][table]?.column

/** Columns that name what a row is, not what it belongs to. */
const OWN = ['name', 'path']

/** What a row of a table can limit everything to: first what it is, then what its other columns name. */
export function limitsOf(table: string, cell: (column: string) => unknown): Only[] {
  const found: (Only & { own: boolean })[] = []
  for (const role of ROLES) {
    const column = PLACES[role][table]?.column
    const value = column === undefined ? null : cell(column)
    if (value === null || value === undefined || value === '' || isPlaceholder(value)) continue
    found.push({ role, value: String(value), own: OWN.includes(column ?? '') })
  }
  return found.sort((a, b) => Number(b.own) - Number(a.own)).map(({ role, value }) => ({ role, value }))
}

/** `(unattributed)` and its like name nothing. */
const isPlaceholder = (value: unknown): boolean => typeof value === 'string' && value.startsWith('(')
