/** The table `job` in sentences: what the job's step takes against its ranks', and what its communication waits for. */

import { type Columns, numbersOf } from './columns_of.ts'
import { percentText, timeText } from './format.ts'

interface JobWords {
  jobStep: (job: string, best: string, bestTime: string, slowest: string, slowestTime: string) => string
  jobWaits: (exposed: string, waiting: string, transfer: string) => string
  jobWaitsFor: (rank: string, share: string) => string
  jobUnknown: (time: string) => string
}

/** Of the first row, the mean over steps; null where there is none. */
export function jobAnswer(job: Columns, words: JobWords): string | null {
  const at = (column: string) => numbersOf(job, column)[0] ?? null
  const [best, slowest] = [at('best_rank'), at('slowest_rank')]
  if (at('duration_ns') === null || best === null || slowest === null) return null
  const [step, least, most] = [at('duration_ns'), at('best_ns'), at('slowest_ns')].map(timeText)
  const told = [words.jobStep(step ?? '', `${best}`, least ?? '', `${slowest}`, most ?? '')]
  if (at('exposed_communication_ns')) {
    const [exposed, waiting, transfer] = ['communication', 'wait', 'transfer'].map((one) =>
      timeText(at(`exposed_${one}_ns`)),
    )
    told.push(words.jobWaits(exposed ?? '', waiting ?? '', transfer ?? ''))
    const [rank, share] = [at('waited_for'), at('waited_for_pct')]
    if (rank !== null && at('exposed_wait_ns')) told.push(words.jobWaitsFor(`${rank}`, percentText(share)))
    if (at('exposed_unmatched_ns')) told.push(words.jobUnknown(timeText(at('exposed_unmatched_ns'))))
  }
  return told.join('')
}
