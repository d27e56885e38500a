/** Two profiled kernels side by side: how much more or less one has. */

import { fixedText } from './format.ts'

const LARGEST = 1000

/** A difference in per cent of the other: `▲ 12.5 %`, `▼ 3.0 %`; beyond ten times as a factor; "" where it says nothing. */
export function moreText(more: number | null): string {
  if (more === null || !Number.isFinite(more)) return ''
  if (Math.abs(more) < 0.05) return '='
  if (more >= LARGEST) return `▲ ${fixedText(more / 100 + 1, 0)}×`
  return `${more > 0 ? '▲' : '▼'} ${fixedText(Math.abs(more), 1)} %`
}

/** How much more a value is than another, per cent of that one; null where that says nothing. */
export function moreThan(value: number | null, other: number | null): number | null {
  return value === null || !other ? null : 100 * (value / other - 1)
}
