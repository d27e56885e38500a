/** The simulated step that the timeline shows: changes in the address; canvas, tip and dock read one answer. */

import type { NoSimulation, SimulatedAnswer } from '../api/simulated.ts'
import { changesIn, urlText } from '../model/what_if.ts'
import { api, runId } from './app.svelte.ts'
import { go, link, route } from './route.svelte.ts'
import { follow, selection, type Subject, subject } from './selection.svelte.ts'

class Shown {
  answer: SimulatedAnswer | NoSimulation | null = $state.raw(null)
  failure: unknown = $state.raw(null)
}

export const simulated = new Shown()

const SUBJECT: Subject = { kind: 'simulated', key: '' }

/** The changes whose step is shown, as the address has them; none where none is. */
export const simulatedChanges = (): string[] => (route.page === 'timeline' ? changesIn(route.params['sim']) : [])

export const simulatedShown = (): boolean => simulatedChanges().length > 0

/** The simulated step, where there is one. */
export function simulatedAnswer(): SimulatedAnswer | null {
  return simulated.answer?.state === 'ok' ? simulated.answer : null
}

/** The address of the timeline with the step after changes, of a rank where one is given. */
export function simulatedLink(changes: string[], rank: number | null = null): string {
  const of = rank === null ? {} : { rank: `${rank}` }
  return link('timeline', { ...of, sim: urlText(changes), sel: JSON.stringify([SUBJECT.kind, SUBJECT.key]) })
}

/** Turning it on or off is a step of history, as of every overlay. */
export function showSimulated(changes: string[]): void {
  follow(SUBJECT, 'timeline', { sim: urlText(changes) })
}

export function hideSimulated(): void {
  go('timeline', { sim: null, ...(subject()?.kind === SUBJECT.kind ? { sel: null } : {}) })
}

let asked = new AbortController()

/** Ask for the step as a view shows it. */
export function askSimulated(view: { start: number; end: number; width: number }): void {
  asked.abort()
  const { signal } = (asked = new AbortController())
  const window = { t0: view.start, t1: view.end, px: view.width }
  api.simulated(runId() ?? '', simulatedChanges(), window, selection(), signal).then(
    (answer) => Object.assign(simulated, { answer, failure: null }),
    (failure: unknown) => {
      if (!signal.aborted) Object.assign(simulated, { answer: null, failure })
    },
  )
}

export function forgetSimulated(): void {
  asked.abort()
  Object.assign(simulated, { answer: null, failure: null })
}
