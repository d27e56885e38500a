/** The answer to the changes chosen: asked for once the hand rests, one question at a time. */

import type { Failure, Selection, WhatIfAnswer } from '../api/types.ts'
import { OneAtATime } from '../model/one_at_a_time.ts'
import { api } from './app.svelte.ts'
import { failureOf, type Loaded } from './loaded.svelte.ts'

interface Question {
  run: string
  selection: Selection
  changes: string[]
}

/** A slider being moved asks when it has rested for so long. */
const PAUSE_MS = 200

/**
 * The answer stays until the next one is there. `question` returns null where nothing is changed. Has to be called
 * while a component is being made.
 */
export function whatIfAnswer(question: () => Question | null): Loaded<WhatIfAnswer> {
  let data = $state.raw<WhatIfAnswer | null>(null)
  let error = $state.raw<Failure | null>(null)
  let waiting = $state(false)
  /** What is wished now, as text: the answer to anything else comes too late. */
  let wished = ''
  const abort = new AbortController()
  const asking = new OneAtATime(async (asked: Question) => {
    let answer: WhatIfAnswer | null = null
    let failure: Failure | null = null
    try {
      answer = await api.whatIf(asked.run, asked.selection, asked.changes, abort.signal)
    } catch (found) {
      failure = failureOf(found)
    }
    if (abort.signal.aborted || JSON.stringify(asked) !== wished) return
    data = answer
    error = failure
    waiting = false
  }, PAUSE_MS)
  $effect(() => {
    const asked = question()
    wished = JSON.stringify(asked)
    waiting = asked !== null
    if (asked) return asking.want(asked)
    asking.forget()
    data = null
    error = null
  })
  $effect(() => () => {
    asking.forget()
    abort.abort()
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
