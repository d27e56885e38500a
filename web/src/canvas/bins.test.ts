import assert from 'node:assert/strict'
import { test } from 'node:test'
import { binsAsked, binsOfTile } from './bins.ts'
import { tileSpan } from './levels.ts'

test('whole tiles are asked for whole, and each has its bins', () => {
  const asked = binsAsked({ level: 4, first: 2, last: 4 }, 256, 1e9)
  assert.deepEqual(asked, { t0: 32768, t1: 81920, px: 768 })
  assert.deepEqual(binsOfTile(asked ?? assert.fail(), 768, 4, 3), { from: 256, count: 256, start: 49152, end: 65536 })
})

// A window past the end was cut by the server, and its bins were drawn stretched over what had been asked.
test('nothing is asked for past the end, and the bins stand where they were asked for', () => {
  const asked = binsAsked({ level: 10, first: 0, last: 0 }, 256, 262_144)
  assert.deepEqual(asked, { t0: 0, t1: 262_144, px: 64 })
  assert.deepEqual(binsOfTile(asked ?? assert.fail(), 64, 10, 0), { from: 0, count: 64, start: 0, end: 262_144 })
  const high = binsAsked({ level: 52, first: 0, last: 0 }, 256, 98_390_123)
  assert.deepEqual(high, { t0: 0, t1: 98_390_123, px: 1 })
  assert.equal(binsAsked({ level: 0, first: 1, last: 1 }, 256, 1024), null)
})

test('the tiles of an answer have all of its bins, those of odd widths twice', () => {
  const end = 5 * tileSpan(3) + 777
  const asked = binsAsked({ level: 3, first: 1, last: 5 }, 256, end) ?? assert.fail()
  const tiles = [1, 2, 3, 4, 5].map((index) => ({ index, ...binsOfTile(asked, asked.px, 3, index) }))
  assert.equal(tiles[0]?.from, 0)
  assert.equal((tiles.at(-1)?.from ?? 0) + (tiles.at(-1)?.count ?? 0), asked.px)
  for (const { index, start, end: to } of tiles) {
    assert.ok(start <= index * tileSpan(3) + 1e-3)
    assert.ok(to >= Math.min(end, (index + 1) * tileSpan(3)) - 1e-3)
  }
})
