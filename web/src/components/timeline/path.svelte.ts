/** The critical path on a stage: asked for as the view changes, and in words. */

import { untrack } from 'svelte'
import type { PathAnswer } from '../../api/timeline.ts'
import type { Stage } from '../../canvas/stage.svelte.ts'
import { percentText, timeText } from '../../model/format.ts'
import { api } from '../../state/app.svelte.ts'
import { changeText } from '../../state/change_text.ts'
import { askPath, forgetPath, path, pathAnswer, type PathPiece } from '../../state/path.svelte.ts'
import { selection } from '../../state/selection.svelte.ts'
import { unmarked } from '../../state/steps.svelte.ts'
import { pathShown } from '../../state/timeline.svelte.ts'
import { sentence, together, words } from '../../state/words.svelte.ts'

/** Follow the address and the view. Call it while a component is being made. */
export function followPath(stage: Stage): void {
  $effect(() => {
    void selection()
    if (!pathShown()) return untrack(forgetPath)
    const { start, end, width } = stage.still
    // The first view is that of a stage without a size.
    if (width > 1) untrack(() => askPath({ start, end, width }))
  })
  $effect(() => {
    const answer = pathAnswer()
    const named = answer && Object.entries(answer.kinds).map(([kind, said]) => [kind, sentence(said)])
    stage.path =
      answer && named
        ? { steps: answer.steps, pieces: answer.pieces, words: Object.fromEntries(named), alone: api.mode === 'report' }
        : null
    stage.changed()
  })
}

/** A piece in words: what it is, how much of the path it is, what let it begin, and what would shorten it. */
export function saidOf(piece: PathPiece, answer: PathAnswer): string {
  const text = words().timeline.path
  const share = percentText((100 * piece.ns) / Math.max(1, answer.total_ns))
  const kind = sentence(answer.kinds[piece.kind] ?? { id: '', params: {}, text: { en: piece.kind, zh: piece.kind } })
  const of = text.of(kind, timeText(piece.ns), timeText(answer.total_ns), share)
  return together([
    of,
    text.handovers[piece.handover],
    piece.change && text.shortened(piece.change, changeText(piece.change)),
  ])
}

/** The steps that a path is of, in words. */
export function stepsOf([first, last]: [number, number]): string {
  const text = words().timeline.path
  if (unmarked()) return text.trace
  return first === last ? text.step(first) : text.steps(first, last)
}

/** The path in one sentence, and why there is none; "" while it is on its way. */
export function pathSentence(): string {
  const text = words().timeline.path
  if (path.answer?.state === 'too_many') return text.tooMany
  if (path.answer?.state === 'none') return together(path.answer.notes.map(sentence))
  const answer = pathAnswer()
  if (!answer) return ''
  const [most] = answer.parts
  const kind = most && sentence(answer.kinds[most.kind] as Parameters<typeof sentence>[0])
  const share = most ? `${percentText(most.share_pct)} ${kind}` : ''
  const of = answer.rank === null ? text.ofJob(stepsOf(answer.steps)) : text.ofSteps(stepsOf(answer.steps))
  return text.whole(of, timeText(answer.total_ns), share)
}
