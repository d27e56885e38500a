/** How the step of a run differs from that of another one, the baseline of the list. */

import { isDamaged, type ListedRun } from './runs.ts'

/** Why two runs have no difference: what is not alike, or missing. */
export type Apart = 'damaged' | 'device' | 'framework' | 'ranks' | 'options' | 'steps'

interface Difference {
  by_ns: number
  /** Of the baseline's step; below 0 where the run is faster. */
  pct: number
  /** Whether every step of one run is longer than all of the other; "single": of one of them there is one step only. */
  steps: 'apart' | 'overlap' | 'single'
}

/** Null where a run was not read yet. */
export function versus(base: ListedRun, run: ListedRun): Difference | Apart | null {
  if (!base.summary || !run.summary) return null
  if (isDamaged(base) || isDamaged(run)) return 'damaged'
  for (const what of ['device', 'framework', 'ranks'] as const) if (base[what] !== run[what]) return what
  // Recorded times hold what the profiler costs.
  const [asked, also] = [base.summary.options, run.summary.options]
  if (asked && also && asked.join() !== also.join()) return 'options'
  const [before, after] = [base.summary.step_ns, run.summary.step_ns]
  if (!before || !after || base.summary.unmarked || run.summary.unmarked) return 'steps'
  return { by_ns: after - before, pct: (100 * (after - before)) / before, steps: compared(steps(base), steps(run)) }
}

/** The shortest and the longest whole step; null of fewer than two. */
function steps({ summary }: ListedRun): readonly [number, number] | null {
  const strip = summary?.strip
  const whole = strip?.first.flatMap((_, bar) => (strip.cut[bar] ? [] : [bar])) ?? []
  if (!strip || whole.length < 2) return null
  const of = (column: readonly number[]) => whole.map((bar) => column[bar] ?? NaN)
  return [Math.min(...of(strip.total)), Math.max(...of(strip.most))]
}

function compared(one: readonly [number, number] | null, other: typeof one): Difference['steps'] {
  if (!one || !other) return 'single'
  return one[1] < other[0] || other[1] < one[0] ? 'apart' : 'overlap'
}

/** The ids of runs that an address names; none of what is no list of them. */
export function parsedIds(text: string | undefined): string[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) && found.every((one) => typeof one === 'string') ? found : []
  } catch {
    return []
  }
}

/** Both sides of a comparison: the baseline and the one that is selected beside it, else two, the older one first. */
export function sidesOfPair<T extends ListedRun>(selected: T[], base: T | null): { base: string; new: string } | null {
  const others = selected.filter((one) => one !== base).sort((a, b) => a.updated_s - b.updated_s)
  const [first, next, ...more] = base && others.length === 1 ? [base, ...others] : others
  return first && next && more.length === 0 ? { base: first.id, new: next.id } : null
}
