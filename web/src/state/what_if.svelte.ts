/** The answer to the changes chosen: asked for once the hand rests, one question at a time. */

import { untrack } from 'svelte'
import type { Selection, WhatIfAnswer } from '../api/types.ts'
import { SerialRequests } from '../model/serial_requests.ts'
import { api } from './app.svelte.ts'
import { failureOf, type Loaded } from './loaded.svelte.ts'

interface Question {
  run: string
  selection: Selection
  changes: string[]
}

const NOTHING: Loaded<WhatIfAnswer> = { data: null, error: null, waiting: false }

/** A slider being moved asks when it has rested for so long. */
const PAUSE_MS = 200

/**
 * The answer stays until the next one is there. `question` returns null where nothing is changed. Has to be called
 * while a component is being made.
 */
export function whatIfAnswer(question: () => Question | null): Loaded<WhatIfAnswer> {
  let now = $state.raw<Loaded<WhatIfAnswer>>(NOTHING)
  /** What is wished now, as text: the answer to anything else comes too late. */
  let wished = ''
  const abort = new AbortController()
  const requests = new SerialRequests(async (asked: Question) => {
    const next = await answered(asked, abort.signal)
    if (!abort.signal.aborted && JSON.stringify(asked) === wished) now = next
  }, PAUSE_MS)
  $effect(() => {
    const asked = question()
    wished = JSON.stringify(asked)
    if (asked) requests.want(asked)
    else requests.forget()
    now = asked ? { ...untrack(() => now), waiting: true } : NOTHING
  })
  $effect(() => () => {
    requests.forget()
    abort.abort()
  })
  return {
    get data() {
      return now.data
    },
    get error() {
      return now.error
    },
    get waiting() {
      return now.waiting
    },
  }
}

async function answered(asked: Question, signal: AbortSignal): Promise<Loaded<WhatIfAnswer>> {
  try {
    return { ...NOTHING, data: await api.whatIf(asked.run, asked.selection, asked.changes, signal) }
  } catch (found) {
    return { ...NOTHING, error: failureOf(found) }
  }
}
