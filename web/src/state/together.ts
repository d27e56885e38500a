/** Questions that one change asks anew: their answers appear together, so that no page mixes figures of before and after. */

interface Round {
  /** How many are awaited that show an older answer meanwhile. */
  stale: number
  held: (() => void)[]
}

let now: Round | null = null

/** One question of the round that is being asked. */
export interface Place {
  /** Show the answer, now or with the others of the round. */
  show: (answer: () => void) => void
  /** It is not awaited any more. */
  leave: () => void
}

/** Effects of one change run in one task, and so do these questions. What shows nothing yet keeps nobody waiting. */
export function askTogether(isStale: boolean): Place {
  if (!now) {
    now = { stale: 0, held: [] }
    queueMicrotask(() => (now = null))
  }
  const round = now
  let awaited = isStale
  if (isStale) round.stale += 1
  const leave = () => {
    if (awaited) round.stale -= 1
    awaited = false
    if (round.stale === 0) for (const show of round.held.splice(0)) show()
  }
  return {
    show: (answer) => {
      round.held.push(answer)
      leave()
    },
    leave,
  }
}
