/** Kernel reports of two runs as one: those of the other are named with their run, so that no two are called alike. */

import type { TableData } from '../api/types.ts'
import { textsOf } from './columns_of.ts'
import { keyParts, type ProfiledKernel } from './kernel_report.ts'

const prefix = (run: string) => `${run} › `

/** Where a report lies as people read it: that of a run of one file is the run. */
export function reportText(report: string): string {
  const [run, name] = report.split(' › ')
  return run && name && run.endsWith(name) ? run : report
}

/** A table of kernel reports with that of another run below it; its own rows keep their places. */
export function joined(own: TableData, other: TableData, run: string): TableData {
  const reports = textsOf(other, 'report').map((report) => prefix(run) + report)
  const data = Object.fromEntries(
    Object.entries(own.data).map(([column, cells]) => {
      const more = column === 'report' ? reports : (other.data[column] ?? reports.map(() => null))
      return [column, [...cells, ...more]]
    }),
  )
  const messages = Object.fromEntries(
    [...new Set([...Object.keys(own.messages ?? {}), ...Object.keys(other.messages ?? {})])].map((column) => [
      column,
      { ...other.messages?.[column], ...own.messages?.[column] },
    ]),
  )
  return { ...own, data, messages }
}

/** Whether a kernel of such a table is of the other run. */
export const isIn = (key: string, run: string | null): boolean =>
  run !== null && keyParts(key).report.startsWith(prefix(run))

/** Rank, report and number of a kernel as its own run has them. */
export function partsIn(key: string, run: string | null): { rank: number; report: string; id: number } {
  const parts = keyParts(key)
  const of = run === null ? '' : prefix(run)
  return { ...parts, report: parts.report.startsWith(of) ? parts.report.slice(of.length) : parts.report }
}

/** The kernel of another run that is the same: of this name with its parameters, else of its short name. */
export function sameKernel<T extends ProfiledKernel>(kernel: ProfiledKernel, others: T[]): T | null {
  return others.find((one) => one.full === kernel.full) ?? others.find((one) => one.name === kernel.name) ?? null
}
