import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelOf, TILE_CELLS, tileSpan, tilesOf } from './levels.ts'
import { Tiles } from './tiles.ts'

const LENGTH = tileSpan(4)

function drawn(tiles: Tiles<string>, level: number, first: number, last: number): [string, number, number][] {
  const found: [string, number, number][] = []
  tiles.pieces(level, first, last, 7, (piece, start, end) => found.push([piece, start, end]))
  return found
}

test('a level has cells between half a pixel and one pixel', () => {
  for (let length = 10; length < 1e13; length *= 1.7) {
    const view = { start: 0, end: length, width: 1000 }
    const pixels = 2 ** levelOf(view) / (length / 1000)
    assert.ok(pixels <= 1 || levelOf(view) === 0)
    assert.ok(pixels > 0.5)
  }
})

test('tiles end where the recording does', () => {
  assert.deepEqual(tilesOf(-500, 3 * LENGTH, 4, 1.5 * LENGTH), [0, 1])
  const [first, last] = tilesOf(-500, -1, 4, LENGTH)
  assert.ok(first > last)
  assert.equal(tileSpan(0), TILE_CELLS)
})

test('while a tile is missing the coarser one is drawn in its place, each moment once', () => {
  const tiles = new Tiles<string>(() => 1, 1000)
  tiles.put(6, 0, 7, 'coarse')
  tiles.put(4, 1, 7, 'fine')
  assert.deepEqual(drawn(tiles, 4, 0, 2), [
    ['coarse', 0, LENGTH],
    ['fine', LENGTH, 2 * LENGTH],
    ['coarse', 2 * LENGTH, 3 * LENGTH],
  ])
})

test('finer tiles are drawn when they cover the missing one', () => {
  const tiles = new Tiles<string>(() => 1, 1000)
  tiles.put(3, 0, 7, 'left')
  assert.deepEqual(drawn(tiles, 4, 0, 0), [])
  tiles.put(2, 2, 7, 'right, first half')
  tiles.put(2, 3, 7, 'right, second half')
  assert.deepEqual(
    drawn(tiles, 4, 0, 0).map(([piece]) => piece),
    ['left', 'right, first half', 'right, second half'],
  )
})

test('only what is missing is asked for, in runs of tiles', () => {
  const tiles = new Tiles<string>(() => 1, 1000)
  tiles.put(4, 1, 7, 'there')
  assert.deepEqual(tiles.missing(4, 0, 3 * LENGTH, 9 * LENGTH, [7]), [
    { level: 4, first: 0, last: 0, rows: [7] },
    { level: 4, first: 2, last: 2, rows: [7] },
  ])
  assert.deepEqual(tiles.missing(4, 0, 3 * LENGTH, 9 * LENGTH, [7, 8]), [
    { level: 4, first: 0, last: 0, rows: [7, 8] },
    { level: 4, first: 1, last: 1, rows: [8] },
    { level: 4, first: 2, last: 2, rows: [7, 8] },
  ])
})

test('the tiles longest unused go first, those on the screen never', () => {
  const tiles = new Tiles<string>(() => 10, 100)
  for (let i = 0; i < 30; i++) {
    tiles.tick()
    tiles.put(4, i, 7, `${i}`)
  }
  tiles.tick()
  assert.equal(tiles.has(4, 0, 7), false)
  assert.equal(tiles.has(4, 29, 7), true)
  assert.ok(Array.from({ length: 30 }, (_, i) => tiles.has(4, i, 7)).filter(Boolean).length <= 11)
})
