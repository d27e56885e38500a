/**
 * The dock: details of what is selected. Its frame shows what the body, one per kind of subject (`components/details/`),
 * tells it here: what it is about and what can be done with it.
 */

import { innerHeight, innerWidth } from 'svelte/reactivity/window'
import type { Only } from '../model/only.ts'
import { prefer, preferences } from './preferences.svelte.ts'
import { route } from './route.svelte.ts'

interface DockFacts {
  /** Null while what it says is on its way. */
  title: string | null
  /** What it is, as `operator` or `kernel on stream 7`. */
  kind: string
  /** Go to its place on the timeline; null where it has none. */
  show?: (() => void) | null
  /** What everything can be limited to: first to it, then to what it belongs to. */
  limits?: Only[]
  /** The limits are of what it belongs to: none is of itself. */
  belongs?: boolean
  /** What else "Filter to this" does, and says that it does. */
  filter?: { title: string; apply: () => void } | null
  /** The `stepscope show ...` that gives the same numbers. */
  command?: string | null
  /** Pages about it. */
  also?: { name: string; href: string }[]
}

export const dock: { facts: DockFacts | null } = $state({ facts: null })

/** Say what the dock is about. Call it in an `$effect` of a body; returns what takes it back. */
export function describe(facts: DockFacts): () => void {
  dock.facts = facts
  return () => {
    if (dock.facts === facts) dock.facts = null
  }
}

type DockSide = 'bottom' | 'right'

/** From here on a canvas has time enough left of a dock at its right. */
const WIDE = 1600
/** Below this the dock lies over everything. */
const NARROW = 800

const LIMITS = { bottom: [120, 0.6], right: [280, 0.5] } as const

/** Whether the page is one canvas, which gives the dock room of its own; over other pages it lies. */
export function onCanvas(): boolean {
  return route.page === 'timeline'
}

/** Whether there is no room for another side than the right one, over everything. */
export function isNarrow(): boolean {
  return (innerWidth.current ?? WIDE) <= NARROW
}

export function dockSide(): DockSide {
  const width = innerWidth.current ?? WIDE
  if (isNarrow()) return 'right'
  return preferences.dockSide[onCanvas() ? 'canvas' : 'page'] ?? (onCanvas() && width < WIDE ? 'bottom' : 'right')
}

/** Put it to the other side of pages like this one. */
export function turnDock(): void {
  if (isNarrow()) return
  const other = dockSide() === 'bottom' ? 'right' : 'bottom'
  prefer({ dockSide: { ...preferences.dockSide, [onCanvas() ? 'canvas' : 'page']: other } })
}

/** How far it reaches into the page, px. */
export function dockSize(side: DockSide): number {
  return within(side, preferences.dockSize[side])
}

export function resizeDock(side: DockSide, wanted: number): void {
  prefer({ dockSize: { ...preferences.dockSize, [side]: Math.round(within(side, wanted)) } })
}

function within(side: DockSide, size: number): number {
  const [least, share] = LIMITS[side]
  const window = (side === 'bottom' ? innerHeight.current : innerWidth.current) ?? 0
  return Math.max(least, Math.min(window * share, size))
}
