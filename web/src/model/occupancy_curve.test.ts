import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityOf, curvePath, endOf, launchOf, type OccupancyCurve, occupancyCurves } from './occupancy_curve.ts'

const table = {
  data: {
    parameter: ['registers', 'registers', 'registers', 'block_size', 'block_size'],
    setting: [0, 32, 100, 1, 64],
    warps: [64, 48, 16, 32, 16],
    occupancy_pct: [100, 75, 25, 50, 25],
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
  assert.equal(curvePath(registers, 128, 64, 128, 64), 'M0.0 0.0H32.0V16.0H100.0V48.0H128')
})

const curve = (parameter: string, last: number): OccupancyCurve => ({
  parameter,
  steps: [
    { setting: 0, warps: 8 },
    { setting: last, warps: 4 },
  ],
  present: 0,
  capacity: 64,
  better: null,
})

test('axes end at what a launch may have at most, of shared memory at a round size behind the last step', () => {
  assert.deepEqual(
    [curve('registers', 129), curve('block_size', 993), curve('shared_mem', 49664), curve('shared_mem', 16896)].map(
      (one) => endOf(one),
    ),
    [255, 1024, 56 * 1024, 20 * 1024],
  )
  assert.equal(endOf(curve('shared_mem', 16896), curve('shared_mem', 232448)), 256 * 1024)
  assert.equal(endOf(curve('shared_mem', 0)), 1024)
})

test('the axis of warps ends at what an SM holds, which a curve may not reach', () => {
  const [, block] = occupancyCurves(table, [0, 1, 2, 3, 4])
  assert.ok(block)
  assert.deepEqual([block.capacity, capacityOf(block)], [64, 64])
  assert.equal(capacityOf({ ...block, capacity: 0 }), 32)
})

test('a launch lies at its setting if its step holds that, else in the middle of its step', () => {
  const registers = curve('registers', 100)
  assert.deepEqual([launchOf(registers, 24, 255), launchOf(registers, null, 255)], [24, 50])
  assert.equal(launchOf(registers, 200, 255), 50)
  assert.equal(launchOf({ ...registers, present: null }, 24, 255), null)
})
