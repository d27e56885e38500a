/** The occurrences of findings on a stage: asked for once, looked at one by one. */

import { untrack } from 'svelte'
import type { OccurrencesAnswer } from '../../api/timeline.ts'
import type { Cursor } from '../../canvas/cursor.svelte.ts'
import { stepAt } from '../../canvas/ruler.ts'
import type { Stage } from '../../canvas/stage.svelte.ts'
import {
  awaitNoOccurrences,
  chosenFinding,
  knowOccurrences,
  occurrenceAt,
  occurrences,
  occurrenceText,
  ofChosen,
  recommendationsShown,
} from '../../state/occurrences.svelte.ts'
import { travelled } from '../../state/route.svelte.ts'
import { numbered } from '../../state/steps.svelte.ts'
import { wantedRangeText } from '../../state/timeline.svelte.ts'
import { sentence, words } from '../../state/words.svelte.ts'
import { carry } from './range.svelte.ts'

/** Room on either side of an occurrence that is looked at, in shares of it. */
const ROOM = 0.33

/** Follow the address. Call it while a component is being made. */
export function followOccurrences(stage: Stage, cursor: Cursor): void {
  const shown = $derived(recommendationsShown())
  $effect(() => {
    Object.assign(occurrences, { answer: null, failure: null })
    if (!shown) return
    const abort = new AbortController()
    stage.api.occurrences(stage.run, abort.signal).then(
      (answer) => abort.signal.aborted || knowOccurrences(answer),
      (failure: unknown) => abort.signal.aborted || (occurrences.failure = failure),
    )
    return () => {
      abort.abort()
      awaitNoOccurrences()
    }
  })
  const looked = $derived(ofChosen()[occurrenceAt()] ?? -1)
  $effect(() => {
    const { answer } = occurrences
    const [chosen, at] = [chosenFinding(), looked]
    stage.occurrences = answer && { marks: answer.marks, chosen, at, caption: captionOf(stage, answer) }
    stage.changed()
  })
  const isReady = $derived(stage.still.width > 1)
  // What is chosen moves the view once: not where the address names a view already, as after a reload or on the way
  // back, and not again when the view rests.
  let seen = wantedRangeText() === '' ? '' : occurrenceText()
  $effect(() => {
    const [now, answer, at] = [occurrenceText(), occurrences.answer, looked]
    if (now === seen || (now !== '' && (!answer || !isReady))) return
    seen = now
    if (answer && at >= 0 && travelled.from === null) untrack(() => lookAt(stage, cursor, answer, at))
  })
}

function lookAt(stage: Stage, cursor: Cursor, { marks }: OccurrencesAnswer, at: number): void {
  const [start, end, lane] = [marks.start[at] as number, marks.end[at] as number, marks.lane[at] as number]
  if (lane >= 0)
    cursor.reveal({ lane, row: marks.row[at] as number, start, duration_ns: end - start, name: '' }, false, true)
  else cursor.showRank(marks.rank[at] as number)
  carry(stage, start, end, ROOM)
}

/**
 * "1 · occurrence 2 of 12 · rank 1 · step 3", of the chosen finding; "" without one. What the GPU does below a later step
 * of the ruler was launched in its step.
 */
export function captionOf(stage: Stage, answer: OccurrencesAnswer): string {
  const chosen = chosenFinding()
  const at = ofChosen()[occurrenceAt()]
  const finding = answer.findings[chosen]
  if (!finding || at === undefined) return ''
  const text = words().timeline.occurrences
  const manyRanks = new Set(answer.marks.rank).size > 1
  const { start, end } = answer.marks
  const step = numbered(answer.marks.step[at] ?? null)
  const above = stepAt(stage.steps, ((start[at] as number) + (end[at] as number)) / 2)
  return [
    `${chosen + 1}`,
    text.of(occurrenceAt() + 1, ofChosen().length, finding.of),
    manyRanks || finding.id === 'straggler' ? words().timeline.rank(answer.marks.rank[at] as number) : '',
    step === null ? '' : above && above.step !== step ? text.launchedIn(step) : `${words().timeline.step} ${step}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The chosen finding and its occurrence, to be read aloud. */
export function occurrenceSentence(stage: Stage): string {
  const { answer } = occurrences
  const finding = answer?.findings[chosenFinding()]
  return answer && finding ? `${sentence(finding.title)} ${captionOf(stage, answer)}` : ''
}
