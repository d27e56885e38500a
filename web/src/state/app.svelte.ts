/** The run that is open, and whom the app asks about it. */

import { type Api, ApiError } from '../api/api.ts'
import { embeddedApi } from '../api/embedded.ts'
import { ServerApi } from '../api/server.ts'
import type { ReadyRun, RunAnswer } from '../api/types.ts'
import { route } from './route.svelte.ts'

export const api: Api = embeddedApi() ?? new ServerApi()

/** The only run that a report holds. */
const REPORT_RUN = 'report'

interface Opened {
  id: string | null
  /** Null until the first answer. */
  answer: RunAnswer | null
}

/** The run that the URL names, as far as it is opened. */
export const opened: Opened = $state({ id: null, answer: null })

/** The id of the run that the URL names. */
export function runId(): string | null {
  return api.mode === 'report' ? REPORT_RUN : (route.params['run'] ?? null)
}

/** The open run, or null while it is being read or cannot be. */
export function run(): ReadyRun | null {
  return opened.answer?.state === 'ready' ? opened.answer : null
}

const POLL_MS = 250

/** Open the run that the URL names; asks until it is read. Returns what stops the asking. */
export function openRun(id: string): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  opened.id = id
  opened.answer = null
  const ask = async () => {
    const answer = await answered(id)
    if (stopped) return
    opened.answer = answer
    if (answer.state === 'reading') timer = setTimeout(ask, POLL_MS)
  }
  void ask()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

async function answered(id: string): Promise<RunAnswer> {
  try {
    return await api.run(id)
  } catch (error) {
    if (error instanceof ApiError) return { state: 'error', error: error.failure }
    throw error
  }
}
