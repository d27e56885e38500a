import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLit, type Lit, litInLane, litNames } from './lit.ts'

/** Whether the event of this name is, in row 7 of lane 5. */
const shows = (lit: Lit | null, track: number, code: number) => isLit(litInLane(lit, track, 5), code, 7, 1)

test('without a choice everything keeps its colour, else what is of a name and a track chosen', () => {
  assert.equal(shows(null, 3, 9), true)
  const names = litNames([2, 9])
  assert.deepEqual(
    [2, 3, 9, 10].map((code) => shows(names, 3, code)),
    [true, false, true, false],
  )
  const tracks = { codes: null, tracks: new Set([3]), rows: null }
  assert.deepEqual([shows(tracks, 3, 9), shows(tracks, 4, 9)], [true, false])
  assert.equal(shows(litNames([]), 3, 0), false)
})

test('rows of a lane keep their colour under any name, and so does a cell with one of them', () => {
  const lit = litNames([2], new Map([[5, Uint32Array.of(3, 7, 8)]]))
  const cell = (first: number, count: number) => isLit(litInLane(lit, 0, 5), 9, first, count)
  assert.deepEqual([cell(7, 1), cell(4, 3), cell(4, 4), cell(9, 5), cell(0, 3)], [true, false, true, false, false])
  assert.equal(isLit(litInLane(lit, 0, 6), 9, 7, 1), false)
})
