/** Running jobs, asked about once a second while somebody looks at them. */

import type { LiveJobs, LiveSteps } from '../api/live.ts'
import type { Failure } from '../api/types.ts'
import { api } from './app.svelte.ts'
import { failureOf } from './loaded.svelte.ts'

const POLL_MS = 1000

/**
 * The job that is looked at: the one that is named, else the one that was first when the page was opened. It is asked
 * about only while the page is visible. Make it while a component is being made.
 */
export class WatchedJob {
  list = $state.raw<LiveJobs | null>(null)
  /** As it was last seen. */
  job = $state.raw<LiveSteps | null>(null)
  /** It was there, and is no more. */
  ended = $state(false)
  error = $state.raw<Failure | null>(null)
  #first: string | null = null

  constructor(named: () => string | null, pid: () => number | null) {
    $effect(() => {
      const [wanted, process] = [named(), pid()]
      return repeated((signal) => this.#ask(wanted, process, signal))
    })
  }

  async #ask(wanted: string | null, process: number | null, signal: AbortSignal): Promise<void> {
    try {
      const found = await api.live(signal)
      this.#first ??= wanted === null ? (found.jobs[0]?.id ?? null) : null
      const id = wanted ?? this.#first ?? undefined
      const isThere = found.jobs.some((one) => one.id === id)
      const seen = id !== undefined && isThere ? await api.liveJob(id, process, signal) : null
      this.list = found
      this.error = null
      this.ended = this.job?.id === id && !isThere
      if (seen || this.job?.id !== id) this.job = seen
    } catch (failure) {
      if (!signal.aborted) this.error = failureOf(failure)
    }
  }
}

/** Ask, and again a while after each answer; returns what stops it. */
function repeated(ask: (signal: AbortSignal) => Promise<void>): () => void {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const again = async () => {
    if (!document.hidden) await ask(abort.signal)
    if (!abort.signal.aborted) timer = setTimeout(again, POLL_MS)
  }
  void again()
  return () => {
    abort.abort()
    clearTimeout(timer)
  }
}

const motion = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether pictures may move by themselves. */
export const movement = $state({ allowed: !motion.matches })
motion.addEventListener('change', () => (movement.allowed = !motion.matches))
