import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Track } from '../api/timeline.ts'
import type { TrackChoices } from '../state/timeline.svelte.ts'
import {
  boxUnder,
  FOLDED,
  FOLDED_DEPTHS,
  HEADING,
  lanesWithoutRow,
  layout,
  ordered,
  pinnedLayout,
  placeOfLane,
  ROW,
  rowAt,
  shownTracks,
  TRACK_GAP,
  visibleRows,
} from './rows.ts'

const PLAIN: TrackChoices = {
  toggled: new Set(),
  pinned: new Set(),
  hidden: new Set(),
  toggledSections: new Set(),
  simulated: new Set(),
  filter: '',
  ranks: null,
  byKind: false,
}

function titled(text: string) {
  return { id: 'lane-thread', params: {}, text: { en: text, zh: text } }
}

function track(id: number, first: number, depths: number, more: Partial<Track> = {}): Track {
  return {
    ...{
      id,
      rank: 0,
      section: 'host',
      kind: 'operators',
      title: titled(`thread ${id}`),
      process: null,
      device: null,
    },
    ...{
      stream: null,
      thread: null,
      first_lane: first,
      depths,
      events: 1,
      busy_ns: 1,
      collapsed: false,
      profiler: false,
    },
    ...{ unit: null, max: null },
    ...more,
  }
}

const TRACKS = [
  track(0, 0, 1, { section: 'gpu', kind: 'stream', title: titled('stream 7') }),
  track(1, 1, 3),
  track(2, 4, 40, { kind: 'python', collapsed: true }),
  track(3, -1, 0, { section: 'counters', kind: 'counter' }),
]

test('tracks stand below each other, a heading before each section', () => {
  const { boxes, height } = layout(TRACKS, PLAIN)
  assert.deepEqual(
    boxes.map((box) => box.heading?.section ?? box.track?.id),
    ['gpu', 0, 'host', 1, 2, 'counters', 3],
  )
  assert.equal(boxes[1]?.top, HEADING)
  assert.equal(boxes[2]?.top, HEADING + ROW + TRACK_GAP)
  for (let i = 1; i < boxes.length; i++)
    assert.ok((boxes[i]?.top ?? 0) >= (boxes[i - 1]?.top ?? 0) + (boxes[i - 1]?.height ?? 0))
  assert.ok(height >= (boxes.at(-1)?.top ?? 0))
})

test('each height of an open track is the row of one lane, and the other way round', () => {
  const all = layout(TRACKS, PLAIN)
  for (const lane of [0, 1, 2, 3]) {
    const place = placeOfLane(all, lane)
    assert.equal(rowAt(all, (place?.top ?? 0) + 5)?.lane, lane)
  }
  assert.equal(rowAt(all, 3), null)
  assert.equal(boxUnder(all, 3)?.heading?.section, 'gpu')
})

test('an open track has the rows that it is given, and what lies below them stands on the last', () => {
  const few = layout(TRACKS, PLAIN, new Map([[1, 2]]))
  assert.equal(few.boxes.find((box) => box.track?.id === 1)?.height, 2 * ROW)
  assert.equal(few.height, layout(TRACKS, PLAIN).height - ROW)
  assert.deepEqual(
    visibleRows(few, 0, few.height)
      .filter((row) => row.track.id === 1)
      .map((row) => row.lane),
    [1, 2],
  )
  assert.deepEqual(lanesWithoutRow(few, 0, few.height), [3])
  assert.equal(placeOfLane(few, 3)?.top, placeOfLane(few, 2)?.top)
})

test('a track that only says that the profiler was on is hidden and named, until it is asked for', () => {
  const tracks = [...TRACKS.slice(0, 2), track(7, 9, 1, { kind: 'other', profiler: true })]
  const headed = (hidden: number[]) =>
    layout(tracks, { ...PLAIN, hidden: new Set(hidden) }).boxes.map(
      (box) => box.track?.id ?? box.heading?.hidden.map((one) => one.id),
    )
  assert.deepEqual(headed([]), [[], 0, [7], 1])
  assert.deepEqual(headed([7]), [[], 0, [], 1, 7])
  // A section of which nothing is left stays: there its tracks are named.
  assert.deepEqual(headed([0, 1]), [[0], [1, 7]])
})

