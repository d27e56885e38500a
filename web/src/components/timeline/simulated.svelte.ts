/** The simulated step on a stage: asked for as the view changes, gone to, and in words. */

import { untrack } from 'svelte'
import type { SimulatedAnswer } from '../../api/simulated.ts'
import { carryTo } from '../../canvas/cursor.svelte.ts'
import { simulatedAt } from '../../canvas/simulated.ts'
import type { Stage } from '../../canvas/stage.svelte.ts'
import { clamped } from '../../canvas/viewport.ts'
import { momentText } from '../../canvas/timescale.ts'
import { isOfJob, isWithinStep } from '../../model/what_if.ts'
import { middleCut, timeText } from '../../model/format.ts'
import { failureOf } from '../../state/loaded.svelte.ts'
import { chosenFinding, occurrences } from '../../state/occurrences.svelte.ts'
import { travelled } from '../../state/route.svelte.ts'
import { selection } from '../../state/selection.svelte.ts'
import {
  askSimulated,
  forgetSimulated,
  hideSimulated,
  showSimulated,
  simulated,
  simulatedAnswer,
  simulatedChanges,
  simulatedShown,
} from '../../state/simulated.svelte.ts'
import { numbered } from '../../state/steps.svelte.ts'
import { say } from '../../state/toast.svelte.ts'
import { wantedRangeText } from '../../state/timeline.svelte.ts'
import { sentence, together, words } from '../../state/words.svelte.ts'
import { carry } from './range.svelte.ts'

/** Room on either side of the step that is gone to, in shares of it. */
const ROOM = 0.05

/** Px that a step needs so that its work is seen. */
const NARROW = 24

/** No changes, as text. */
const NONE = '[]'

/** Follow the address and the view. Call it while a component is being made. */
export function followSimulated(stage: Stage): void {
  // What another timeline showed is not this one's.
  $effect(() => forgetSimulated)
  const wanted = $derived(JSON.stringify(simulatedChanges()))
  // Before the view of the address is shown, which may lie behind the recording's end.
  $effect.pre(() => {
    stage.reach = { start: 0, end: Math.max(stage.bounds.end, wanted === NONE ? 0 : latest()) }
  })
  $effect(() => {
    void [wanted, simulatedAnswer()]
    const to = clamped(stage.view, stage.reach)
    const moves = Math.abs(to.start - stage.view.start) + Math.abs(to.end - stage.view.end) > 1
    if (stage.view.width > 1 && moves) carryTo(stage, to)
  })
  $effect(() => {
    void selection()
    if (wanted === NONE) return untrack(forgetSimulated)
    const { start, end, width } = stage.still
    // The first view is that of a stage without a size.
    if (width > 1) untrack(() => askSimulated({ start, end, width }))
  })
  $effect(() => {
    const answer = simulatedAnswer()
    stage.simulated = answer && { answer, words: endWords(answer) }
    stage.changed()
  })
  // Whoever comes for a step without naming a view sees that step; who turns it on sees it where it was out of sight.
  let comes = untrack(() => wantedRangeText() === '' && wanted !== NONE)
  let seen = comes ? NONE : untrack(() => wanted)
  $effect(() => {
    const [now, answer] = [wanted, simulatedAnswer()]
    if (now === seen || (now !== NONE && !answer)) return
    seen = now
    const goes = answer && travelled.from === null && (comes || untrack(() => isOutOfSight(answer, stage.still)))
    comes = false
    if (goes) untrack(() => carry(stage, ...stepOf(answer), ROOM))
  })
}

/** When the step ends at the latest; not known before there is an answer. */
function latest(): number {
  const answer = simulatedAnswer()
  if (answer) return lastEnd(answer)
  return simulated.answer || simulated.failure !== null ? 0 : Infinity
}

/** When the simulated step ends at the latest: at the end of the range around its own end. */
function lastEnd({ begin, length_ns, after_high_ns }: SimulatedAnswer): number {
  return begin + Math.max(length_ns, after_high_ns)
}

/** From when to when the step lasts, recorded or simulated. */
function stepOf(answer: SimulatedAnswer): [number, number] {
  return [answer.begin, Math.max(answer.end, lastEnd(answer))]
}

/** Look at the step that is simulated. */
export function toSimulated(stage: Stage, answer: SimulatedAnswer): void {
  stage.animation.fit(...stepOf(answer), ROOM)
}

