import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curvePath, endOf, occupancyCurves } from './occupancy_curve.ts'

const table = {
  data: {
    parameter: ['registers', 'registers', 'registers', 'block_size', 'block_size'],
    setting: [0, 32, 100, 1, 64],
    warps: [64, 48, 16, 32, 16],
    present: [false, true, false, false, true],
  },
}

test('a curve knows where the launch is, and what makes room for more warps', () => {
  const [registers, block] = occupancyCurves(table, [0, 1, 2, 3, 4])
  assert.deepEqual([registers?.present, registers?.better], [1, { below: 32, warps: 64 }])
  // A larger block is no less room taken.
  assert.deepEqual([block?.present, block?.better], [1, null])
  assert.deepEqual(occupancyCurves(table, []), [])
})

test('where nothing changes on the way down there is nothing to gain', () => {
  const [registers] = occupancyCurves(
    { data: { ...table.data, present: [true, false, false, false, false] } },
    [0, 1, 2],
  )
  assert.deepEqual([registers?.present, registers?.better], [0, null])
})

test('steps go right, then up or down, to the end of the box', () => {
  const [registers] = occupancyCurves(table, [0, 1, 2])
  assert.ok(registers)
  assert.equal(endOf(registers), 111)
  assert.equal(curvePath(registers, 64, 111, 64), 'M0.0 0.0H32.0V16.0H100.0V48.0H111')
})