test('a folded track shows depths from top to bottom within its height, and opens when toggled', () => {
  const all = layout(TRACKS, PLAIN)
  const rows = visibleRows(all, 0, all.height).filter((row) => row.track.id === 2)
  assert.equal(rows.length, FOLDED_DEPTHS)
  assert.equal(rows[0]?.lane, 4)
  assert.ok((rows.at(-1)?.lane ?? 0) >= 40)
  assert.ok(rows.every((row, i) => row.lane > (rows[i - 1]?.lane ?? 0)))
  assert.ok(Math.abs(rows.reduce((sum, row) => sum + row.height, 0) - FOLDED) < 1e-9)
  const open = layout(TRACKS, { ...PLAIN, toggled: new Set([2]) })
  assert.equal(open.boxes.find((box) => box.track?.id === 2)?.height, 40 * ROW)
})

test('pinned tracks stand in their own pane, hidden and filtered ones in none', () => {
  const choices = { ...PLAIN, pinned: new Set([1]), hidden: new Set([2]) }
  assert.deepEqual(
    pinnedLayout(TRACKS, choices).boxes.map((box) => box.track?.id),
    [1],
  )
  const left = layout(TRACKS, choices).boxes.flatMap((box) => box.track?.id ?? [])
  assert.deepEqual(left, [0, 3])
  assert.deepEqual(
    shownTracks(TRACKS, { ...PLAIN, filter: 'STREAM' }).map((one) => one.id),
    [0],
  )
  assert.deepEqual(shownTracks(TRACKS, { ...PLAIN, ranks: [1] }), [])
  assert.equal(layout(TRACKS, { ...PLAIN, toggledSections: new Set(['0.host']) }).boxes.length, 5)
})

test('of thousands of lanes only the visible ones are looked at', () => {
  const many = Array.from({ length: 5000 }, (_, i) => track(i, i * 4, 4))
  const all = layout(many, PLAIN)
  const rows = visibleRows(all, 100_000, 100_800)
  assert.ok(rows.length > 30 && rows.length < 60)
  assert.ok(rows.every((row) => row.top + row.height >= 100_000 && row.top <= 100_800))
  assert.equal(placeOfLane(all, 19_999)?.box.track?.id, 4999)
})

test('counters stand below the threads of their rank', () => {
  const mixed = [track(0, 0, 1, { section: 'counters' }), track(1, 1, 1), track(2, 2, 1, { rank: 1, section: 'gpu' })]
  assert.deepEqual(
    ordered(mixed).map((one) => one.id),
    [1, 0, 2],
  )
})

test('of many ranks the GPUs are seen first; a heading opens the rest, and so does a filter', () => {
  const ranks = [0, 1, 2, 3].flatMap((rank) => [
    track(2 * rank, 2 * rank, 1, { rank, section: 'gpu', kind: 'stream' }),
    track(2 * rank + 1, 2 * rank + 1, 1, { rank }),
  ])
  const seen = (choices: TrackChoices) => layout(ranks, choices).boxes.flatMap((box) => box.track?.id ?? [])
  assert.deepEqual(seen(PLAIN), [0, 2, 4, 6])
  assert.deepEqual(seen({ ...PLAIN, toggledSections: new Set(['1.host']) }), [0, 2, 3, 4, 6])
  assert.deepEqual(seen({ ...PLAIN, filter: 'thread' }).length, 8)
  assert.deepEqual(seen({ ...PLAIN, ranks: [0, 1] }), [0, 1, 2, 3])
})

test('by kind, tracks of all ranks stand together, in the order in which a rank has them', () => {
  const ranks = [0, 1].flatMap((rank) => [
    track(10 * rank, 4 * rank, 1, { rank, section: 'gpu', kind: 'stream', stream: 7, title: titled('stream 7') }),
    track(10 * rank + 1, 4 * rank + 1, 1, { rank, title: titled('main thread') }),
  ])
  const { boxes } = layout(ranks, { ...PLAIN, byKind: true })
  assert.deepEqual(
    boxes.map((box) => box.track?.id ?? box.heading?.of?.title.text.en),
    ['stream 7', 0, 10, 'main thread', 1, 11],
  )
  const keys = boxes.flatMap((box) => box.heading?.key ?? [])
  assert.equal(layout(ranks, { ...PLAIN, byKind: true, toggledSections: new Set(keys.slice(0, 1)) }).boxes.length, 4)
})
