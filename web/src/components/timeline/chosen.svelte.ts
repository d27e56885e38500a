/** The event that the address names is fetched and brought into sight. */

import { untrack } from 'svelte'
import type { Cursor } from '../../canvas/cursor.svelte.ts'
import type { Stage } from '../../canvas/stage.svelte.ts'
import { travelled } from '../../state/route.svelte.ts'
import { subject } from '../../state/selection.svelte.ts'
import { selectedEvent, wantedRangeText } from '../../state/timeline.svelte.ts'

/** Follow the address. Call it while a component is being made. */
export function followChosen(stage: Stage, cursor: Cursor): void {
  const at = $derived(selectedEvent())
  const atKey = $derived(at ? `${at.lane}.${at.row}` : '')
  // An address that names a piece of time is opened as it is, also where it names an event elsewhere.
  let opens = untrack(() => wantedRangeText() !== '')
  async function arrive(): Promise<void> {
    const known = cursor.place
    // On the way back the time is as it was.
    const staysInTime = opens || travelled.from !== null
    opens = false
    await cursor.follow(at)
    const place = cursor.place
    // Someone else chose it: a link, the dock.
    if (place && place !== known) cursor.reveal(place, false, staysInTime)
  }
  $effect(() => {
    void atKey
    untrack(() => void arrive())
  })
  const chosenCell = $derived(subject()?.kind === 'cell' ? subject()?.key : '')
  $effect(() => {
    if (!chosenCell) stage.selectedCell = null
    stage.pointed()
  })
}
