/** Something asked for, that is asked anew whenever what it depends on changes. */

import { untrack } from 'svelte'
import { ApiError } from '../api/api.ts'
import type { Failure } from '../api/types.ts'
import { askTogether } from './together.ts'

export interface Loaded<T> {
  /** The newest answer; stays while the next one is awaited. */
  readonly data: T | null
  readonly error: Failure | null
  readonly waiting: boolean
}

type Ask<T> = (signal: AbortSignal) => Promise<T>

/**
 * Ask, and ask again when a rune that `question` reads changes. `question` returns null when there is nothing to ask.
 * Has to be called while a component is being made.
 */
export function loaded<T>(question: () => Ask<T> | null): Loaded<T> {
  // Raw: an answer may hold a table of 300,000 rows, which nobody changes.
  let data = $state.raw<T | null>(null)
  let error = $state.raw<Failure | null>(null)
  let waiting = $state(false)
  $effect(() => {
    const ask = question()
    if (!ask) return
    const abort = new AbortController()
    waiting = true
    const place = askTogether(untrack(() => data !== null || error !== null))
    const ended = (answer: T | null, failure: Failure | null) =>
      place.show(() => {
        if (abort.signal.aborted) return
        data = answer
        error = failure
        waiting = false
      })
    ask(abort.signal).then(
      (answer) => ended(answer, null),
      (failure: unknown) => ended(null, failureOf(failure)),
    )
    return () => {
      abort.abort()
      place.leave()
    }
  })
  return {
    get data() {
      return data
    },
    get error() {
      return error
    },
    get waiting() {
      return waiting
    },
  }
}

/** The same, but nothing of it before another answer is there: without that it would be of something else. */
export function onceThere<T>(other: Loaded<unknown>, one: Loaded<T>): Loaded<T> {
  return {
    get data() {
      return other.data === null && other.error === null ? null : one.data
    },
    get error() {
      return one.error
    },
    get waiting() {
      return one.waiting
    },
  }
}

/** What to show of something that failed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure
  return {
    tried: 'the page failed',
    found: error instanceof Error ? error.message : String(error),
    advice: 'Reload it.',
  }
}
