/** What the URL says about the timeline: the piece of time, how tracks are shown, what is selected and marked. */

import { parsedNumbers, parsedRange, parsedRanges, type Range, rangeText } from '../model/ranges.ts'
import { type MergedCells, mergedCells } from '../model/merged_cells.ts'
import { type Changes, change, go, goOn, route } from './route.svelte.ts'
import { follow, select, selection, subject } from './selection.svelte.ts'
import { simulatedAnswer } from './simulated.svelte.ts'

/** Parameters of the timeline's page. */
type Name = 't' | 'at' | 'q' | 'hl' | 'm' | 'fold' | 'pin' | 'hide' | 'sec' | 'f' | 'packed' | 'path' | 'sim' | 'tracks'

function text(name: Name): string {
  return route.page === 'timeline' ? (route.params[name] ?? '') : ''
}

/** How tracks are shown. */
export interface TrackChoices {
  /** Tracks by id whose folding is not as sent. */
  toggled: ReadonlySet<number>
  pinned: ReadonlySet<number>
  /** Whose being hidden is not as at first. */
  hidden: ReadonlySet<number>
  /** Keys of headings whose folding is not as it is at first. */
  toggledSections: ReadonlySet<string>
  /** Part of a title, any case; empty for all. */
  filter: string
  ranks: number[] | null
  /** Tracks by id with a row of the simulated step. */
  simulated: ReadonlySet<number>
  /** Tracks of a kind stand together, those of all ranks; else those of a rank. */
  byKind: boolean
}

/** How tracks are shown. Make a `$derived` of it. */
export function shown(): TrackChoices {
  return {
    toggled: new Set(parsedNumbers(text('fold'))),
    pinned: new Set(parsedNumbers(text('pin'))),
    hidden: new Set(parsedNumbers(text('hide'))),
    toggledSections: new Set(text('sec').split(',').filter(Boolean)),
    filter: text('f'),
    ranks: selection().ranks,
    simulated: new Set(simulatedAnswer()?.tracks.map((one) => one.track)),
    byKind: text('tracks') === 'kind',
  }
}

function toggled(name: Name, ...entries: (string | number)[]): Changes {
  const all = new Set(text(name).split(',').filter(Boolean))
  for (const entry of entries) if (!all.delete(`${entry}`)) all.add(`${entry}`)
  return { [name]: [...all].join(',') }
}

function toggledIn(name: Name, ...entries: (string | number)[]): void {
  go('timeline', toggled(name, ...entries))
}

export const toggleFold = (track: number): void => toggledIn('fold', track)
export const togglePin = (track: number): void => toggledIn('pin', track)
export const toggleHidden = (...tracks: number[]): void => toggledIn('hide', ...tracks)
export const toggleSection = (key: string): void => toggledIn('sec', key)
/** What is folded over an event that was gone to opens: part of that step of history, none of its own. */
export const unfold = (track: number): void => change(toggled('fold', track))
export const unfoldSection = (key: string): void => change(toggled('sec', key))
export const filterTracks = (wanted: string): void => goOn('type', { f: wanted })

/** Whether little-used streams share tracks. */
export const packed = (): boolean => text('packed') !== '0'
export const pack = (wanted: boolean): void =>
  go('timeline', { packed: wanted ? null : '0', fold: null, pin: null, hide: null })

/** The piece of time that the URL asks for. */
export const wantedRange = (): Range | null => parsedRange(text('t'))
export const wantedRangeText = (): string => text('t')

/** Whether the critical path is lit up. Turning it on or off is a step of history. */
export const pathShown = (): boolean => text('path') === '1'
export function showPath(wanted: boolean): void {
  const chosen = subject()
  if (wanted) follow({ kind: 'path', key: '' }, 'timeline', { path: '1' })
  else go('timeline', { path: null, ...(chosen?.kind === 'path' ? { sel: null } : {}) })
}

export const query = (): string => text('q')
/** Hits light up as they are found, and no longer one name alone. */
export const search = (wanted: string): void => goOn('type', { q: wanted, hl: null })
export const endSearch = (): void => go('timeline', { q: null })

/** Code of the highlighted name, or -1. */
export function highlighted(): number {
  const code = text('hl')
  return /^\d+$/.test(code) ? Number(code) : -1
}
export const highlight = (code: number): void => change({ hl: code < 0 ? null : `${code}` })

export const marks = (): Range[] => parsedRanges(text('m'))

/** Keep a piece of time in the URL; the same one again takes it away. */
export function toggleMark(start: number, end: number): void {
  const mark = rangeText(start, end)
  const all = new Set(text('m').split(';').filter(Boolean))
  if (!all.delete(mark)) all.add(mark)
  go('timeline', { m: [...all].join(';') })
}

/** `lane` and `row` of the selected event; it stays when the dock closes. */
export function selectedEvent(): { lane: number; row: number } | null {
  const chosen = subject()
  const [lane, row] = (chosen?.kind === 'event' ? chosen.key : text('at')).split('.').map(Number)
  return Number.isInteger(lane) && Number.isInteger(row) ? { lane: lane as number, row: row as number } : null
}

/** The merged cell that is selected. */
export function selectedCell(): MergedCells | null {
  const chosen = subject()
  return chosen?.kind === 'cell' ? mergedCells(chosen.key) : null
}

/** A piece of time and the tracks in it, or all. */
export interface Area {
  start: number
  end: number
  tracks: number[] | null
}

/** The area that a key of a subject says: `t0.t1` or `t0.t1.3-9-12`. */
export function areaOf(key: string): Area | null {
  const [start, end, tracks] = key.split('.')
  const range = parsedRange(`${start ?? ''},${end ?? ''}`)
  return range && { start: range[0], end: range[1], tracks: tracks ? tracks.split('-').map(Number) : null }
}

function areaKey(area: Area): string {
  const [start, end] = rangeText(area.start, area.end).split(',')
  return area.tracks ? `${start}.${end}.${area.tracks.join('-')}` : `${start}.${end}`
}

/** The area that is selected. */
export function selectedArea(): Area | null {
  const chosen = subject()
  return chosen?.kind === 'area' ? areaOf(chosen.key) : null
}

export function selectArea(area: Area): void {
  select({ kind: 'area', key: areaKey(area) })
}

export function selectEvent(lane: number, row: number, { walks = false } = {}): void {
  const at = `${lane}.${row}`
  select({ kind: 'event', key: at }, { walks, also: { at } })
}

export function selectCell(lane: number, first: number, count: number): void {
  select({ kind: 'cell', key: `${lane}.${first}.${count}` }, { also: { at: null } })
}

export function clearSelection(): void {
  select(null, { also: { at: null } })
}
