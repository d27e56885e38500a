import assert from 'node:assert/strict'
import { test } from 'node:test'

import { firstWhere } from './binary_search.ts'

test('finds what looking at one after the other finds', () => {
  const values = [1, 1, 3, 3, 3, 8]
  for (let from = 0; from <= values.length; from++)
    for (let to = from; to <= values.length; to++)
      for (const wanted of [0, 1, 2, 3, 8, 9]) {
        const holds = (at: number) => (values[at] as number) >= wanted
        const plain = values.findIndex((_, at) => at >= from && at < to && holds(at))
        assert.equal(firstWhere(from, to, holds), plain < 0 ? to : plain)
      }
})
