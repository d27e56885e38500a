/** The tables of kernel reports: which kernels were profiled, and the rows of one of them. */

import type { TableData } from '../api/types.ts'
import { type Columns, cellsOf, numbersOf, textsOf } from './columns_of.ts'
import { foldName } from './kernel_names.ts'
import type { ValueWords } from './value_words.ts'

export interface ProfiledKernel {
  /** Names it in the address. */
  key: string
  row: number
  name: string
  full: string
  duration_ns: number | null
  /** Of all profiled kernels together. */
  share_pct: number | null
  bottleneck: string
  /** Whether it is several kernels that were measured together. */
  range: boolean
}

const keyAt = (table: Columns, row: number): string =>
  ['rank', 'report', 'id'].map((column) => String(cellsOf(table, column)[row] ?? '')).join('|')

/** What names a kernel: rank, report, number. */
export function keyParts(key: string): { rank: number; report: string; id: number } {
  const parts = key.split('|')
  return { rank: Number(parts[0]), report: parts.slice(1, -1).join('|'), id: Number(parts.at(-1)) }
}

/** The kernels of the table `kernel_reports`, the longest first. */
export function profiledKernels(table: TableData): ProfiledKernel[] {
  const [names, kinds, times, bottlenecks] = [
    textsOf(table, 'name'),
    textsOf(table, 'kind'),
    numbersOf(table, 'duration_ns'),
    textsOf(table, 'bottleneck'),
  ]
  const total = times.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return names
    .map((full, row) => {
      const duration = times[row] ?? null
      return {
        key: keyAt(table, row),
        row,
        name: foldName(full).replace(/(?<=.)\([^()]*\)$/, ''),
        full,
        duration_ns: duration,
        share_pct: duration === null || total === 0 ? null : (100 * duration) / total,
        bottleneck: bottlenecks[row] ?? '',
        range: kinds[row] === 'range',
      }
    })
    .sort((a, b) => (b.duration_ns ?? -1) - (a.duration_ns ?? -1) || a.row - b.row)
}

/** With names that tell them apart: of those of one name also the report and the number in it. */
export function labelled(kernels: ProfiledKernel[]): (ProfiledKernel & { label: string })[] {
  const count = (name: string) => kernels.filter((one) => one.name === name).length
  return kernels.map((one) => {
    const [, report, id] = one.key.split('|')
    return { ...one, label: count(one.name) > 1 ? `${one.name} · ${report} · ${id}` : one.name }
  })
}

/** Rows of a table of kernel reports that are of one kernel. */
export function rowsOfKernel(table: Columns, key: string): number[] {
  return textsOf(table, 'report').flatMap((_, row) => (keyAt(table, row) === key ? [row] : []))
}

/** Words of the page that the cells of its tables show, too. */
export function kernelValues(words: {
  bottlenecks: Record<string, string>
  roofline: { levels: Record<string, string> }
  memory: { units: Record<string, string>; links: Record<string, string> }
  occupancy: { limits: Record<string, string> }
  curves: { parameters: Record<string, string> }
}): ValueWords {
  const { units, links } = words.memory
  return {
    bottleneck: words.bottlenecks,
    level: words.roofline.levels,
    limit: words.occupancy.limits,
    parameter: words.curves.parameters,
    link: links,
    from_unit: units,
    to_unit: units,
  }
}
