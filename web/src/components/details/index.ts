/**
 * Which component shows the details of what kind of subject in the dock.
 *
 * A body gets `subject` and calls `describe` of `state/dock.svelte.ts` in an `$effect` for title, kind and actions.
 */

import type { Component } from 'svelte'
import type { Subject } from '../../state/selection.svelte.ts'
import AreaDetails from './AreaDetails.svelte'
import CellDetails from './CellDetails.svelte'
import EventDetails from './EventDetails.svelte'
import FindingDetails from './FindingDetails.svelte'
import PathDetails from './PathDetails.svelte'
import RowDetails from './RowDetails.svelte'
import SimulatedDetails from './SimulatedDetails.svelte'

export const DETAILS: Partial<Record<Subject['kind'], Component<{ subject: Subject }>>> = {
  row: RowDetails,
  event: EventDetails,
  cell: CellDetails,
  area: AreaDetails,
  finding: FindingDetails,
  path: PathDetails,
  simulated: SimulatedDetails,
}
