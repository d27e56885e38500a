/** Mouse, trackpad and touch on the plot. */

import type { Area } from '../state/timeline.svelte.ts'
import type { Stage } from './stage.svelte.ts'
import { clamped, momentAt, panned, zoomed } from './viewport.ts'

export interface PointerActions {
  click: (x: number, y: number) => void
  doubleClick: (x: number, y: number) => void
  /** An area being dragged, and dragged. */
  drag: (area: Area) => void
  dragged: (area: Area) => void
  /** Scroll the tracks by CSS pixels. */
  scroll: (by: number) => void
}

/** CSS pixels after which a press is a drag. */
const DRAG = 4
const LINE = 18

/** Zoom or pan with the wheel; false when the page is to scroll. */
export function wheel(stage: Stage, event: WheelEvent): boolean {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit]
  if (event.ctrlKey || event.metaKey) {
    // Pinches on a trackpad come as small steps, wheels as large ones.
    const by = Math.max(-60, Math.min(60, dy))
    stage.look(zoomed(stage.view, stage.reach, Math.exp(-by * 0.008), event.offsetX))
    return true
  }
  const along = event.shiftKey && dx === 0 ? dy : Math.abs(dx) > Math.abs(dy) ? dx : 0
  if (along === 0) return false
  stage.look(panned(stage.view, stage.reach, along))
  return true
}

type Mode = 'press' | 'area' | 'pan' | 'pinch'

/** Follow pointers on an element until the returned function is called. */
export function pointers(element: HTMLElement, stage: Stage, actions: PointerActions): () => void {
  const down = new Map<number, { x: number; y: number }>()
  let mode: Mode = 'press'
  let from = { x: 0, y: 0 }
  let last = { x: 0, y: 0 }

  const at = (event: PointerEvent | MouseEvent) => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  const press = (event: PointerEvent) => {
    if (event.button > 1) return
    element.setPointerCapture(event.pointerId)
    const place = at(event)
    down.set(event.pointerId, place)
    from = last = place
    const isTouch = event.pointerType === 'touch'
    mode = down.size > 1 ? 'pinch' : event.shiftKey || event.button === 1 ? 'pan' : 'press'
    if (mode === 'pan' || isTouch) event.preventDefault()
  }

  const move = (event: PointerEvent) => {
    const place = at(event)
    if (!down.has(event.pointerId)) return hover(stage, place.x, place.y)
    if (mode === 'pinch') return pinch(event.pointerId, place)
    down.set(event.pointerId, place)
    if (mode === 'press' && Math.hypot(place.x - from.x, place.y - from.y) > DRAG)
      mode = event.pointerType === 'touch' ? 'pan' : 'area'
    if (mode === 'pan') {
      stage.look(panned(stage.view, stage.reach, last.x - place.x))
      actions.scroll(last.y - place.y)
    } else if (mode === 'area') {
      hover(stage, place.x, place.y)
      actions.drag(areaBetween(stage, from, place))
    }
    last = place
  }

  const pinch = (id: number, place: { x: number; y: number }) => {
    const before = [...down.values()]
    down.set(id, place)
    const after = [...down.values()]
    const gap = (points: { x: number }[]) => Math.max(20, Math.abs((points[0]?.x ?? 0) - (points[1]?.x ?? 0)))
    const middle = (points: { x: number }[]) => ((points[0]?.x ?? 0) + (points[1]?.x ?? 0)) / 2
    const zoomedIn = zoomed(stage.view, stage.reach, gap(after) / gap(before), middle(after))
    stage.look(panned(zoomedIn, stage.reach, middle(before) - middle(after)))
  }

  const release = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return
    const place = at(event)
    if (mode === 'press' && event.type === 'pointerup') actions.click(place.x, place.y)
    else if (mode === 'area') actions.dragged(areaBetween(stage, from, place))
    if (down.size === 0) mode = 'press'
  }

  const leave = () => {
    if (down.size > 0) return
    stage.pointer = null
    stage.hover = null
    // What waited for the pointer to go is done.
    stage.changed()
  }

  const double = (event: MouseEvent) => actions.doubleClick(at(event).x, at(event).y)
  const listeners: [string, EventListener][] = [
    ['pointerdown', press as EventListener],
    ['pointermove', move as EventListener],
    ['pointerup', release as EventListener],
    ['pointercancel', release as EventListener],
    ['pointerleave', leave],
    ['dblclick', double as EventListener],
  ]
  for (const [name, listener] of listeners) element.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of listeners) element.removeEventListener(name, listener)
  }
}