/** Show the step of the recommendation chosen, else of the first one; or none again. */
export async function toggleSimulated(stage: Stage): Promise<void> {
  if (simulatedShown()) return hideSimulated()
  const known = occurrences.answer ?? (await stage.api.occurrences(stage.run))
  const chosen = known.findings[chosenFinding()]
  const first = known.findings.find((one) => one.severity !== 'low' && isWithinStep(one.what_if))
  const change = isWithinStep(chosen?.what_if) ? chosen?.what_if : first?.what_if
  if (change) showSimulated([change])
  else say(known.findings.some((one) => isOfJob(one.what_if)) ? words().simulated.ofJob : words().simulated.nothing)
}

function endWords({ recorded_ns, before_ns, after_ns }: SimulatedAnswer) {
  return {
    recorded: words().simulated.recorded(timeText(recorded_ns)),
    before: `~${timeText(before_ns)}`,
    after: `~${timeText(after_ns)}`,
  }
}

/** What the step is simulated with, in words. */
export function withWhat({ changes }: SimulatedAnswer): string {
  const { what } = words().simulated
  if (changes.length > 1) return what.changes
  return changes[0]?.startsWith('fix:') ? what.fix : what.change
}

/** The lower and the upper end of a time, with the unit once where it is the same. */
export function rangeOf(low: number, high: number): string {
  const [[from, unit], [to, other]] = [low, high].map((ns) => timeText(ns).split(' ')) as [string[], string[]]
  return words().simulated.range(unit === other && from !== to ? `${from}` : `${from} ${unit}`, `${to} ${other}`)
}

/** What the changes bring: "~29.9 ms (25 to 36), 51.1 ms less …", or why nothing is saved. */
export function savingText(answer: SimulatedAnswer): string {
  if (answer.nothing) return sentence(answer.nothing)
  const text = words().simulated
  const bound = text.bounds[answer.bound_after] ?? answer.bound_after
  const range = rangeOf(answer.after_low_ns, answer.after_high_ns)
  const said = answer.saving_ns < 0 ? text.longer : text.label
  return said(timeText(answer.after_ns), range, timeText(Math.abs(answer.saving_ns)), withWhat(answer), bound)
}

/** The three ends in one sentence; why there is no step; "" while it is on its way. */
export function simulatedSentence(): string {
  if (simulated.answer?.state === 'none') return together(simulated.answer.notes.map(sentence))
  const answer = simulatedAnswer()
  if (!answer) return ''
  const [recorded, before, after] = [
    timeText(answer.recorded_ns),
    timeText(answer.before_ns),
    timeText(answer.after_ns),
  ]
  const range = rangeOf(answer.after_low_ns, answer.after_high_ns)
  return words().simulated.ends(numbered(answer.step), recorded, before, after, range, withWhat(answer))
}

/** What stands above the tracks: what is saved, why there is no step, or that it is on its way. */
export function simulatedLine(): string {
  const answer = simulatedAnswer()
  if (answer) return savingText(answer)
  if (simulated.failure === null) return simulatedSentence() || words().simulated.waiting
  const failure = failureOf(simulated.failure)
  const { found, advice } = failure.messages ?? failure
  return [found, advice].map(sentence).join(' · ')
}

/** Whether a view shows nothing of the step. */
export function isElsewhere(answer: SimulatedAnswer, view: { start: number; end: number }): boolean {
  const [begin, end] = stepOf(answer)
  return end <= view.start || begin >= view.end
}

/** Whether a view shows less than half of the step that it has room for, or the step is too narrow in it. */
function isOutOfSight(answer: SimulatedAnswer, view: { start: number; end: number; width: number }): boolean {
  const [begin, end] = stepOf(answer)
  const [step, whole] = [end - begin, view.end - view.start]
  const shown = Math.min(end, view.end) - Math.max(begin, view.start)
  return shown < Math.min(step, whole) / 2 || (step / whole) * view.width < NARROW
}

/** The piece under the pointer, in lines: what it is, how long, when it began and would begin; null elsewhere. */
export function pieceUnder(stage: Stage): string[] | null {
  const [at, answer] = [stage.hover, simulatedAnswer()]
  if (!at?.box.track || !answer || at.box.below === 0 || stage.under(at.y).row) return null
  const piece = simulatedAt(answer, at.box.track, at.moment)
  if (piece < 0) return null
  const text = words().simulated
  const { start, end, recorded, count, name } = answer.pieces
  const [from, to, was] = [start[piece], end[piece], recorded[piece]].map((one) => (one as number) - answer.begin)
  const said = middleCut(answer.names[name[piece] as number] || text.unnamed, 160)
  const many = count[piece] as number
  const fine = Math.max(1, (stage.still.end - stage.still.start) / 1000)
  return [
    many > 1 ? text.several(`${many}`, said) : said,
    timeText((to as number) - (from as number)),
    text.starts(momentText(was as number, fine), momentText(from as number, fine)),
    text.ofStep(numbered(answer.step)),
  ]
}
