/** Values of counters as text, in the unit that the counter has. */

import { words } from '../../state/words.svelte.ts'
import { bytesText, countText, flopsText, percentText, rateText } from '../../model/format.ts'

/** Units that take a prefix: 1.98 GHz, not 1.98 G Hz. */
const PREFIXED = new Set(['Hz', 'W', 'J', 'B/s'])

export function counterText(value: number, unit: string | null): string {
  if (unit === 'bytes' || unit === 'B') return bytesText(value)
  if (unit === '%' || unit === 'pct') return percentText(value)
  if (unit && PREFIXED.has(unit)) return rateText(value, unit)
  const number = Number.isInteger(value) && Math.abs(value) < 1e5 ? countText(value) : flopsText(value)
  if (!unit || unit === 'count') return number.trim()
  return words().timeline.units[unit]?.(number.trim()) ?? `${number.trim()} ${unit}`
}
