import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisEnd, exactText, momentTexts, niceStep, tickText } from './ticks.ts'

test('marks of an axis are round in the unit that people read', () => {
  assert.equal(niceStep(141_000_000, 'total_ns', 5), 50_000_000)
  assert.equal(niceStep(7 * 2 ** 30, 'allocated_bytes', 5), 2 ** 31)
  assert.deepEqual(axisEnd(100, 'share_pct'), { max: 100, step: 20 })
  assert.deepEqual(axisEnd(3, 'calls'), { max: 3, step: 1 })
})

test('an axis without values still has an end', () => {
  for (const largest of [0, Number.NaN]) assert.ok(axisEnd(largest, 'total_ns').step > 0)
  assert.ok(axisEnd(0, 'share_pct').max > 0)
})

test('marks show no digits that say nothing', () => {
  assert.deepEqual(
    [0, 50e6, 2.5e9, 1e3].map((value) => tickText('total_ns', value)),
    ['0', '50 ms', '2.5 s', '1 us'],
  )
  assert.equal(tickText('allocated_bytes', 2 ** 31), '2 GiB')
  assert.equal(tickText('share_pct', 100), '100 %')
  assert.equal(tickText('calls', 12_000), '12,000')
  assert.equal(tickText('intensity', 0.001), '0.001')
  assert.equal(tickText('achieved_flops', 1e12), '1 TFLOP/s')
})

test('a rounded value is followed by all of its digits', () => {
  assert.equal(exactText('wait_ns', 31_542_513), '31.5 ms (31,542,513 ns)')
  assert.equal(exactText('wait_ns', 512), '512 ns')
  assert.equal(exactText('allocated_bytes', 1536), '1.50 KiB (1,536 B)')
  assert.equal(exactText('share_pct', null), '–')
})

test('marks of time stay apart however deep one looks', () => {
  assert.deepEqual(momentTexts([0, 50e6, 100e6], 50e6), ['0', '50 ms', '100 ms'])
  assert.deepEqual(momentTexts([1_234_000_000, 1_234_000_500], 500), ['1.2340000 s', '1.2340005 s'])
  assert.deepEqual(momentTexts([], 1), [])
})
