import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRanks } from './ranks.ts'
import { runsText } from './ranges.ts'

const ALL = [0, 1, 2, 3, 4, 8, 9, 255]

test('ranks are written as numbers and ranges', () => {
  assert.deepEqual(parseRanks('0-2, 8', ALL), [0, 1, 2, 8])
  assert.deepEqual(parseRanks('9 255 9', ALL), [9, 255])
  assert.deepEqual(parseRanks('3:1000', ALL), [3, 4, 8, 9, 255])
})

test('what is no list of ranks, or names none that exists, is nothing', () => {
  assert.deepEqual(
    ['', 'a', '1-', '7', '-1'].map((text) => parseRanks(text, ALL)),
    [null, null, null, null, null],
  )
})

test('ranks in few words', () => {
  assert.deepEqual(
    [[0], [0, 1, 2, 8], [3, 1, 2], []].map((ranks) => runsText(ranks)),
    ['0', '0-2, 8', '1-3', ''],
  )
})
