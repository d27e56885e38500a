/**
 * Where tracks stand: each is a box of rows, one below the other, in CSS pixels from the top of its pane.
 *
 * A recording may have thousands of tracks and lanes: finding what is visible is a binary search in `tops`, and only
 * that is drawn or asked for.
 */

import type { Track } from '../api/timeline.ts'
import { firstWhere } from '../model/binary_search.ts'
import type { TrackChoices } from '../state/timeline.svelte.ts'

/** Height of a row of an open track, the gap below included. */
export const ROW = 18
/** Height of a folded track, whatever its depth. */
export const FOLDED = 24
/** A folded track shows at most this many of its depths, spread evenly: the outline of a deep stack stays. */
export const FOLDED_DEPTHS = 12
const COUNTER = 40
/** A line that names the rank and section that follow. */
export const HEADING = 24
/** Room for the row of a simulated step below a track's own. */
const SIMULATED = 11
/** Room below each track. */
export const TRACK_GAP = 3

export interface Heading {
  rank: number
  /** A track of the kind that stands together here; null where those of a rank do. */
  of: Track | null
  section: Track['section']
  /** What its tracks are put together under; the key of its folding. */
  key: string
  folded: boolean
  tracks: number
  /** Tracks of it that are not shown. */
  hidden: Track[]
}

export interface Box {
  top: number
  height: number
  track: Track | null
  heading: Heading | null
  folded: boolean
  /** Room at its lower edge for what the step would be, a part of its height. */
  below: number
  /** Rows of an open track: the first of its depths. */
  rows: number
}

/** Rows that open tracks show, by the track's id; one that is not in it shows all of its depths. */
export type RowCounts = ReadonlyMap<number, number>

export interface Layout {
  boxes: Box[]
  /** Top of each box, ascending: for the binary search. */
  tops: Float64Array
  height: number
}

/** One row of pixels to draw: a lane, or one of the depths of a folded track. */
export interface Row {
  lane: number
  track: Track
  top: number
  height: number
  folded: boolean
}

export function isFolded(track: Track, toggled: ReadonlySet<number>): boolean {
  return track.depths > 1 && track.collapsed !== toggled.has(track.id)
}

function heightOf(track: Track, folded: boolean, rows: number): number {
  if (track.kind === 'counter') return COUNTER
  return folded ? FOLDED : openHeight(track, rows)
}

/** Height of an open track's rows; one that can be folded is never lower than folded, so that its button has room. */
export function openHeight(track: Track, rows: number): number {
  return track.depths > 1 ? Math.max(FOLDED, rows * ROW) : rows * ROW
}

/** The key of a track's heading: folding it folds these. */
export function sectionKey(track: Track, { byKind }: Pick<TrackChoices, 'byKind'>): string {
  if (!byKind) return `${track.rank}.${track.section}`
  // Keys stand in the address with commas between.
  return `${track.section}.${track.kind}.${track.stream ?? track.title.text.en.replaceAll(',', '')}`
}

const SECTIONS: Track['section'][] = ['communication', 'gpu', 'host', 'counters']

/** In the order they were sent, but counters below the tracks that they explain. */
export function ordered(tracks: Track[]): Track[] {
  const place = (track: Track) => SECTIONS.indexOf(track.section)
  return [...tracks].sort((a, b) => a.rank - b.rank || place(a) - place(b))
}

/** Whether a track was hidden, or says only that the profiler was on and was not asked for. */
export function isHidden(track: Track, { hidden }: Pick<TrackChoices, 'hidden'>): boolean {
  return track.profiler !== hidden.has(track.id)
}

/** Those of a kind together, kinds in the order in which the ranks have them. */
function inKinds(tracks: Track[]): Track[] {
  const order = new Map<string, number>()
  const keyOf = (track: Track) => sectionKey(track, { byKind: true })
  for (const section of SECTIONS)
    for (const track of tracks)
      if (track.section === section && !order.has(keyOf(track))) order.set(keyOf(track), order.size)
  return [...tracks].sort((a, b) => (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0))
}

/** Tracks that the filter, the ranks and the hidden ones leave. */
export function shownTracks(tracks: Track[], choices: TrackChoices): Track[] {
  return wantedTracks(tracks, choices).filter((track) => !isHidden(track, choices))
}

/** The same with those that are hidden. */
function wantedTracks(tracks: Track[], choices: TrackChoices): Track[] {
  const wanted = choices.filter.trim().toLowerCase()
  const ranks = choices.ranks && new Set(choices.ranks)
  return tracks.filter(
    (track) => (!ranks || ranks.has(track.rank)) && (wanted === '' || searchable(track).includes(wanted)),
  )
}

function searchable(track: Track): string {
  const parts = ['rank', track.rank, track.section, track.kind, ...Object.values(track.title.text), track.process]
  return parts.join(' ').toLowerCase()
}

/** The boxes of pinned tracks: no headings, no gaps of sections. */
export function pinnedLayout(tracks: Track[], choices: TrackChoices, rows: RowCounts = new Map()): Layout {
  const boxes: Box[] = []
  let top = 0
  for (const track of tracks) {
    if (!choices.pinned.has(track.id)) continue
    top = placed(boxes, track, top, choices, rows)
  }
  return layoutOf(boxes, top)
}

/** From so many ranks on one sees their GPUs below each other first; hosts and counters open at their headings. */
const MANY_RANKS = 4

