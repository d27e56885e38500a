import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunStripData } from './run_summary.ts'
import { partShares, stripPaths } from './run_strip.ts'

function strip(more: Partial<RunStripData> = {}): RunStripData {
  return {
    first: [1, 2],
    last: [1, 2],
    total: [10, 5],
    most: [10, 5],
    cut: [false, false],
    parts: { compute: [6, 5], host: [4, 0] },
    ...more,
  }
}

/** Height of every piece of a path, in its order. */
const heights = (path: string) =>
  [...path.matchAll(/M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g)].map((m) => Number(m[1]) - Number(m[2]))

test('parts stand on one another and add up to the bar', () => {
  const { parts, most } = stripPaths(strip(), 100, 22)
  assert.deepEqual(
    parts.map((one) => one.meaning),
    ['compute', 'host'],
  )
  const [compute = [], host = []] = parts.map((one) => heights(one.path))
  assert.equal(host.length, 1)
  assert.ok(Math.abs((compute[0] ?? 0) + (host[0] ?? 0) - 2 * (compute[1] ?? 0)) < 0.05)
  assert.equal(most, '')
})

test('a bar far longer than the others reaches the top and flattens none', () => {
  const total = [...new Array<number>(39).fill(10), 1000]
  const one = strip({ total, most: total, parts: { compute: total } })
  const found = heights(stripPaths(one, 120, 22).parts[0]?.path ?? '')
  assert.ok((found[0] ?? 0) > 15)
  assert.equal(found.at(-1), 22)
})

test('nothing but zeros draws nothing', () => {
  const none = strip({ total: [0], most: [0], parts: { compute: [0] } })
  assert.deepEqual(stripPaths(none, 100, 22), { parts: [], most: '' })
  assert.deepEqual(partShares(none), [])
})

test('shares are of all bars, largest first', () => {
  assert.deepEqual(partShares(strip()), [
    { part: 'compute', share: (100 * 11) / 15 },
    { part: 'host', share: (100 * 4) / 15 },
  ])
})