/** The pointer is at a place of the plot. */
export function hover(stage: Stage, x: number, y: number): void {
  const { row, box } = stage.under(y)
  const moment = momentAt(stage.view, x)
  stage.pointer = x
  stage.hover = box && { x, y, moment, box, cell: row && stage.cellIn(row.lane, moment) }
  stage.pointed()
}

/** The area between two places: the time between them, and the tracks that lie between. */
export function areaBetween(stage: Stage, a: { x: number; y: number }, b: { x: number; y: number }): Area {
  const { view, bounds } = stage
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)]
  const within = (moment: number) => Math.min(Math.max(moment, bounds.start), bounds.end)
  const start = Math.floor(within(momentAt(view, Math.max(0, left))))
  const end = Math.max(start + 1, Math.ceil(within(momentAt(view, Math.min(view.width, right)))))
  return { start, end, tracks: tracksBetween(stage, Math.min(a.y, b.y), Math.max(a.y, b.y)) }
}

function tracksBetween(stage: Stage, top: number, bottom: number): number[] | null {
  const ids = new Set<number>()
  for (const pane of stage.panes) {
    const from = Math.max(top, pane.top) - pane.top + pane.scroll
    const to = Math.min(bottom, pane.top + pane.height) - pane.top + pane.scroll
    if (to < from) continue
    for (const box of pane.layout.boxes)
      if (box.track && box.top <= to && box.top + box.height >= from) ids.add(box.track.id)
  }
  return ids.size === 0 || ids.size === stage.tracks.length ? null : [...ids].sort((a, b) => a - b)
}

/** Drags on the minimap: the handle moves, its edges stretch, elsewhere a new piece of time is drawn. */
export function minimapDrag(stage: Stage, element: HTMLElement, event: PointerEvent, handle: [number, number]): void {
  const box = element.getBoundingClientRect()
  const { bounds, view: before } = stage
  const scale = (bounds.end - bounds.start) / Math.max(1, before.width)
  const start = event.clientX - box.left
  const [left, right] = handle
  const edge = right - left > 16 ? 5 : 0
  const part =
    Math.abs(start - left) < edge
      ? 'left'
      : Math.abs(start - right) < edge
        ? 'right'
        : start > left && start < right
          ? 'all'
          : 'new'
  element.setPointerCapture(event.pointerId)
  const move = (at: PointerEvent) => {
    const x = at.clientX - box.left
    const by = (x - start) * scale
    let [from, to] = [before.start, before.end]
    if (part === 'all') [from, to] = [from + by, to + by]
    else if (part === 'left') from = Math.min(from + by, to - 100)
    else if (part === 'right') to = Math.max(to + by, from + 100)
    else [from, to] = [bounds.start + Math.min(x, start) * scale, bounds.start + Math.max(x, start) * scale]
    if (to > from) stage.look(clamped({ start: from, end: to, width: stage.view.width }, bounds))
  }
  const end = (at: PointerEvent) => {
    element.removeEventListener('pointermove', move)
    if (part !== 'new' || Math.abs(at.clientX - box.left - start) > DRAG) return
    const half = (before.end - before.start) / 2
    const middle = bounds.start + start * scale
    stage.animation.glide(clamped({ ...before, start: middle - half, end: middle + half }, bounds))
  }
  element.addEventListener('pointermove', move)
  element.addEventListener('pointerup', end, { once: true })
}
