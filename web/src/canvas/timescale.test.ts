import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentText, scaleOf, tickStep } from './timescale.ts'

test('ticks are 1, 2 or 5 times a power of ten apart', () => {
  assert.equal(tickStep(1e4, 110), 2e6)
  assert.equal(tickStep(1e4, 100), 1e6)
  assert.equal(tickStep(0.001, 110), 1)
})

test('no two ticks read the same at any zoom', () => {
  const at = 12_201_345_678
  for (let length = 20; length < 1e12; length *= 3.7) {
    const { ticks, base } = scaleOf({ start: at, end: at + length, width: 1600 })
    const texts = ticks.map((tick) => tick.text)
    assert.equal(new Set(texts).size, texts.length, `${length}: ${texts.join(' ')}`)
    assert.ok(
      texts.every((text) => text.replace(/\D/g, '').length <= 8),
      texts.join(' '),
    )
    assert.ok(base <= at)
  }
})

test('ticks cover the viewport', () => {
  const { ticks } = scaleOf({ start: 3, end: 1003, width: 500 })
  assert.ok((ticks[0]?.at ?? 9) <= 3 && (ticks.at(-1)?.at ?? 0) >= 1003)
})

test('moments have the digits that the step needs', () => {
  assert.equal(momentText(12_400_000, 100_000), '12.4 ms')
  assert.equal(momentText(12_400_000, 1000), '12.400 ms')
  assert.equal(momentText(0, 1000), '0')
  assert.equal(momentText(250, 50), '250 ns')
  assert.equal(momentText(-1500, 100), '-1.5 us')
  // A span that began before the first event was said to start at -0 ms.
  assert.equal(momentText(-138_000, 1e6), '-138 us')
  assert.equal(momentText(-0.6, 1e6), '-0.6 ns')
  assert.equal(momentText(1_000_000, 1e6), '1 ms')
})
