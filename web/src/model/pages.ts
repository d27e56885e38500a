/** Without which table a page has nothing to show (the first of its tables, if not said otherwise), and in which group of the rail it stands. */

import { TABLE_FACTS } from './table_facts.ts'

const shown = Object.entries(TABLE_FACTS).filter(([, facts]) => facts.page !== 'tables')

export const PAGE_TABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(shown.reverse().map(([table, facts]) => [facts.page, table])),
  instances: 'durations',
  // Of snapshots and of traces.
  memory: 'memory_timeline',
  telemetry: 'telemetry',
  // It calculates with steps and shows no table.
  what_if: 'step_time',
}

/** Pages that are about no run. */
export const WORKSPACE_GROUPS = [
  { label: null, pages: ['runs', 'compare', 'history', 'ledger', 'record', 'live'] },
] as const

/** The pages that a run is looked at with first have no label above them. */
export const RAIL_GROUPS = [
  { label: null, pages: ['hangs', 'verdict', 'timeline', 'what_if'] },
  { label: 'step', pages: ['step_trace', 'idle', 'launches', 'data_loading', 'communication', 'ranks'] },
  { label: 'work', pages: ['operators', 'kernels', 'modules', 'flame_graph', 'instances', 'roofline', 'compilation'] },
  { label: 'hardware', pages: ['memory', 'telemetry', 'run_collectives', 'kernel_reports'] },
  { label: 'run', pages: ['recordings', 'health', 'tables'] },
] as const
