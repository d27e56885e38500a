import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cells, Track } from '../api/timeline.ts'
import type { TimelineData } from './data.ts'
import { rowChanges, rowsNeeded } from './row_counts.ts'
import { layout } from './rows.ts'

type Fetched = Record<number, [start: number, end: number][]>

/** Lanes as they were fetched, each whole; others are not known. */
function looking(fetched: Fetched, start: number, end: number) {
  const pieces: TimelineData['cells']['pieces'] = (_level, _first, _last, lane, found) => {
    const rows = fetched[lane]
    if (!rows) return
    const cells = {
      start: Float64Array.from(rows, ([from]) => from),
      end: Float64Array.from(rows, ([, to]) => to),
    } as Cells
    found({ cells, from: 0, to: rows.length }, 0, 1000)
  }
  return { view: { start, end, width: 100 }, bounds: { end: 1000 }, data: { cells: { pieces } } }
}

function track(id: number, first: number, depths: number): Track {
  return {
    ...{ id, rank: 0, section: 'host', kind: 'operators', title: { id: '', params: {}, text: { en: '', zh: '' } } },
    ...{ process: null, device: null, stream: null, thread: null, first_lane: first, depths, events: 1, busy_ns: 1 },
    ...{ collapsed: false, profiler: false, unit: null, max: null },
  }
}

test('a track needs rows down to the deepest one with something in view', () => {
  const deep = track(0, 0, 4)
  const lanes: Fetched = { 0: [[0, 900]], 1: [[100, 200]], 2: [[400, 410]], 3: [] }
  assert.deepEqual(rowsNeeded(looking(lanes, 0, 500), deep), { rows: 3, known: true })
  assert.deepEqual(rowsNeeded(looking(lanes, 120, 180), deep), { rows: 2, known: true })
  // What ends where the view begins, and begins where it ends, is not in it.
  assert.deepEqual(rowsNeeded(looking(lanes, 200, 400), deep), { rows: 1, known: true })
  assert.deepEqual(rowsNeeded(looking(lanes, 950, 990), deep), { rows: 1, known: true })
})

test('what was not fetched may be there', () => {
  const lanes: Fetched = { 0: [[0, 900]], 1: [[100, 200]] }
  assert.deepEqual(rowsNeeded(looking(lanes, 0, 500), track(0, 0, 4)), { rows: 2, known: false })
})

test('tracks grow where something is, and shrink where it is known that nothing is', () => {
  const tracks = [track(0, 0, 3), track(1, 3, 3), track(2, 6, 3)]
  const choices = {
    ...{ toggled: new Set<number>(), pinned: new Set<number>(), hidden: new Set<number>(), ranks: null },
    ...{ toggledSections: new Set<string>(), filter: '', byKind: false, simulated: new Set<number>() },
  }
  const rows = new Map([
    [0, 1],
    [1, 3],
  ])
  const pane = { layout: layout(tracks, choices, rows), top: 0, height: 800, scroll: 0 }
  const lanes: Fetched = { 0: [[0, 9]], 1: [[0, 9]], 2: [], 3: [[0, 9]], 4: [], 5: [], 6: [], 7: [] }
  const { more, less, same } = rowChanges(looking(lanes, 0, 100), [pane])
  assert.deepEqual([...more], [[0, 2]])
  assert.deepEqual([...less], [[1, 1]])
  assert.deepEqual([...same], [])
})
