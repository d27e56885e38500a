import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLit, litCodes } from './lit.ts'

test('without a choice everything keeps its colour, else what is of a name and a track chosen', () => {
  assert.equal(isLit(null, 3, 9), true)
  const names = { codes: litCodes([2, 9]), tracks: null }
  assert.deepEqual(
    [2, 3, 9, 10].map((code) => isLit(names, 3, code)),
    [true, false, true, false],
  )
  const tracks = { codes: null, tracks: new Set([3]) }
  assert.deepEqual([isLit(tracks, 3, 9), isLit(tracks, 4, 9)], [true, false])
  assert.equal(isLit({ codes: litCodes([]), tracks: null }, 3, 0), false)
})
