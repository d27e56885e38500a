/** Questions that one change asks anew: their answers appear together, so that no page mixes figures of before and after. */

interface Round {
  /** How many are awaited that show an older answer meanwhile. */
  stale: number
  held: (() => void)[]
  /** Whether it took so long that each answer is shown as it comes. */
  late: boolean
}

/** A page that stood still for longer would seem not to have heard; what is still of before is marked. */
const LONGEST_MS = 10_000

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
  const round = (now ??= begun())
  let awaited = isStale
  if (isStale) round.stale += 1
  const leave = () => {
    if (awaited) round.stale -= 1
    awaited = false
    if (round.stale === 0 || round.late) release(round)
  }
  return {
    show: (answer) => {
      round.held.push(answer)
      leave()
    },
    leave,
  }
}

function begun(): Round {
  const round: Round = { stale: 0, held: [], late: false }
  queueMicrotask(() => (now = null))
  setTimeout(() => {
    round.late = true
    release(round)
  }, LONGEST_MS)
  return round
}

function release(round: Round) {
  for (const show of round.held.splice(0)) show()
}
