/** The list of runs, kept up to date while somebody looks at it. */

import { ApiError } from '../api/api.ts'
import type { Failure, RunList } from '../api/types.ts'
import { api } from './app.svelte.ts'

const POLL_MS = 3000

interface Watched {
  readonly list: RunList | null
  readonly error: Failure | null
  /** Runs that came while one was looking. */
  readonly fresh: ReadonlySet<string>
}

/** Ask for the runs again and again, only while the page is visible. Call it while a component is being made. */
export function watchRuns(): Watched {
  let list = $state.raw<RunList | null>(null)
  let error = $state.raw<Failure | null>(null)
  let fresh = $state.raw<ReadonlySet<string>>(new Set())

  async function ask(): Promise<void> {
    try {
      const answer = await api.runs(list?.version)
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
      if (!stopped) timer = setTimeout(again, POLL_MS)
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

function arrived(before: RunList, now: RunList, known: ReadonlySet<string>): ReadonlySet<string> {
  const old = new Set(before.runs.map((run) => run.id))
  return new Set([...known, ...now.runs.map((run) => run.id).filter((id) => !old.has(id))])
}
