import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellText, tableText, unitOf } from './units.ts'

test('a number has the unit that the schema gives its column', () => {
  const columns = ['total_ns', 'bytes', 'pct_of_roof', 'achieved_flops', 'flops', 'busbw', 'calls']
  assert.deepEqual(columns.map(unitOf), ['ns', 'bytes', 'pct', 'FLOP/s', 'flops', 'GB/s', 'count'])
})

test('numbers that name something have no separators', () => {
  assert.deepEqual(
    [cellText('stream', 1234), cellText('address', 139_000), cellText('calls', 1234)],
    ['1234', '139000', '1,234'],
  )
})

test('from a thousand on numbers have no decimals, whole ones among figures of different kinds never', () => {
  assert.deepEqual(
    [1_782_000.5, 999.996, 999.99, 345].map((value) => cellText('mean', value, true)),
    ['1,782,000', '1,000', '999.99', '345.00'],
  )
  assert.deepEqual(
    [3_199_378_117.58, 16, 21.63].map((value) => cellText('value', value, true)),
    ['3,199,378,118', '16', '21.63'],
  )
})

test('links between machines may be slow', () => {
  assert.deepEqual(
    [cellText('busbw', 0.001), cellText('algbw', 0.25), cellText('bandwidth', 41.26)],
    ['<0.01 GB/s', '0.25 GB/s', '41.3 GB/s'],
  )
})

test('moments of a table are told to the microsecond, lengths of time to three digits', () => {
  assert.deepEqual(
    [tableText('start_ns', 1_000_364_499), tableText('start_ns', -1500), tableText('duration_ns', 1_000_364_000)],
    ['1,000.364 ms', '-0.002 ms', '1.00 s'],
  )
})