function isFoldedSection(track: Track, many: boolean, choices: TrackChoices): boolean {
  const isFoldedAtFirst = many && ['host', 'counters'].includes(track.section) && choices.filter === ''
  return isFoldedAtFirst !== choices.toggledSections.has(sectionKey(track, choices))
}

/** The boxes of all other tracks, a heading before each rank's section. */
export function layout(tracks: Track[], choices: TrackChoices, rows: RowCounts = new Map()): Layout {
  const boxes: Box[] = []
  let top = 0
  const wanted = wantedTracks(tracks, choices)
  const many = new Set(wanted.map((track) => track.rank)).size >= MANY_RANKS
  let heading = null as Heading | null
  for (const track of choices.byKind ? inKinds(wanted) : wanted) {
    if (choices.pinned.has(track.id)) continue
    const key = sectionKey(track, choices)
    if (heading?.key !== key) {
      heading = {
        rank: track.rank,
        of: choices.byKind ? track : null,
        section: track.section,
        key,
        folded: isFoldedSection(track, many, choices),
        tracks: 0,
        hidden: [],
      }
      boxes.push({ top, height: HEADING, track: null, heading, folded: false, below: 0, rows: 0 })
      top += HEADING
    }
    if (isHidden(track, choices)) {
      heading.hidden.push(track)
      continue
    }
    heading.tracks++
    if (!heading.folded) top = placed(boxes, track, top, choices, rows)
  }
  return layoutOf(boxes, top)
}

function placed(boxes: Box[], track: Track, top: number, choices: TrackChoices, counts: RowCounts): number {
  const folded = isFolded(track, choices.toggled)
  const rows = Math.max(1, Math.min(track.depths, counts.get(track.id) ?? track.depths))
  const below = choices.simulated.has(track.id) ? SIMULATED : 0
  const height = heightOf(track, folded, rows) + below
  boxes.push({ top, height, track, heading: null, folded, below, rows })
  return top + height + TRACK_GAP
}

function layoutOf(boxes: Box[], height: number): Layout {
  return { boxes, tops: Float64Array.from(boxes, (box) => box.top), height }
}

/** Index of the last box that starts at or above `y`; -1 when there is none. */
export function boxAt(layout: Layout, y: number): number {
  return firstWhere(0, layout.tops.length, (at) => (layout.tops[at] as number) > y) - 1
}

/** Boxes that a piece of the pane shows, both ends included. Empty: first > last. */
export function visibleBoxes(layout: Layout, top: number, bottom: number): [number, number] {
  return [Math.max(0, boxAt(layout, top)), boxAt(layout, bottom)]
}

/** Depths of a track that its box shows, and the height of each. */
function depthsOf(box: Box): [number, number] {
  const track = box.track as Track
  if (!box.folded) return [box.rows, ROW]
  const shown = Math.min(track.depths, FOLDED_DEPTHS)
  return [shown, FOLDED / shown]
}

/** Which of `all` depths stands in one of `shown` rows. */
function spread(row: number, shown: number, all: number): number {
  return shown === all ? row : Math.floor((row * all) / shown)
}

/** Rows of lanes between two heights of the pane. Counters have none. */
export function visibleRows(layout: Layout, top: number, bottom: number): Row[] {
  const rows: Row[] = []
  const [first, last] = visibleBoxes(layout, top, bottom)
  for (let i = first; i <= last; i++) {
    const box = layout.boxes[i] as Box
    if (!box.track || box.track.kind === 'counter' || box.track.depths === 0) continue
    const [depths, height] = depthsOf(box)
    const from = Math.max(0, Math.floor((top - box.top) / height))
    const to = Math.min(depths - 1, Math.floor((bottom - box.top) / height))
    for (let depth = from; depth <= to; depth++)
      rows.push({
        lane: box.track.first_lane + (box.folded ? spread(depth, depths, box.track.depths) : depth),
        track: box.track,
        top: box.top + depth * height,
        height,
        folded: box.folded,
      })
  }
  return rows
}

/** Lanes of open tracks that have no row, as nothing was on them in view. */
export function lanesWithoutRow(layout: Layout, top: number, bottom: number): number[] {
  const lanes: number[] = []
  const [first, last] = visibleBoxes(layout, top, bottom)
  for (let i = first; i <= last; i++) {
    const { track, folded, rows } = layout.boxes[i] as Box
    if (track && !folded) for (let depth = rows; depth < track.depths; depth++) lanes.push(track.first_lane + depth)
  }
  return lanes
}

/** The row under a height of the pane, or null between rows and on counters. */
export function rowAt(layout: Layout, y: number): Row | null {
  return visibleRows(layout, y, y).find((row) => y >= row.top && y < row.top + row.height) ?? null
}

export function boxUnder(layout: Layout, y: number): Box | null {
  const box = layout.boxes[boxAt(layout, y)]
  return box && y < box.top + box.height ? box : null
}

/** The box of a lane's track, and its row, the last one where it has none; null when the track is not shown. */
export function placeOfLane(layout: Layout, lane: number): { top: number; height: number; box: Box } | null {
  for (const box of layout.boxes) {
    const track = box.track
    if (!track || lane < track.first_lane || lane >= track.first_lane + track.depths) continue
    const [depths, height] = depthsOf(box)
    const depth = lane - track.first_lane
    const row = box.folded ? Math.floor((depth * depths) / track.depths) : Math.min(depth, depths - 1)
    return { top: box.top + row * height, height, box }
  }
  return null
}
