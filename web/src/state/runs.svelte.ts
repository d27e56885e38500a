/** The list of runs, kept up to date while somebody looks at it. */

import { ApiError } from '../api/api.ts'
import type { Failure, RunEntry, RunList } from '../api/types.ts'
import { api } from './app.svelte.ts'

const POLL_MS = 3000
/** While runs are being read, so that a line fills soon after. */
const POLL_READING_MS = 1000

interface Watched {
  readonly list: RunList | null
  readonly error: Failure | null
  /** Runs that came while one was looking. */
  readonly fresh: ReadonlySet<string>
}

/**
 * Ask for the runs again and again, only while the page is visible. Call it while a component is being made.
 *
 * `first` names the unread runs in sight, which are read in the background first; null to have none read.
 */
export function watchRuns(first: () => string[] | null): Watched {
  let list = $state.raw<RunList | null>(null)
  let error = $state.raw<Failure | null>(null)
  let fresh = $state.raw<ReadonlySet<string>>(new Set())

  async function ask(): Promise<void> {
    try {
      const answer = await api.runs(list?.version, first())
      error = null
      if (!answer) return
      if (list) fresh = arrived(list, answer, fresh)
      list = answer
    } catch (failure) {
      error = failure instanceof ApiError ? failure.failure : null
    }
  }

  $effect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let stopped = false
    const again = async () => {
      if (!document.hidden) await ask()
      const reading = list?.runs.some((run) => run.state === 'reading' || (run.state === 'ready' && awaited(run)))
      if (!stopped) timer = setTimeout(again, reading ? POLL_READING_MS : POLL_MS)
    }
    void again()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  })
  return {
    get list() {
      return list
    },
    get error() {
      return error
    },
    get fresh() {
      return fresh
    },
  }
}

/** Whether the figures of a run are still to come. */
export function awaited(run: RunEntry): boolean {
  return run.opens && !run.summary && !run.reason
}

function arrived(before: RunList, now: RunList, known: ReadonlySet<string>): ReadonlySet<string> {
  const old = new Set(before.runs.map((run) => run.id))
  return new Set([...known, ...now.runs.map((run) => run.id).filter((id) => !old.has(id))])
}
