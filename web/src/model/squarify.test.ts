import assert from 'node:assert/strict'
import { test } from 'node:test'
import { squarified } from './squarify.ts'

test('the example of the paper: a rectangle of 6 x 4', () => {
  const boxes = squarified([6, 6, 4, 3, 2, 2, 1], 6, 4)
  assert.deepEqual(
    boxes.slice(0, 4).map(({ x, y, width, height }) => [x, y, width, height].map((one) => Number(one.toFixed(3)))),
    [
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.714, 2.333],
      [4.714, 0, 1.286, 2.333],
    ],
  )
})

test('areas are in proportion, and fill all there is without lying over each other', () => {
  const values = [40, 25, 13, 9, 5, 4, 2, 1, 0.5, 0.5]
  const boxes = squarified(values, 800, 300)
  const sum = values.reduce((a, b) => a + b, 0)
  boxes.forEach(({ width, height }, i) => {
    assert.ok(Math.abs(width * height - ((values[i] ?? 0) / sum) * 800 * 300) < 1e-6)
  })
  boxes.forEach((a, i) =>
    boxes.slice(i + 1).forEach((b) => {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
      assert.ok(wide < 1e-6 || high < 1e-6)
    }),
  )
  assert.ok(boxes.every((one) => one.x + one.width <= 800 + 1e-6 && one.y + one.height <= 300 + 1e-6))
})

test('no values, no room', () => {
  assert.deepEqual(squarified([], 10, 10), [])
  assert.deepEqual(squarified([1], 0, 10), [{ x: 0, y: 0, width: 0, height: 0 }])
  assert.deepEqual(squarified([1], 10, 10), [{ x: 0, y: 0, width: 10, height: 10 }])
})
