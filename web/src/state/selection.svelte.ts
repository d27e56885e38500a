/** Ranks and steps that the whole app follows, and what the dock shows. Both live in the URL. */

import type { Selection } from '../api/types.ts'
import { type Changes, go, goOn, type Page, route } from './route.svelte.ts'

/** Ranks and steps chosen. */
export function selection(): Selection {
  const { rank, step } = route.params
  const ranks = rank ? rank.split(',').map(Number).filter(Number.isInteger) : null
  const ends = step ? step.split(':').map(Number) : []
  const first = ends[0]
  const last = ends[1] ?? first
  const known = first !== undefined && last !== undefined && Number.isInteger(first) && Number.isInteger(last)
  return { ranks: ranks?.length ? ranks : null, steps: known ? [first, last] : null }
}

/** What of the selection the run does not have at all, or null. */
export function wrongSelection(
  ranks: number[],
  steps: { first: number; last: number } | null,
): 'ranks' | 'steps' | null {
  const chosen = selection()
  if (chosen.ranks && !chosen.ranks.every((rank) => ranks.includes(rank))) return 'ranks'
  if (!chosen.steps || !steps) return null
  const [first, last] = chosen.steps
  return first > last || last < steps.first || first > steps.last ? 'steps' : null
}

/** Steps as the URL has them. */
export function stepsText([first, last]: readonly [number, number]): string {
  return first === last ? `${first}` : `${first}:${last}`
}

/** Ranks as the URL has them, each once. */
export function listed(ranks: number[]): string {
  return [...new Set(ranks)].sort((a, b) => a - b).join(',')
}

/** Choose steps; `byKey`, as while it is held, all of them are one entry of the history. */
export function selectSteps(steps: [number, number] | null, { byKey = false } = {}): void {
  const text = steps && stepsText(steps)
  if (text === (route.params['step'] ?? null)) return
  if (byKey) goOn('steps', { step: text })
  else go(route.page, { step: text })
}

/** Choose one step, or all again where it is the one chosen. */
export function toggleStep(step: number): void {
  const now = selection().steps
  selectSteps(now?.[0] === step && now[1] === step ? null : [step, step])
}

export function selectRanks(ranks: number[] | null): void {
  go(route.page, { rank: ranks?.join(',') ?? null })
}

/**
 * What the dock shows: an event of the timeline (`key` = `lane.row`), an area (`t0.t1`), a merged cell
 * (`lane.first.count`), the critical path, the simulated step, a finding's card (`key` = its id), or a row of a table by its name (`key` = the name; `table` says of which).
 */
export interface Subject {
  kind: 'event' | 'cell' | 'area' | 'row' | 'path' | 'simulated' | 'finding'
  key: string
  table?: string
  by?: string
}

export function subject(): Subject | null {
  const text = route.params['sel']
  if (!text) return null
  try {
    const [kind, key, table, by] = JSON.parse(text) as [Subject['kind'], string, string?, string?]
    return { kind, key, ...(table ? { table } : {}), ...(by ? { by } : {}) }
  } catch {
    return null
  }
}

function subjectText(chosen: Subject | null): string | null {
  return chosen && JSON.stringify([chosen.kind, chosen.key, chosen.table, chosen.by].filter((one) => one !== undefined))
}

/** Show something in the dock; null closes it. A cursor that walks is one entry of the history. */
export function select(chosen: Subject | null, { walks = false, also = {} as Changes } = {}): void {
  const changes = { ...also, sel: subjectText(chosen) }
  if (walks) goOn('walk', changes)
  else go(route.page, changes, 'walk')
}

/** Show something that what is shown leads to; the back button returns. */
export function follow(chosen: Subject, page: Page = route.page, changes: Changes = {}): void {
  go(page, { ...changes, sel: subjectText(chosen) })
}
