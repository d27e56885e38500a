import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tipPlace } from './tip_place.ts'

const TIP = { width: 300, height: 60 }
const PLOT = { width: 800, height: 400 }

test('a tip stands on the side of the pointer that has room', () => {
  assert.deepEqual(tipPlace({ x: 100, y: 100 }, TIP, PLOT), { left: 114, top: 116 })
  assert.deepEqual(tipPlace({ x: 700, y: 380 }, TIP, PLOT), { left: 386, top: 306 })
})

test('a tip is never cut', () => {
  // With the dock open a tip left of the pointer ran under the titles of the tracks.
  const narrow = { width: 420, height: 90 }
  for (let x = 0; x <= 420; x += 20)
    for (let y = 0; y <= 90; y += 10) {
      const { left, top } = tipPlace({ x, y }, TIP, narrow)
      assert.ok(left >= 0 && left + TIP.width <= narrow.width, `${x}: ${left}`)
      assert.ok(top >= 0 && top + TIP.height <= narrow.height, `${y}: ${top}`)
    }
  assert.deepEqual(tipPlace({ x: 10, y: 10 }, TIP, { width: 100, height: 20 }), { left: 4, top: 4 })
})
