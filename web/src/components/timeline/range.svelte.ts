/** The piece of time that the address names is shown, and the one that is looked at is written there. */

import { untrack } from 'svelte'
import { carryTo } from '../../canvas/cursor.svelte.ts'
import type { Stage } from '../../canvas/stage.svelte.ts'
import { clamped, fitted, inside, isWhole } from '../../canvas/viewport.ts'
import { rangeText } from '../../model/ranges.ts'
import { change, goOn } from '../../state/route.svelte.ts'
import { wantedRange, wantedRangeText } from '../../state/timeline.svelte.ts'

/** Has to be called while a component is being made; nothing is shown before the plot has a width. */
export function followRange(stage: Stage, width: () => number): void {
  /** What the address had from here: that is shown already. */
  let written = ''
  $effect(() => {
    const wanted = wantedRangeText()
    if (wanted === written || width() === 0) return
    written = wanted
    const range = wantedRange()
    untrack(() => {
      if (!range) return stage.animation.fit(0, stage.bounds.end, 0.01)
      const to = clamped({ start: range[0], end: range[1], width: stage.view.width }, stage.reach)
      stage.carried = to
      stage.animation.jump(to)
    })
  })
  stage.onstill = (view) => {
    const text = isWhole(view, stage.bounds) ? '' : rangeText(view.start, view.end)
    const isCarried = stage.carried?.start === view.start && stage.carried.end === view.end
    stage.carried = null
    if (text === written) return
    written = text
    if (isCarried) change({ t: text || null })
    else goOn('zoom', { t: text || null })
  }
}

/** Look at a piece of time because of what was chosen: no step of history of its own. */
export function carry(stage: Stage, start: number, end: number, room: number): void {
  carryTo(stage, inside(fitted(stage.view, stage.reach, start, end, room), stage.reach))
}
