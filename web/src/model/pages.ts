/** Without which table a page has nothing to show, and in which group of the rail it stands. */

import { TABLE_FACTS } from './table_facts.ts'

const shown = Object.entries(TABLE_FACTS).filter(([, facts]) => facts.page !== 'tables')

export const PAGE_TABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(shown.map(([table, facts]) => [facts.page, table])),
  // It calculates with steps and shows no table.
  what_if: 'step_time',
}

export const RAIL_GROUPS = [
  ['verdict', 'what_if', 'timeline'],
  ['operators', 'kernels', 'modules'],
  ['step_trace', 'idle', 'launches', 'memory', 'data_loading', 'roofline', 'communication', 'ranks'],
  ['files', 'health', 'tables'],
] as const
