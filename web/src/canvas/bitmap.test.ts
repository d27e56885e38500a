import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cells, firstEndingAfter, firstStartingFrom } from '../api/timeline.ts'
import { type Paint, paintPiece } from './bitmap.ts'
import { cellAt } from './cells.ts'
import { ALL_LIT, litCodes } from './lit.ts'
import { type Palette, SHADES } from './palette.ts'

/** Cells as [start, end, busy share, kind, name]. */
function cells(rows: [number, number, number, number, number][]): Cells {
  const column = (i: number) => rows.map((row) => row[i] as number)
  return {
    ...{ t0: 0, t1: 100, cell_ns: 1, lanes: [] },
    start: Float64Array.from(column(0)),
    end: Float64Array.from(column(1)),
    first: Uint32Array.from(rows.keys()),
    count: Uint32Array.from(rows, (row) => (row[2] === 1 ? 1 : 5)),
    name: Uint32Array.from(column(4)),
    busy: Uint16Array.from(rows, (row) => Math.round(row[2] * 65535)),
    kind: Uint8Array.from(column(3)),
    shade: new Uint8Array(rows.length),
  }
}

const COLOURS = Uint32Array.from({ length: 12 * SHADES }, (_, i) => 0x010101 * (1 + Math.floor(i / SHADES)))

function painted(
  rows: [number, number, number, number, number][],
  more: Partial<Paint> = {},
  width = 100,
): Uint32Array {
  const pixels = new Uint32Array(width)
  const palette = { colours: COLOURS, dimmed: new Uint32Array(12 * SHADES).fill(0xeeeeee), idleKind: 10 } as Palette
  const paint: Paint = {
    ...{
      palette,
      start: 0,
      scale: 1,
      lit: ALL_LIT,
      runs: null,
      idle: new Map(),
      wide: () => undefined,
      widest: Infinity,
    },
    ...more,
  }
  paintPiece(pixels, 0, width, { cells: cells(rows), from: 0, to: rows.length, start: 0, end: 100 }, paint)
  return pixels
}

const alpha = (pixel: number | undefined) => (pixel ?? 0) >>> 24

test('a wide event is whole pixels of its colour, with a line of background after it', () => {
  const pixels = painted([[10, 20, 1, 0, 0]])
  assert.equal(pixels[9], 0)
  for (let x = 10; x < 19; x++) assert.equal(pixels[x], 0xff010101)
  assert.equal(pixels[19], 0)
})

test('thin events share a pixel by how much of it they cover, and none is invisible', () => {
  const half = alpha(painted([[5, 5.5, 1, 0, 0]])[5])
  assert.ok(Math.abs(half - 128) <= 1)
  const both = painted([
    [5, 5.25, 1, 0, 0],
    [5.5, 6, 1, 2, 0],
  ])[5] as number
  assert.ok(Math.abs(alpha(both) - 191) <= 1)
  // One third of the first colour (1), two thirds of the third (3).
  assert.equal(both & 255, 2)
  assert.ok(alpha(painted([[5, 5, 1, 0, 0]])[5]) >= 60)
})

test('a merged cell is as strong as it is busy', () => {
  const [quiet, busy] = [painted([[10, 60, 0.1, 0, 0]]), painted([[10, 60, 0.9, 0, 0]])]
  assert.ok(alpha(quiet[30]) < alpha(busy[30]))
})

test('events before and after the image leave no mark, those across an edge do', () => {
  const pixels = painted([
    [-40, -20, 1, 0, 0],
    [-5, 3, 1, 0, 0],
    [97, 140, 1, 0, 0],
  ])
  assert.deepEqual([...pixels.slice(0, 2)].map(alpha), [255, 255])
  assert.equal(alpha(pixels[50]), 0)
  assert.equal(alpha(pixels[99]), 255)
})

test('a highlighted event outweighs all others of its pixel', () => {
  const rows: [number, number, number, number, number][] = [
    [5, 5.9, 1, 0, 1],
    [5.9, 6, 1, 2, 2],
  ]
  assert.ok(((painted(rows, { lit: { codes: litCodes([2]), rows: null } })[5] as number) & 255) < 0x40)
  assert.ok(((painted(rows, { lit: { codes: litCodes([3]), rows: null } })[5] as number) & 255) > 0xd0)
})

test('wide cells are told apart from narrow ones for their texts', () => {
  const seen: number[] = []
  const wide: Paint['wide'] = (_, index) => seen.push(index)
  painted(
    [
      [0, 30, 1, 0, 0],
      [40, 45, 1, 0, 0],
    ],
    { widest: 20, wide },
  )
  assert.deepEqual(seen, [0])
})

test('the cell at a moment is found, or the nearest within reach', () => {
  const all = cells([
    [10, 20, 1, 0, 0],
    [30, 30, 1, 0, 0],
    [40, 50, 1, 0, 0],
  ])
  const pieces = [{ cells: all, from: 0, to: 3, start: 0, end: 100 }]
  assert.equal(cellAt(pieces, 4, 15, 0)?.start, 10)
  assert.equal(cellAt(pieces, 4, 22, 3)?.start, 10)
  assert.equal(cellAt(pieces, 4, 29, 3)?.start, 30)
  assert.equal(cellAt(pieces, 4, 25, 3), null)
  assert.equal(cellAt(pieces, 4, 49.9, 0)?.lane, 4)
})

test('binary searches agree with looking at all', () => {
  const starts = Float64Array.from([0, 5, 5, 9, 20])
  const ends = Float64Array.from([4, 5, 8, 20, 21])
  for (let moment = -1; moment < 25; moment++) {
    const ending = [...ends].findIndex((one) => one > moment)
    assert.equal(firstEndingAfter(ends, 0, 5, moment), ending < 0 ? 5 : ending)
    const starting = [...starts].findIndex((one) => one >= moment)
    assert.equal(firstStartingFrom(starts, 0, 5, moment), starting < 0 ? 5 : starting)
  }
})
