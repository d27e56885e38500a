import assert from 'node:assert/strict'
import test from 'node:test'
import { areaPath, bandsCsv, bandsOf, edgesOf, levelPath, momentsOf, mostIn, placeOf } from './memory_bands.ts'

const levels = {
  data: {
    rank: [0, 0, 0, 1],
    device: ['cuda:0', 'cuda:0', 'cuda:0', 'cuda:0'],
    point: [2, 0, 1, 0],
    at_ns: [30, 10, 20, 10],
    allocated_bytes: [40, 100, 160, 7],
    reserved_bytes: [200, null, 200, 7],
    peak: [false, false, true, true],
  },
}
const categories = {
  data: {
    rank: [0, 0, 0, 0, 0, 1],
    device: ['cuda:0', 'cuda:0', 'cuda:0', 'cuda:0', 'cuda:0', 'cuda:0'],
    point: [0, 0, 1, 1, 2, 0],
    category: ['activations', 'parameters', 'activations', 'parameters', 'parameters', 'unknown'],
    bytes: [60, 40, 120, 40, 40, 7],
  },
}
const device = { rank: 0, device: 'cuda:0' }
const bands = bandsOf(categories, levels, device)

test('bands lie in order of how long they live, points in order, other devices are left out', () => {
  assert.deepEqual(bands.points, [0, 1, 2])
  assert.deepEqual(bands.x, [10, 20, 30])
  assert.deepEqual(
    bands.bands.map((one) => [one.category, one.values]),
    [
      ['parameters', [40, 40, 40]],
      ['activations', [60, 120, 0]],
    ],
  )
  assert.equal(bands.peak, 1)
  assert.deepEqual(mostIn(bands, 10, 30), { most: 200, beyond: null })
  assert.deepEqual(mostIn(bands, 30, 30), { most: 40, beyond: 200 })
})

test('the topmost edge is what is allocated', () => {
  assert.deepEqual(edgesOf(bands).at(-1), bands.allocated)
})

test('a history without times is drawn by its entries', () => {
  const untimed = bandsOf(categories, { data: { ...levels.data, at_ns: [null, null, null, null] } }, device)
  assert.deepEqual([untimed.x, untimed.timed], [[0, 1, 2], false])
})

test('levels hold until the next point, and what is not known is a gap', () => {
  const left = (i: number) => i * 10
  assert.equal(
    levelPath([1, 2, null, 3], left, (value) => value),
    'M0.0 1.0H10.0L10.0 2.0H20.0M30.0 3.0H40.0',
  )
  assert.equal(
    areaPath([0, 0], [1, 2], left, (value) => value),
    'M0.0 1.0L10.0 1.0L10.0 2.0L20.0 2.0L20.0 0.0L10.0 0.0L10.0 0.0L0.0 0.0Z',
  )
})

test('a copy holds every point', () => {
  const text = bandsCsv(bands, { at: 'at', allocated: 'allocated', reserved: 'reserved' })
  assert.equal(text.trim().split('\n').length, 4)
  assert.match(text, /at,parameters,activations,allocated,reserved\r?\n10,40,60,100,\r?\n/)
})

test('along the entries, moments stand where the next entry does', () => {
  const data = { ...levels.data, event: [90, null, 5, 0] }
  const along = bandsOf(categories, { data }, device, 'entry')
  assert.deepEqual([along.x, along.timed], [[0, 5, 90], false])
  assert.deepEqual(
    [0, 15, 20, 99].map((moment) => placeOf(along, moment)),
    [0, 5, 5, 90],
  )
  assert.equal(placeOf(bands, 15), 15)
})

test('a stretch of entries is one of moments, never without any length', () => {
  const entries = bandsOf(categories, { data: { ...levels.data, event: [9, 2, 5, 0] } }, device, 'entry')
  assert.deepEqual(momentsOf(entries, [2, 6]), [10, 20])
  assert.deepEqual(momentsOf(entries, [5, 6]), [20, 21])
  assert.deepEqual(momentsOf(bands, [12, 17]), [12, 17])
  const untimed = bandsOf(categories, { data: { ...levels.data, at_ns: [null, null, null, null] } }, device)
  assert.equal(momentsOf(untimed, [0, 1]), null)
})
