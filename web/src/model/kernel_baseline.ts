/** Two profiled kernels side by side: what both have, and how much more or less one has. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'
import { fixedText } from './format.ts'

const LARGEST = 1000

/** A difference in per cent of the other: `▲ 12.5 %`, `▼ 100 %`; beyond ten times as a factor; "" where it says nothing. */
export function moreText(more: number | null): string {
  if (more === null || !Number.isFinite(more)) return ''
  if (Math.abs(more) < 0.05) return '='
  if (more >= LARGEST) return `▲ ${fixedText(more / 100 + 1, 0)}×`
  const size = Math.abs(more)
  return `${more > 0 ? '▲' : '▼'} ${fixedText(size, size < 99.95 ? 1 : 0)} %`
}

/** How much more a value is than another, per cent of that one; 0 of none at all in both, null where that says nothing. */
export function moreThan(value: number | null, other: number | null): number | null {
  if (value === null || other === null) return null
  return value === other ? 0 : other === 0 ? null : 100 * (value / other - 1)
}

/** What a table names for a kernel, for the baseline, or for both. */
export interface Beside {
  name: string
  /** Rows of the table; null where that kernel has none. */
  row: number | null
  baseRow: number | null
  value: number | null
  base: number | null
}

/**
 * A value of both kernels by name: those of the kernel in their order, then those of the baseline alone. Of more than
 * `most` those are kept that come first in either, however much smaller its values are.
 */
export function beside(
  table: Columns,
  [name, value]: [name: string, value: string],
  rows: number[],
  baseRows: number[],
  most = Infinity,
): Beside[] {
  const [names, values] = [textsOf(table, name), numbersOf(table, value)]
  const at = (row: number | undefined) => (row === undefined ? null : (values[row] ?? null))
  const named = (all: number[]) => new Map(all.map((row) => [names[row] ?? '', row]))
  const [own, other] = [named(rows), named(baseRows)]
  const found = [...new Set([...own.keys(), ...other.keys()])].map((one): Beside => {
    const [row, baseRow] = [own.get(one), other.get(one)]
    return { name: one, row: row ?? null, baseRow: baseRow ?? null, value: at(row), base: at(baseRow) }
  })
  const place = (of: 'value' | 'base') => {
    const order = found.filter((one) => one[of] !== null).sort((a, b) => (b[of] ?? 0) - (a[of] ?? 0))
    return new Map(order.map((one, at) => [one, at]))
  }
  const [first, second] = [place('value'), place('base')]
  const best = (one: Beside) => Math.min(first.get(one) ?? Infinity, second.get(one) ?? Infinity)
  const kept = new Set(found.toSorted((a, b) => best(a) - best(b)).slice(0, most))
  return found.filter((one) => kept.has(one))
}
