import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  between,
  clamped,
  fitted,
  inside,
  isWhole,
  momentAt,
  panned,
  revealed,
  magnified,
  seen,
  SHORTEST,
  span,
  xOf,
  zoomed,
} from './viewport.ts'

const BOUNDS = { start: 0, end: 1e9 }
const VIEW = { start: 2e8, end: 4e8, width: 1000 }

test('zooming keeps the moment under the pointer', () => {
  for (const x of [0, 137, 500, 1000])
    for (const factor of [0.7, 1.3, 20]) {
      const next = zoomed(VIEW, BOUNDS, factor, x)
      assert.ok(Math.abs(momentAt(next, x) - momentAt(VIEW, x)) < 1)
      assert.ok(Math.abs(span(next) - span(VIEW) / factor) < 1)
    }
})

test('a moment and its place lead to each other', () => {
  for (const moment of [2e8, 2.5e8 + 1, 3.999e8]) assert.ok(Math.abs(momentAt(VIEW, xOf(VIEW, moment)) - moment) < 1e-3)
})

test('zoom ends at a few ns and at the whole recording', () => {
  assert.equal(span(zoomed(VIEW, BOUNDS, 1e30, 500)), SHORTEST)
  const whole = zoomed(VIEW, BOUNDS, 1e-30, 500)
  assert.ok(span(whole) >= 1e9 && span(whole) < 1.2e9)
  assert.ok(whole.start <= 0 && whole.end >= 1e9)
})

test('panning moves by pixels and ends half a plot past the recording', () => {
  const next = panned(VIEW, BOUNDS, 100)
  assert.equal(next.start, 2.2e8)
  const far = panned(VIEW, BOUNDS, 1e9)
  assert.equal(far.end, 1e9 + 1e8)
  assert.equal(panned(VIEW, BOUNDS, -1e9).start, -1e8)
})

test('fitting shows all of a range with room, whatever its length', () => {
  for (const [a, b] of [
    [5e8, 6e8],
    [5e8, 5e8],
    [0, 1e9],
    [1e9 - 1, 1e9],
  ] as const) {
    const next = fitted(VIEW, BOUNDS, a, b)
    assert.ok(next.start <= a && next.end >= b)
  }
})

test('a recording of no length can be looked at', () => {
  const view = clamped({ start: 0, end: 0, width: 800 }, { start: 0, end: 0 })
  assert.ok(span(view) > 0 && Number.isFinite(view.start))
})

// The toolbar said 100 ms of a recording of 98.39 ms: it counted the room beside its ends.
test('what is seen of the recording ends where the recording ends', () => {
  assert.deepEqual(seen(VIEW, BOUNDS), { start: 2e8, end: 4e8 })
  assert.deepEqual(seen(fitted(VIEW, BOUNDS, 0, 1e9), BOUNDS), BOUNDS)
  assert.deepEqual(seen({ start: -50, end: 30, width: 9 }, BOUNDS), { start: 0, end: 30 })
  assert.deepEqual(seen({ start: 2e9, end: 3e9, width: 9 }, BOUNDS), { start: 1e9, end: 1e9 })
})

test('revealing keeps the scale and does not move what is seen; magnifying zooms in on what is too small', () => {
  assert.equal(revealed(VIEW, BOUNDS, 2.5e8, 2.6e8), VIEW)
  const tiny = magnified(VIEW, BOUNDS, 3e8, 3e8 + 50)
  assert.ok(50 / span(tiny) > 0.004 && tiny.start < 3e8 && tiny.end > 3e8 + 50)
  const moved = revealed(VIEW, BOUNDS, 7e8, 7.1e8)
  assert.equal(Math.round(span(moved)), 2e8)
  assert.ok(moved.start < 7e8 && moved.end > 7.1e8)
})

test('what is looked at near an end of the recording has little beside it that was not recorded', () => {
  const looked = (start: number, end: number) => inside(fitted(VIEW, BOUNDS, start, end, 0.33), BOUNDS)
  const first = looked(0, 2e8)
  assert.equal(span(first), span(fitted(VIEW, BOUNDS, 0, 2e8, 0.33)))
  assert.ok(first.start > -0.03 * span(first) && first.start < 0)
  const last = looked(8e8, 1e9)
  assert.ok(last.end < 1e9 + 0.03 * span(last) && last.end > 1e9)
  assert.ok(Math.abs(looked(4e8, 5e8).start - fitted(VIEW, BOUNDS, 4e8, 5e8, 0.33).start) < 1)
  assert.ok(Math.abs(looked(0, 1e9).start - fitted(VIEW, BOUNDS, 0, 1e9, 0.33).start) < 1)
})

test('the first and the last event are in sight where all is, and are not revealed beside nothing', () => {
  const whole = fitted(VIEW, BOUNDS, 0, 1e9, 0.01)
  assert.equal(revealed(whole, BOUNDS, 1e6, 9e6), whole)
  assert.equal(revealed(whole, BOUNDS, 991e6, 999e6), whole)
  const first = revealed(VIEW, BOUNDS, 1e6, 9e6)
  assert.deepEqual([first.start, Math.round(first.end)], [-4e6, 196e6])
  const last = revealed(VIEW, BOUNDS, 991e6, 999e6)
  assert.deepEqual([Math.round(last.start), Math.round(last.end)], [804e6, 1004e6])
})

test('half way between two viewports is between them, and the ends are the ends', () => {
  const to = { start: 3e8, end: 3.1e8, width: 1000 }
  assert.ok(Math.abs(between(VIEW, to, 0).start - VIEW.start) < 1)
  assert.ok(Math.abs(between(VIEW, to, 1).end - to.end) < 1)
  const half = between(VIEW, to, 0.5)
  assert.ok(half.start > VIEW.start && half.end < VIEW.end)
})

test('all of the recording is shown by what one zooms out to, not by what reaches far behind it', () => {
  assert.ok(isWhole(fitted(VIEW, BOUNDS, 0, 1e9, 0.01), BOUNDS))
  assert.ok(isWhole(zoomed(VIEW, BOUNDS, 1e-30, 500), BOUNDS))
  assert.ok(!isWhole(VIEW, BOUNDS))
  assert.ok(!isWhole(fitted(VIEW, { start: 0, end: 3e9 }, 0, 3e9), BOUNDS))
})
