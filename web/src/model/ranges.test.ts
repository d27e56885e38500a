import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedNumbers, parsedRange, parsedRanges, rangeText } from './ranges.ts'

test('the URL keeps a range and refuses what is none', () => {
  assert.deepEqual(parsedRange(rangeText(12.7, 99.1)), [12, 100])
  for (const text of [undefined, '', '5', '5,', 'a,b', '9,3', '1,2,3', 'NaN,5']) assert.equal(parsedRange(text), null)
})

test('several ranges and numbers, without those that are none', () => {
  assert.deepEqual(parsedRanges('1,2;;x;3,9'), [
    [1, 2],
    [3, 9],
  ])
  assert.deepEqual(parsedNumbers('3,,x,-1,17'), [3, 17])
})
