/** The table `kernel_occupancy_curve`: how many warps an SM would hold of one kernel, were its launch different. */

import { type Columns, cellsOf, numbersOf, textsOf } from './columns_of.ts'

export interface OccupancyCurve {
  parameter: string
  /** From each setting on so many warps, up to the next. */
  steps: { setting: number; warps: number }[]
  /** The step that the launch lies in. */
  present: number | null
  /** Of what takes room: below which setting more warps fit, and how many; null where none do. */
  better: { below: number; warps: number } | null
}

/** What makes room as it becomes smaller. */
const TAKES_ROOM = new Set(['registers', 'shared_mem'])

/** The curves of a kernel, each by its settings. */
export function occupancyCurves(table: Columns, rows: number[]): OccupancyCurve[] {
  const [parameters, settings, warps] = [
    textsOf(table, 'parameter'),
    numbersOf(table, 'setting'),
    numbersOf(table, 'warps'),
  ]
  const present = cellsOf(table, 'present')
  return [...new Set(rows.map((row) => parameters[row] ?? ''))].map((parameter) => {
    const own = rows.filter((row) => parameters[row] === parameter)
    const steps = own.map((row) => ({ setting: settings[row] ?? 0, warps: warps[row] ?? 0 }))
    const at = own.findIndex((row) => present[row] === true)
    const [before, here] = [steps[at - 1], steps[at]]
    const better =
      before && here && before.warps > here.warps && TAKES_ROOM.has(parameter)
        ? { below: here.setting, warps: before.warps }
        : null
    return { parameter, steps, present: at < 0 ? null : at, better }
  })
}

/** A curve as a line within a box: settings to the right, warps upwards; its last step is as long as the box allows. */
export function curvePath(curve: OccupancyCurve, most: number, width: number, height: number): string {
  const x = (setting: number) => ((setting / endOf(curve)) * width).toFixed(1)
  const y = (warps: number) => (height - (warps / Math.max(1, most)) * height).toFixed(1)
  const parts = curve.steps.map(
    (one, i) =>
      `${i === 0 ? 'M' : 'H'}${i === 0 ? `${x(one.setting)} ` : x(one.setting)}${i === 0 ? '' : 'V'}${y(one.warps)}`,
  )
  return `${parts.join('')}H${width}`
}

/** Where the axis of settings ends: a little behind the last step. */
export function endOf(curve: OccupancyCurve): number {
  return Math.max(1, Math.ceil((curve.steps.at(-1)?.setting ?? 0) * 1.1))
}
