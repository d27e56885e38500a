/** Changes of what-if in words. */

import { foldName } from '../model/kernel_names.ts'
import { type Change, partsOf, STRAGGLER } from '../model/what_if.ts'
import { labelled, words } from './words.svelte.ts'

/** What a change is about, as a recommendation or the page What if calls it. */
export function changeName({ kind, name }: Change): string {
  const { findingNames, whatIf } = words()
  if (kind === STRAGGLER) return whatIf.likeOthers(name)
  if (kind === 'fix') return findingNames[name] ?? name
  if (kind === 'no-python') return whatIf.gone(name)
  if (kind === 'gpu') return labelled(whatIf.device, name)
  return (kind === 'kernel' ? foldName(name) : name) || (whatIf.kinds[kind] ?? kind)
}

/** A whole change, with its factor and the rank that it is limited to; as it is written where it cannot be read. */
export function changeText(change: string): string {
  const parts = partsOf(change)
  if (!parts) return change
  const { factor, rank = null } = parts
  const { timeline, whatIf } = words()
  const times = factor === null ? [] : [factor === 0 ? whatIf.nothing : whatIf.times(`${factor}`)]
  const name = changeName(parts)
  // A function alone would not say what is changed about it.
  const said = parts.kind === 'kernel-report' ? labelled(whatIf.groups[parts.kind] ?? parts.kind, name) : name
  return [said, ...times, ...(rank === null ? [] : [timeline.rank(rank)])].join(' · ')
}
