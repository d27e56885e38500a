/** The few figures below a verdict: of the job, or of a rank; none that is nothing by construction. */

import type { JobFigures, Said, Verdict } from '../../api/types.ts'
import type { Words } from '../../i18n/en.ts'
import { percentText, timeText } from '../../model/format.ts'
import { stepsTaken } from '../../model/verdicts.ts'

type Texts = Pick<Words, 'verdictJob' | 'verdict'>

export interface Figure {
  value: string
  label: string
  notes?: (string | null)[]
  means?: string
}

/** A smaller share of a step is not worth a figure. */
const LEAST_PCT = 1

/** Figures of the job, each with whose it is. `every`: steps are selected, which these figures do not follow. */
export function figuresOfJob(job: JobFigures, words: Texts, every = false): Figure[] {
  const text = words.verdictJob.figures
  const found: Figure[] = [
    {
      value: timeText(job.step_ns),
      label: text.jobStep,
      notes: [text.recorded, every ? text.allSteps : text.longestRank],
    },
  ]
  if (job.straggler !== null) {
    const notes = [text.delayOf(`${job.straggler}`, percentText(job.delay_pct))]
    found.push({ value: timeText(job.delay_ns), label: text.delay, notes })
  } else if (job.wait_pct >= LEAST_PCT) {
    found.push({ value: percentText(job.wait_pct), label: text.waiting, notes: [text.ofJob, text.meanOfRanks] })
  }
  if (job.transfer_pct >= LEAST_PCT) {
    found.push({ value: percentText(job.transfer_pct), label: text.transfer, notes: [text.ofJob, text.meanOfRanks] })
  }
  const shares = job.ranks.map((one) => one.computing_pct)
  const spread = text.spread(percentText(Math.min(...shares)), percentText(Math.max(...shares)))
  found.push({ value: percentText(job.computing_pct), label: text.computing, notes: [spread] })
  if (job.without_ns) {
    const [low, best, high] = job.without_ns
    const notes = [text.simulatedRange(timeText(low), timeText(high))]
    found.push({ value: `~${timeText(best)}`, label: text.without, notes })
  }
  return found
}

/** Figures of one rank; `named`: it is one of several, so every label says which. */
export function figuresOfRank(one: Verdict, words: Texts, named: boolean): Figure[] {
  const [text, means] = [words.verdictJob.figures, words.verdict.means]
  const found: Figure[] = [
    { value: timeText(one.step_ns), label: text.step, notes: [stepsTaken(one, words.verdict)], means: text.longerSide },
  ]
  if (one.sentences.some((said) => said.id === 'verdict-cpu-ahead')) found[0]?.notes?.push(text.gpuClock)
  if (one.unprofiled_ns) {
    const [low, best, high] = one.unprofiled_ns
    const notes = [text.range(timeText(low), timeText(high))]
    const said = one.sentences.find(({ id }) => id === 'verdict-step-time')
    if (said?.params['is_same']) found[0]?.notes?.push(text.sameUnprofiled)
    else found.push({ value: `~${timeText(best)}`, label: text.unprofiled, notes })
  }
  const shares: [number | null, string, string][] = [
    [one.gpu_busy_pct, text.busy, means.busy],
    [one.compute_pct, text.computing, means.compute],
    [one.exposed_pct, text.exposed, means.exposed],
  ]
  for (const [share, label, says] of shares) {
    if (share) found.push({ value: percentText(share), label, notes: [text.ofStep], means: says })
  }
  if (one.gpu_busy_pct === null) found.push(...partsOfCpu(one.sentences, words))
  return named ? found.map((figure) => ({ ...figure, label: text.ofRank(figure.label, one.rank) })) : found
}

/** The largest parts of a step without GPU work. */
function partsOfCpu(sentences: Said[], words: Texts): Figure[] {
  const text = words.verdictJob.figures
  const parts = sentences.find((one) => one.id === 'verdict-cpu-time')?.params['parts']
  if (!Array.isArray(parts)) return []
  return (parts as Said[]).slice(0, 2).flatMap((part) => {
    const [label, share] = [text.parts[part.id], part.params['share_pct']]
    if (label === undefined || typeof share !== 'number') return []
    return [{ value: percentText(share), label, notes: [text.onCpu] }]
  })
}
