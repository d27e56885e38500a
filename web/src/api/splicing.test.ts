import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeldCells } from './held_cells.ts'
import { spliced } from './splicing.ts'

type Made = [start: number, end: number, first: number, count: number]

/** A piece with cells of one lane, all of the name `name`. */
function piece(t0: number, t1: number, cell_ns: number, name: number, cells: Made[], lane = 4): HeldCells {
  const column = (i: 0 | 1 | 2 | 3) => cells.map((cell) => cell[i])
  const same = (value: number) => cells.map(() => value)
  return {
    t0,
    t1,
    cell_ns,
    lanes: new Map([[lane, { offset: 0, count: cells.length }]]),
    start: new Float64Array(column(0)),
    end: new Float64Array(column(1)),
    first: new Uint32Array(column(2)),
    count: new Uint32Array(column(3)),
    name: new Uint32Array(same(name)),
    busy: new Uint16Array(same(65535)),
    kind: new Uint8Array(same(0)),
    shade: new Uint8Array(same(0)),
  }
}

const [COARSE, FINE] = [1, 2]
// Events of 8 ns every 10 ns from 0 to 1,000, five to a cell of the coarse piece.
const coarse = piece(
  0,
  1000,
  64,
  COARSE,
  Array.from({ length: 20 }, (_, i) => [50 * i, 50 * i + 48, 5 * i, 5]),
)
// The same from 400 to 500, one by one.
const fine = piece(
  400,
  500,
  1,
  FINE,
  Array.from({ length: 10 }, (_, i) => [400 + 10 * i, 408 + 10 * i, 40 + i, 1]),
)

function cellsOf(found: ReturnType<typeof spliced>): Made[] {
  return Array.from(found.start, (start, i) => [start, found.end[i] ?? 0, found.first[i] ?? 0, found.count[i] ?? 0])
}

test('seen from afar, the coarse piece is enough', () => {
  const found = spliced([coarse, fine], 0, 1000, 64, [4])
  assert.equal(found.cell_ns, 64)
  assert.deepEqual(found.lanes, [{ lane: 4, offset: 0, count: 20 }])
  assert.deepEqual(new Set(found.name), new Set([COARSE]))
})

test('seen closely, finer cells take the place of coarser ones where they are held', () => {
  const found = spliced([coarse, fine], 350, 560, 1, [4])
  assert.deepEqual(cellsOf(found), [
    [350, 398, 35, 5],
    ...Array.from({ length: 10 }, (_, i): Made => [400 + 10 * i, 408 + 10 * i, 40 + i, 1]),
    [500, 548, 50, 5],
    [550, 598, 55, 5],
  ])
  assert.equal(found.cell_ns, 64)
})

test('within the finer piece its detail is said to be all there is', () => {
  const found = spliced([coarse, fine], 420, 450, 1, [4])
  assert.equal(found.cell_ns, 1)
  assert.deepEqual(cellsOf(found), [
    [420, 428, 42, 1],
    [430, 438, 43, 1],
    [440, 448, 44, 1],
  ])
})

test('a merged cell that reaches into the finer piece ends where that begins', () => {
  const whole = piece(0, 1000, 256, COARSE, [
    [0, 240, 0, 24],
    [250, 390, 24, 15],
    [500, 990, 39, 50],
  ])
  const found = spliced([whole, piece(300, 400, 1, FINE, [[300, 310, 29, 1]])], 0, 1000, 1, [4])
  assert.deepEqual(cellsOf(found), [
    [0, 240, 0, 24],
    [250, 300, 24, 15],
    [300, 310, 29, 1],
    [500, 990, 39, 50],
  ])
})

test('a merged cell around the finer piece stands on both sides of it', () => {
  const whole = piece(0, 1000, 256, COARSE, [[0, 900, 0, 90]])
  const found = spliced([whole, piece(300, 400, 1, FINE, [[310, 320, 31, 1]])], 0, 1000, 1, [4])
  assert.deepEqual(cellsOf(found), [
    [0, 300, 0, 90],
    [310, 320, 31, 1],
    [400, 900, 0, 90],
  ])
})

test('an event that begins before the finer piece is told once', () => {
  const whole = piece(0, 1000, 8, COARSE, [
    [0, 500, 0, 1],
    [600, 610, 1, 1],
  ])
  const found = spliced([whole, piece(400, 550, 1, FINE, [[0, 500, 0, 1]])], 0, 1000, 1, [4])
  assert.deepEqual(cellsOf(found), [
    [0, 500, 0, 1],
    [600, 610, 1, 1],
  ])
})

test('of several pieces over the whole time the coarsest that is fine enough is taken, else the finest', () => {
  const exact = piece(0, 1000, 1, FINE, [[0, 8, 0, 1]])
  assert.deepEqual([...spliced([exact, coarse], 0, 1000, 64, [4]).name].slice(0, 1), [COARSE])
  assert.deepEqual([...spliced([exact, coarse], 0, 1000, 32, [4]).name], [FINE])
  assert.equal(spliced([coarse], 0, 1000, 2, [4]).cell_ns, 64)
})

test('lanes that are not held are left out, empty windows hold nothing', () => {
  assert.deepEqual(spliced([coarse], 0, 1000, 64, [9]).lanes, [])
  assert.deepEqual(spliced([coarse], 48, 50, 64, [4]).lanes, [{ lane: 4, offset: 0, count: 0 }])
  assert.deepEqual(spliced([], 0, 10, 1, [4]).lanes, [])
})

test('events without a length lie in the window that begins with them', () => {
  const held = piece(0, 100, 1, FINE, [
    [5, 5, 0, 1],
    [10, 10, 1, 1],
    [20, 20, 2, 1],
  ])
  assert.deepEqual(cellsOf(spliced([held], 10, 20, 1, [4])), [[10, 10, 1, 1]])
})

test('every window of mixed pieces has cells in order that do not overlap, and none twice', () => {
  let seed = 1
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  for (let round = 0; round < 200; round++) {
    const from = random(900)
    const to = from + 1 + random(100)
    const events = Array.from({ length: 100 }, (_, i): Made => [10 * i, 10 * i + 8, i, 1])
    const some = events.filter(([start, end]) => start < to && end > from)
    const found = spliced([coarse, piece(from, to, 1, FINE, some)], random(500), 500 + random(500), 1, [4])
    for (let i = 1; i < found.start.length; i++)
      assert.ok((found.start[i] ?? 0) >= (found.end[i - 1] ?? 0), `round ${round}`)
    const single = cellsOf(found).filter(([, , , count]) => count === 1)
    assert.equal(new Set(single.map(([, , first]) => first)).size, single.length)
  }
})
