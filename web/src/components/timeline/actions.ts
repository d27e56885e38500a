/** What keys and gestures of the timeline do. */

import { ApiError } from '../../api/api.ts'
import type { Cursor } from '../../canvas/cursor.svelte.ts'
import type { KeyActions } from '../../canvas/keys.ts'
import { areaBetween, type PointerActions } from '../../canvas/pointer.ts'
import type { Stage } from '../../canvas/stage.svelte.ts'
import { momentAt } from '../../canvas/viewport.ts'
import { rangeText } from '../../model/ranges.ts'
import { go } from '../../state/route.svelte.ts'
import {
  chooseFinding,
  leaveRecommendations,
  recommendationsShown,
  toggleRecommendations,
  toOccurrence,
} from '../../state/occurrences.svelte.ts'
import { lackOf } from '../../state/missing.svelte.ts'
import { say } from '../../state/toast.svelte.ts'
import * as url from '../../state/timeline.svelte.ts'
import { words } from '../../state/words.svelte.ts'
import { toggleSimulated } from './simulated.svelte.ts'

interface Surroundings {
  scroll: (by: number) => void
  search: () => void
  isSearching: () => boolean
  /** False when it was not open. */
  closeSearch: () => boolean
}

export interface Actions {
  keys: KeyActions
  pointers: PointerActions
  rulerDrag: (element: HTMLElement, event: PointerEvent) => void
}

/** CSS pixels of the ruler after which a press is a drag. */
const DRAG = 4

export function actionsOf(stage: Stage, cursor: Cursor, around: Surroundings): Actions {
  return {
    keys: keysOf(stage, cursor, around),
    pointers: pointersOf(stage, cursor, around),
    rulerDrag: rulerDrag(stage),
  }
}

/** The piece of time that is selected: the area, the event, the cell; else what is shown. */
function selectedTime(stage: Stage, cursor: Cursor): { start: number; end: number } | null {
  if (stage.area) return stage.area
  if (cursor.place) return { start: cursor.place.start, end: cursor.place.start + cursor.place.duration_ns }
  return stage.selectedCell
}

function keysOf(stage: Stage, cursor: Cursor, around: Surroundings): KeyActions {
  const run = (action: Promise<unknown>) =>
    void action.catch(
      (error: unknown) => error instanceof ApiError && say(`${error.failure.found}. ${error.failure.advice}`),
    )
  return {
    hold: (held) => stage.animation.hold(held),
    fit: () => {
      const time = selectedTime(stage, cursor)
      if (time) stage.animation.fit(time.start, time.end, 0.3)
    },
    all: () => stage.animation.fit(0, stage.bounds.end, 0.01),
    mark: () => mark(stage, cursor),
    along: (direction) => {
      const text = words().timeline
      if (cursor.merged) say(text.mergedArrow)
      else if (!cursor.place) say(text.chooseFirst)
      else if (!cursor.along(direction)) say(text.noArrow(direction < 0))
    },
    sameName: (direction) => {
      // What was searched for is what one looks at, beside a recommendation, too.
      if (!(around.isSearching() && cursor.hasName) && toOccurrence(direction)) return
      const text = words().timeline
      if (!cursor.hasName) return recommendationsShown() ? chooseFinding(0) : say(text.chooseFirst)
      run(cursor.sameName(direction).then((found) => found || say(text.noMore(direction < 0))))
    },
    beside: (direction) => run(cursor.beside(direction)),
    across: (direction) => run(cursor.across(direction)),
    page: (direction) => around.scroll(direction * stage.height * 0.8),
    search: around.search,
    escape: () => escaped(stage, cursor, around),
    details: () => showDetails(stage, cursor),
    flame: () => showFlames(stage, cursor),
    instances: () => showInstances(cursor),
    recommendations: toggleRecommendations,
    finding: chooseFinding,
    path: () => ofSteps('critical_path', () => url.showPath(!url.pathShown())),
    simulated: () => ofSteps('step_time', () => run(toggleSimulated(stage))),
  }
}

/** Do something about steps; where a recording of this kind has none, say why. */
function ofSteps(table: string, action: () => void): void {
  const lack = lackOf(table)
  if (lack) say(lack)
  else action()
}

function mark(stage: Stage, cursor: Cursor): void {
  const time = selectedTime(stage, cursor) ?? stage.view
  url.toggleMark(Math.max(0, time.start), Math.min(stage.bounds.end, Math.max(time.end, time.start + 1)))
}

function showInstances(cursor: Cursor): void {
  if (cursor.place) go('instances', { name: cursor.place.name, sel: null })
  else say(words().timeline.chooseFirst)
}

/** Escape leaves the innermost thing that is open; false when there is none. */
function escaped(stage: Stage, cursor: Cursor, around: Surroundings): boolean {
  if (around.closeSearch() || leaveRecommendations()) return true
  if (url.highlighted() >= 0) url.highlight(-1)
  else if (cursor.place || stage.area || stage.selectedCell) cursor.clear()
  else return false
  return true
}

function showDetails(stage: Stage, cursor: Cursor): void {
  const { place } = cursor
  if (place) url.selectEvent(place.lane, place.row)
  else if (stage.selectedCell)
    url.selectCell(stage.selectedCell.lane, stage.selectedCell.first, stage.selectedCell.count)
  else if (stage.area) url.selectArea(stage.area)
}

/** The stacks of the time that is selected; a report holds those of the whole run. */
function showFlames(stage: Stage, cursor: Cursor): void {
  const time = selectedTime(stage, cursor)
  if (!time) say(words().timeline.chooseFirst)
  else if (stage.api.mode === 'report') say(words().instancesPage.reportNames)
  else go('flame_graph', { area: rangeText(time.start, time.end), sel: null })
}

function pointersOf(stage: Stage, cursor: Cursor, around: Surroundings): PointerActions {
  const cellUnder = (x: number, y: number) => {
    const { row } = stage.under(y)
    return row && stage.cellIn(row.lane, momentAt(stage.view, x))
  }
  return {
    click: (x, y) => cursor.choose(cellUnder(x, y)),
    doubleClick: (x, y) => {
      const cell = cellUnder(x, y)
      if (cell) stage.animation.fit(cell.start, cell.end, 0.3)
    },
    drag: (area) => {
      stage.area = area
      stage.changed()
    },
    dragged: (area) => url.selectArea(area),
    scroll: around.scroll,
  }
}

/** A drag on the ruler: an area of all tracks. */
function rulerDrag(stage: Stage): Actions['rulerDrag'] {
  return (element, event) => {
    element.setPointerCapture(event.pointerId)
    const left = element.getBoundingClientRect().left
    const start = event.clientX - left
    const areaTo = (at: PointerEvent) => ({
      ...areaBetween(stage, { x: start, y: 0 }, { x: at.clientX - left, y: 0 }),
      tracks: null,
    })
    const move = (at: PointerEvent) => {
      if (Math.abs(at.clientX - left - start) < DRAG) return
      stage.area = areaTo(at)
      stage.changed()
    }
    const end = (at: PointerEvent) => {
      element.removeEventListener('pointermove', move)
      if (Math.abs(at.clientX - left - start) >= DRAG) url.selectArea(areaTo(at))
    }
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', end, { once: true })
  }
}
