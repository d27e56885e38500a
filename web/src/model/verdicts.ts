/** The verdicts of several ranks in the order in which they deserve a look, and what stands in large type. */

import { timeText } from './format.ts'

/** The verdicts, worst first; those that say the same stand together. */
export function inOrder<T extends { rank: number }>(answer: { verdicts: T[]; alike: number[][] }): T[] {
  const places = new Map(answer.alike.flat().map((rank, place) => [rank, place]))
  return [...answer.verdicts].sort((a, b) => (places.get(a.rank) ?? 0) - (places.get(b.rank) ?? 0))
}

/** Whether anything is known of the time of steps: not of a memory snapshot, of telemetry or of a foreign trace. */
export function isTimed(verdicts: { step_ns: number | null; compute_pct: number | null }[]): boolean {
  return verdicts.some((one) => one.step_ns !== null || one.compute_pct !== null)
}

/** The rank that one waits for, if that is its verdict. */
export function waitsFor(verdict: { sentences: { id: string; params: Record<string, unknown> }[] }): number | null {
  const rank = verdict.sentences.find((one) => one.id === 'verdict-waits-for')?.params['rank']
  return rank === undefined || rank === null || !Number.isInteger(Number(rank)) ? null : Number(rank)
}

/** A page, or a view of it, on which what a verdict says is to be seen. */
export interface Evidence {
  page: 'memory' | 'telemetry' | 'kernel_reports'
  tab: 'oom' | 'growth' | 'peak' | 'segments' | null
}

const TELEMETRY: Evidence = { page: 'telemetry', tab: null }
const EVIDENCE: readonly (readonly [sentence: string, evidence: Evidence])[] = [
  ['verdict-oom', { page: 'memory', tab: 'oom' }],
  ['verdict-memory-grows', { page: 'memory', tab: 'growth' }],
  ['verdict-memory-peak', { page: 'memory', tab: 'peak' }],
  ['verdict-memory-holes', { page: 'memory', tab: 'segments' }],
  ['verdict-kernel', { page: 'kernel_reports', tab: null }],
  ['verdict-telemetry', TELEMETRY],
  ['verdict-throttled', TELEMETRY],
]

/** Where the sentences of a verdict, by their ids, are to be seen: in their order, each place once. */
export function evidenceOf(sentences: readonly string[]): Evidence[] {
  const found = sentences.map((id) => EVIDENCE.find(([start]) => id.startsWith(start))?.[1])
  return [...new Set(found)].filter((one) => one !== undefined)
}

/** What a step's time is of which steps: mean or median, and the median beside a mean of steps that differ much. */
export function stepsTaken(
  one: { steps: number; averaged: 'mean' | 'median'; median_ns: number | null },
  text: {
    single: string
    mean: (steps: number) => string
    median: (steps: number) => string
    medianIs: (time: string) => string
  },
): string {
  if (one.steps <= 1) return text.single
  if (one.averaged === 'median') return text.median(one.steps)
  return one.median_ns === null
    ? text.mean(one.steps)
    : `${text.mean(one.steps)} · ${text.medianIs(timeText(one.median_ns))}`
}
