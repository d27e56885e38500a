/** Findings on the timeline: whether they are shown, which is chosen, and which of its occurrences. All in the URL. */

import type { EventRow, OccurrencesAnswer } from '../api/timeline.ts'
import { isWithinStep, urlText } from '../model/what_if.ts'
import { change, go, link, route } from './route.svelte.ts'
import { simulatedChanges } from './simulated.svelte.ts'
import { subject } from './selection.svelte.ts'
import { say } from './toast.svelte.ts'
import { words } from './words.svelte.ts'

class Known {
  answer: OccurrencesAnswer | null = $state.raw(null)
  failure: unknown = $state.raw(null)
}

/** What was answered for the run that the timeline shows. */
export const occurrences = new Known()

const wanted = (): string => (route.page === 'timeline' ? (route.params['rec'] ?? '') : '')

export const recommendationsShown = (): boolean => wanted() !== ''

/** The finding that an event is an occurrence of, as far as they are known; those worth fixing first come first. */
export function findingOf({ lane, row }: EventRow): OccurrencesAnswer['findings'][number] | null {
  const { answer } = occurrences
  if (!answer) return null
  const { marks, findings } = answer
  const found = marks.finding.filter((_, i) => marks.lane[i] === lane && marks.row[i] === row)
  return found.length > 0 ? (findings[Math.min(...found)] ?? null) : null
}

/** Place of the chosen finding in the list; -1 for none. */
export function chosenFinding(): number {
  return occurrences.answer?.findings.findIndex((one) => one.id === wanted()) ?? -1
}

/** Places of the chosen finding's occurrences, in order of time. */
export function ofChosen(): number[] {
  const chosen = chosenFinding()
  return occurrences.answer?.marks.finding.flatMap((one, at) => (one === chosen ? [at] : [])) ?? []
}

/** Which of them is looked at, counted from 0. */
export function occurrenceAt(): number {
  const many = ofChosen().length
  const number = Number(route.params['occ'] ?? 1)
  return many > 0 && Number.isInteger(number) ? Math.min(Math.max(number, 1), many) - 1 : -1
}

/** The finding and the occurrence that the address names, as one text; "" where none are shown. */
export const occurrenceText = (): string => (recommendationsShown() ? `${wanted()} ${route.params['occ'] ?? ''}` : '')

/** The address of a finding's first occurrence, its card beside it. */
export const findingLink = (id: string): string =>
  link('timeline', { rec: id, occ: null, sel: JSON.stringify(['finding', id]) })

/** Where the dock shows a finding's card, it goes with what it is of. */
const withoutCard = () => (subject()?.kind === 'finding' ? { sel: null } : {})

/** Show all findings, or none; a step of history, as every overlay. */
export function toggleRecommendations(): void {
  go('timeline', recommendationsShown() ? { rec: null, occ: null, ...withoutCard() } : { rec: '*' })
}

/** The place in the list that was chosen before the list was known, and how to go there then. */
let awaited: { at: number; by: typeof change } | null = null

/** Choose a finding by its place in the list; the one chosen is let go. Where none are shown, all come with it. */
export function chooseFinding(at: number): void {
  const { answer } = occurrences
  if (!answer) {
    awaited = { at, by: recommendationsShown() ? (awaited?.by ?? goThere) : change }
    if (!recommendationsShown()) go('timeline', { rec: '*' })
  } else choose(answer, at, goThere)
}

const goThere: typeof change = (changes) => go('timeline', changes)

function choose({ findings }: OccurrencesAnswer, at: number, by: typeof change): void {
  const one = findings[at]
  if (!one) return say(words().timeline.occurrences.fewer(findings.length))
  if (at === chosenFinding()) return by({ rec: '*', occ: null, ...withoutCard() })
  by({ rec: one.id, occ: null, ...withoutCard(), ...withItsFix(findings, one.what_if) })
}

/** Where the fix of a finding is simulated, that of the one chosen is from then on; none where it cannot be. */
function withItsFix(findings: OccurrencesAnswer['findings'], fix: string): Record<string, string | null> {
  const [now, ...more] = simulatedChanges()
  if (more.length > 0 || !findings.some(({ what_if }) => what_if !== '' && what_if === now)) return {}
  if (isWithinStep(fix)) return { sim: urlText([fix]) }
  return { sim: null, ...(subject()?.kind === 'simulated' ? { sel: null } : {}) }
}

/** They are no longer waited for: nor is what was chosen meanwhile. */
export function awaitNoOccurrences(): void {
  awaited = null
}

/** They came: what was chosen while they were on their way takes effect. */
export function knowOccurrences(answer: OccurrencesAnswer): void {
  Object.assign(occurrences, { answer, failure: null })
  const wanted = awaited
  awaited = null
  if (wanted) choose(answer, wanted.at, wanted.by)
}

/** On to the next occurrence of the chosen finding, or back, round and round; false where none is chosen. */
export function toOccurrence(direction: 1 | -1): boolean {
  const many = ofChosen().length
  if (many === 0) return false
  go('timeline', { occ: `${((occurrenceAt() + direction + many) % many) + 1}` })
  return true
}

/** Let go of the chosen finding, else of all; false where none is shown. */
export function leaveRecommendations(): boolean {
  if (!recommendationsShown()) return false
  go('timeline', { rec: chosenFinding() >= 0 ? '*' : null, occ: null, ...withoutCard() })
  return true
}
