/** The table `kernel_occupancy_curve`: how many warps an SM would hold of one kernel, were its launch different. */

import { type Columns, cellsOf, numbersOf, textsOf } from './columns_of.ts'

export interface OccupancyCurve {
  parameter: string
  /** From each setting on so many warps, up to the next. */
  steps: { setting: number; warps: number }[]
  /** The step that the launch lies in. */
  present: number | null
  /** Warps that an SM holds of any kernel; 0 where that is not known. */
  capacity: number
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
  const shares = numbersOf(table, 'occupancy_pct')
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
    const capacity = Math.round(Math.max(0, ...own.map((row) => (100 * (warps[row] ?? 0)) / (shares[row] || Infinity))))
    return { parameter, steps, present: at < 0 ? null : at, capacity, better }
  })
}

/** A curve as a line within a box: settings to the right up to `end`, warps upwards; its last step goes on to the end. */
export function curvePath(curve: OccupancyCurve, end: number, most: number, width: number, height: number): string {
  const x = (setting: number) => ((setting / end) * width).toFixed(1)
  const y = (warps: number) => (height - (warps / Math.max(1, most)) * height).toFixed(1)
  const parts = curve.steps.map((one, i) =>
    i === 0 ? `M${x(one.setting)} ${y(one.warps)}` : `H${x(one.setting)}V${y(one.warps)}`,
  )
  return `${parts.join('')}H${width}`
}

/** What a thread and a block may have at most on every GPU of NVIDIA since Kepler. */
const ENDS: Record<string, number> = { registers: 255, block_size: 1024 }
const [KIB, FEW] = [1024, 8]

/** Where the axis of settings ends: at the most that a launch may have, of shared memory at a round size behind all steps. */
export function endOf(...curves: OccupancyCurve[]): number {
  const last = Math.max(1, ...curves.map((one) => one.steps.at(-1)?.setting ?? 0))
  const end = ENDS[curves[0]?.parameter ?? '']
  if (end !== undefined && last <= end) return end
  // In eighths of the next power of two: 17 KiB end at 20, 49 at 56.
  const unit = KIB * Math.max(1, 2 ** Math.ceil(Math.log2(last / KIB)) / FEW)
  return Math.ceil(last / unit) * unit
}

/** Warps that the SM holds at most, which a curve may not reach. */
export function capacityOf(...curves: OccupancyCurve[]): number {
  return Math.max(1, ...curves.flatMap((one) => [one.capacity, ...one.steps.map((step) => step.warps)]))
}

/** Where on the axis a launch lies: at its setting, else in the middle of its step; null where no step is its. */
export function launchOf(curve: OccupancyCurve, setting: number | null, end: number): number | null {
  const here = curve.steps[curve.present ?? -1]
  if (!here) return null
  const until = curve.steps[(curve.present ?? -1) + 1]?.setting ?? end
  const known = setting !== null && setting >= here.setting && setting <= until
  return known ? setting : (here.setting + until) / 2
}
