/** What an event is and where, in words, and the command that lists it. */

import type { CellEvents, EventFacts } from '../../api/timeline.ts'
import { countText } from '../../model/format.ts'
import { betweenText, showCommand } from '../../model/show_command.ts'
import { run } from '../../state/app.svelte.ts'
import { numbered } from '../../state/steps.svelte.ts'
import { words } from '../../state/words.svelte.ts'
import { titleOf } from '../timeline/titles.ts'

/** "operator · rank 0 · main thread · step 3 · 19 of 96"; none of its parts is broken over two lines. */
export function placeText(event: EventFacts): string {
  const text = words().timeline
  const { same_name: same } = event
  const nth = same.calls > 1 ? text.details.nth(countText(same.index + 1), countText(same.calls)) : ''
  return joined([text.kindOf[event.kind], ...whereOf(event), nth])
}

/** "merged on the timeline · rank 0 · main thread · step 3"; a report does not hold where it is. */
export function placeOfCell({ rank, on, step = null }: CellEvents): string {
  const where = rank === undefined || !on ? [] : whereOf({ rank, on, step })
  return joined([words().timeline.details.cellKind, ...where])
}

function whereOf({ rank, on, step }: Pick<EventFacts, 'rank' | 'on' | 'step'>): string[] {
  const text = words().timeline
  return [
    text.rank(rank),
    on.section === 'gpu' && on.device !== null ? text.details.gpu(on.device) : '',
    on.kind === 'idle' ? '' : titleOf(on),
    numbered(step) === null ? '' : `${text.step} ${step}`,
  ]
}

function joined(parts: (string | undefined)[]): string {
  return parts.flatMap((part) => (part ? [part.replaceAll(' ', '\u00a0')] : [])).join(' · ')
}

const LISTED = ['compute', 'communication', 'memcpy', 'memset', 'runtime', 'data_loading', 'operator', 'annotation']

/** The `stepscope show` that lists it; null of what no table has. */
export function commandOfEvent({ kind, name, rank, start, duration_ns }: EventFacts): string | null {
  const begin = run()?.what_if
  if (!begin) return null
  const only = { rank: `${rank}` }
  if (['collective', 'unfinished', 'not_started'].includes(kind)) return showCommand(begin, 'collective_records', only)
  if (kind === 'idle') return showCommand(begin, 'idle', { by: 'gap', ...only })
  const between = betweenText(start, start + duration_ns)
  if (LISTED.includes(kind)) return showCommand(begin, 'instances', { name, between, ...only })
  return kind === 'python' ? showCommand(begin, 'flame_graph', { between, ...only }) : null
}

/** The `stepscope show` of the names in a piece of time. */
export function commandOfTime(start: number, end: number): string | null {
  const begin = run()?.what_if
  return begin ? showCommand(begin, 'durations', { between: betweenText(start, end) }) : null
}
