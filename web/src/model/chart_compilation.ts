/** The table `compilations`: compile time by step, of compilations outside of steps by what stands before and behind. */

import type { BarChart, Tint } from './chart.ts'
import { cellsOf, type Columns, numberAt, numbersOf, rowCount, textsOf } from './columns_of.ts'
import { countText, timeText } from './format.ts'

/** Parts of a compilation, from its outside to its inside. */
export const COMPILE_PARTS = ['dynamo_ns', 'autograd_ns', 'inductor_ns', 'codegen_ns', 'kernels_ns'] as const

const TINTS: Record<(typeof COMPILE_PARTS)[number], Tint> = {
  dynamo_ns: { meaning: 'python' },
  autograd_ns: { meaning: 'annotation' },
  inductor_ns: { meaning: 'host', shade: 1 },
  codegen_ns: { meaning: 'host', shade: 6 },
  kernels_ns: { meaning: 'compute' },
}

export interface CompileChartWords {
  step: string
  function: string
  time: string
  outside: string
  undivided: string
  recompiles: string
  total: string
  parts: Record<(typeof COMPILE_PARTS)[number], string>
}

/** A bar for each step, or, where no step is known, for each function; what was not divided into parts is one. */
export function compileChart(table: Columns, words: CompileChartWords): BarChart {
  const steps = numbersOf(table, 'step')
  const bySteps = steps.some((step) => step !== null)
  const functions = textsOf(table, 'function')
  const key = (row: number) => (bySteps ? (steps[row] === null ? '' : String(steps[row])) : (functions[row] ?? ''))
  const groups = new Map<string, number[]>()
  for (let row = 0; row < rowCount(table); row++) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  const names = [...groups.keys()]
  if (bySteps) names.sort((a, b) => (a === '' ? -1 : b === '' ? 1 : Number(a) - Number(b)))
  const rowsOf = (name: string) => groups.get(name) ?? []
  const again = cellsOf(table, 'recompile')
  const summed = (name: string, value: (row: number) => number) =>
    rowsOf(name).reduce((sum, row) => sum + value(row), 0)
  const divided = (row: number) => COMPILE_PARTS.some((part) => numberAt(table, part, row) !== null)
  const parts = COMPILE_PARTS.map((part) => ({
    name: words.parts[part],
    tint: TINTS[part],
    stack: 'time',
    values: names.map((name) => summed(name, (row) => numberAt(table, part, row) ?? 0)),
  }))
  const rest = names.map((name) =>
    summed(name, (row) => (divided(row) ? 0 : (numberAt(table, 'duration_ns', row) ?? 0))),
  )
  const whole = { name: words.undivided, tint: { meaning: 'other' } as Tint, stack: 'time', values: rest }
  return {
    kind: 'bars',
    column: 'duration_ns',
    categories: names.map((name) => (bySteps && name === '' ? words.outside : name)),
    categoryTitle: bySteps ? words.step : words.function,
    valueTitle: words.time,
    horizontal: !bySteps,
    series: rest.some((value) => value > 0) ? [...parts, whole] : parts,
    rows: names.map((name) => rowsOf(name)[0] ?? null),
    details: (at) => {
      const count = rowsOf(names[at] ?? '').filter((row) => again[row] === true).length
      return count > 0 ? [[words.recompiles, countText(count)]] : []
    },
    total: words.total,
  }
}

export interface CompileTotals {
  count: number
  time: string
  recompiles: number
  recompileTime: string
  failed: number
}

/** What all compilations took, and those of functions that had been compiled before. */
export function compileTotals(table: Columns): CompileTotals {
  const [times, again] = [numbersOf(table, 'duration_ns'), cellsOf(table, 'recompile')]
  const ids = textsOf(table, 'compile_id')
  const outcomes = textsOf(table, 'outcome')
  const files = textsOf(table, 'file')
  const key = (row: number) => `${files[row] ?? ''} ${ids[row] ?? ''}`
  const recompiled = new Set(again.flatMap((one, row) => (one === true ? [key(row)] : [])))
  const sum = (keep: (row: number) => boolean) =>
    times.reduce<number>((total, time, row) => total + (keep(row) ? (time ?? 0) : 0), 0)
  return {
    count: rowCount(table),
    time: timeText(sum(() => true)),
    recompiles: recompiled.size,
    recompileTime: timeText(sum((row) => recompiled.has(key(row)))),
    failed: outcomes.filter((one) => one === 'failed').length,
  }
}
