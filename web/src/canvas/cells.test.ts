import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cells } from '../api/timeline.ts'
import { following, type Piece } from './cells.ts'

/** An answer whose cells are these events, numbered from `first` on. */
function answer(first: number, ...events: [number, number][]): Cells {
  return {
    t0: 0,
    t1: 100,
    cell_ns: 1,
    lanes: [],
    start: Float64Array.from(events, ([start]) => start),
    end: Float64Array.from(events, ([, end]) => end),
    first: Uint32Array.from(events, (_, at) => first + at),
    count: new Uint32Array(events.length).fill(1),
    name: new Uint32Array(events.length),
    busy: new Uint16Array(events.length),
    kind: new Uint8Array(events.length),
    shade: new Uint8Array(events.length),
  }
}

function piece(cells: Cells, start: number, end: number): Piece {
  return { cells, from: 0, to: cells.start.length, start, end }
}

test('an event in the tiles of two answers is drawn once, as long as it is', () => {
  const open = piece(answer(0, [0, 10], [20, 70]), 0, 50)
  const next = following(open, piece(answer(1, [20, 70], [80, 90]), 50, 100))
  assert.equal(open.end, 70)
  assert.deepEqual([next?.from, next?.start, next?.end], [1, 70, 100])
})

test('an event over three tiles of three answers is still drawn by the first', () => {
  const open = piece(answer(0, [0, 140]), 0, 50)
  assert.equal(following(open, piece(answer(0, [0, 140]), 50, 100)), null)
  assert.equal(following(open, piece(answer(0, [0, 140]), 100, 150)), null)
  assert.equal(open.end, 150)
})

test('different events of two answers stay two, and tiles of one answer are one piece', () => {
  const open = piece(answer(0, [0, 10]), 0, 50)
  const other = piece(answer(1, [60, 70]), 50, 100)
  assert.equal(following(open, other), other)
  const cells = answer(0, [0, 10], [60, 70])
  const first = { ...piece(cells, 0, 50), to: 1 }
  assert.equal(following(first, { ...piece(cells, 50, 100), from: 1 }), null)
  assert.deepEqual([first.to, first.end], [2, 100])
})
