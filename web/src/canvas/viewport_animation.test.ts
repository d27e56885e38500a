import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moved, speedAfter, tapped } from './viewport_animation.ts'
import { span } from './viewport.ts'

const BOUNDS = { start: 0, end: 1e9 }
const VIEW = { start: 4e8, end: 5e8, width: 1000 }
const STILL = { pan: 0, zoom: 0, fast: false }

test('held keys move faster the longer, up to an end', () => {
  const speeds = [0, 200, 500, 700, 5000].map((held) => speedAfter(held, [100, 500]))
  assert.equal(speeds[0], 100)
  assert.equal(speeds.at(-1), 500)
  assert.deepEqual(
    speeds,
    [...speeds].sort((a, b) => a - b),
  )
})

test('pan moves towards later moments, shift further, and nothing held moves nothing', () => {
  const once = moved(VIEW, BOUNDS, { ...STILL, pan: 1 }, 16, 0, 500)
  const fast = moved(VIEW, BOUNDS, { ...STILL, pan: 1, fast: true }, 16, 0, 500)
  assert.ok(once.start > VIEW.start && fast.start > once.start)
  assert.equal(moved(VIEW, BOUNDS, STILL, 16, 0, 500), VIEW)
})

test('the way does not depend on how often it is drawn', () => {
  const held = { ...STILL, zoom: 1 }
  let often = VIEW
  for (let i = 0; i < 10; i++) often = moved(often, BOUNDS, held, 5, 1000, 300)
  const seldom = moved(VIEW, BOUNDS, held, 50, 1000, 300)
  assert.ok(Math.abs(span(often) / span(seldom) - 1) < 1e-9)
})

// At ten pictures a second a tap was over before the first of them: it zoomed by 1 %.
test('pressing a key moves by a step at once; holding it on or letting go does not', () => {
  const zoom = { ...STILL, zoom: 1 }
  const near = tapped(VIEW, BOUNDS, STILL, zoom, 500)
  assert.ok(Math.abs(span(VIEW) / span(near) - 1.2) < 1e-9)
  const back = tapped(near, BOUNDS, STILL, { ...STILL, zoom: -1 }, 500)
  assert.ok(Math.abs(back.start - VIEW.start) < 1 && Math.abs(back.end - VIEW.end) < 1)
  assert.equal(tapped(VIEW, BOUNDS, STILL, { ...STILL, pan: 1 }, 500).start, 4.06e8)
  assert.equal(tapped(VIEW, BOUNDS, STILL, { ...STILL, pan: -1, fast: true }, 500).start, 3.82e8)
  assert.equal(tapped(VIEW, BOUNDS, zoom, { ...zoom, fast: true }, 500), VIEW)
  assert.equal(tapped(VIEW, BOUNDS, zoom, STILL, 500), VIEW)
})
