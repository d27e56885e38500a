/** Without which table a page has nothing to show, and in which group of the rail it stands. */

export const PAGE_TABLES: Record<string, string> = {
  what_if: 'step_time',
  operators: 'operators',
  kernels: 'kernels',
  modules: 'modules',
  step_trace: 'step_trace',
  idle: 'idle',
  launches: 'launches',
  memory: 'memory',
  data_loading: 'data_loading',
  roofline: 'roofline',
  communication: 'communication',
}

export const RAIL_GROUPS = [
  ['verdict', 'what_if', 'timeline'],
  ['operators', 'kernels', 'modules'],
  ['step_trace', 'idle', 'launches', 'memory', 'data_loading', 'roofline', 'communication', 'ranks'],
  ['files', 'health', 'tables'],
] as const
