/** Where a table stands in the app, and how its filter names a row. */

import type { Changes, Page } from '../../state/route.svelte.ts'

const PAGES: Record<string, Page> = {
  operators: 'operators',
  kernels: 'kernels',
  modules: 'modules',
  idle: 'idle',
  launches: 'launches',
  memory: 'memory',
  roofline: 'roofline',
  step_trace: 'step_trace',
  data_loading: 'data_loading',
}

/** The page that shows a table. */
export function pageOf(table: string): Page {
  return PAGES[table] ?? 'tables'
}

/** What limits a table to a name: its filter, in the URL of its page. */
export function filterTo(table: string, by: string, name: string): Changes {
  const sign = name.includes('"') ? "'" : '"'
  const changes: Changes = { [`${table}.q`]: `name = ${sign}${name}${sign}` }
  if (by) changes[`${table}.by`] = by
  if (pageOf(table) === 'tables') changes['table'] = table
  return changes
}
