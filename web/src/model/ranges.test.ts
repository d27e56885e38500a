import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedNumbers, parsedRange, parsedRanges, rangeText, typedRange } from './ranges.ts'

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

test('a range as it is typed', () => {
  const range = [1_012_345_000, 1_012_678_000]
  for (const text of [
    '1,012.345 to 1,012.678 ms',
    ' 1,012.345 ms to 1,012.678 ms ',
    '1,012.345 至 1,012.678 ms',
    '1.012345 s - 1012.678 ms',
  ])
    assert.deepEqual(typedRange(text), range, text)
  for (const text of ['', 'first at 5 to 9 ms', '5 to 9', 'steps 5 to 9', '9 to 5 ms', '5 ms', 'a to b ms'])
    assert.equal(typedRange(text), null, text)
})
