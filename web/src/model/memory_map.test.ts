import assert from 'node:assert/strict'
import test from 'node:test'
import { LABEL, largestFree, LINE, mapOf, rectAt, rectBeside, type Segment, segmentsOf } from './memory_map.ts'

const table = {
  data: {
    rank: [0, 0, 0, 0, 1],
    device: ['cuda:0', 'cuda:0', 'cuda:0', 'cuda:0', 'cuda:0'],
    segment: [512, 512, 9000, 512, 1],
    pool: ['(0, 0)', '(0, 0)', '(0, 0)', '(0, 0)', '(0, 0)'],
    stream: [0, 0, 7, 0, 0],
    offset_bytes: [0, 60, 0, null, 0],
    bytes: [60, 40, 200, 0, 5],
    requested_bytes: [50, 0, 200, 0, 5],
    state: ['active_allocated', 'inactive', 'active_allocated', 'counted twice', 'inactive'],
    category: ['activations', null, 'parameters', null, null],
  },
}
const segments = segmentsOf(table, { rank: 0, device: 'cuda:0' })

test('segments have their blocks, the largest first, and say what of them is rounding', () => {
  assert.deepEqual(
    segments.map((one) => [one.address, one.stream, one.bytes, one.blocks.length]),
    [
      ['9000', 7, 200, 1],
      ['512', 0, 100, 2],
    ],
  )
  assert.equal(segments[1]?.blocks[0]?.rounding, 10)
  assert.equal(largestFree(segments)?.block.bytes, 40)
  assert.equal(largestFree([]), null)
})

const made = (sizes: number[]): Segment[] =>
  sizes.map((bytes, i) => ({
    address: `${i}`,
    pool: '',
    stream: 0,
    bytes,
    blocks: [{ row: i, offset: 0, bytes, rounding: 0, state: 'active_allocated', category: '' }],
  }))

test('bytes are to scale, and boxes of a segment fill it', () => {
  for (const sizes of [[100, 30, 20], Array.from({ length: 40 }, (_, i) => 100 - i), [1000, 1]]) {
    const map = mapOf(made(sizes), LABEL + 600)
    const scale = 600 / map.lineBytes
    sizes.forEach((size, at) => {
      const drawn = map.rects.filter((one) => one.segment === at).reduce((sum, one) => sum + one.width, 0)
      assert.ok(Math.abs(drawn - size * scale) < 1e-6)
    })
    assert.ok(map.rects.every((one) => one.x >= LABEL - 1e-6 && one.x + one.width <= LABEL + 600 + 1e-6))
  }
})

test('boxes of a line do not lie over one another', () => {
  const map = mapOf(made(Array.from({ length: 30 }, (_, i) => 90 - i)), LABEL + 300)
  for (const one of map.frames)
    for (const other of map.frames)
      if (one !== other && one.line === other.line && one.x <= other.x) assert.ok(one.x + one.width <= other.x + 1e-6)
})

test('a segment longer than a line goes on in the next one', () => {
  const map = mapOf(made([4096]), LABEL + 256)
  assert.ok(map.lines.length > 1)
  assert.equal(map.frames.length, map.lines.length)
})

test('blocks too narrow to be seen share a box, which counts them', () => {
  const segment: Segment = {
    address: '0',
    pool: '',
    stream: 0,
    bytes: 3000,
    blocks: Array.from({ length: 3000 }, (_, i) => ({
      row: i,
      offset: i,
      bytes: 1,
      rounding: 0,
      state: 'active_allocated',
      category: i < 1500 ? 'parameters' : 'gradients',
    })),
  }
  const map = mapOf([segment, ...made(Array.from({ length: 12 }, () => 3000))], LABEL + 300)
  const own = map.rects.filter((one) => one.segment === 0)
  assert.equal(own.length, 2)
  assert.equal(
    own.reduce((sum, one) => sum + one.count, 0),
    3000,
  )
})

test('the pointer and the arrow keys find boxes', () => {
  const map = mapOf(made([100, 90, 80]), LABEL + 300)
  const first = map.rects[0]
  assert.ok(first)
  assert.equal(rectAt(map, first.x + 1, first.line * LINE + 1), 0)
  assert.equal(rectAt(map, 2, 1), -1)
  assert.equal(rectBeside(map, -1, 'ArrowRight'), 0)
  assert.equal(rectBeside(map, 0, 'ArrowRight'), 1)
  assert.equal(rectBeside(map, 0, 'ArrowLeft'), 0)
})
