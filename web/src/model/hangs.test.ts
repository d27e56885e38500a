import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableData } from '../api/types.ts'
import { hangsOf, placesOf } from './hangs.ts'

test('one circle of waiting ranks, which two rows tell of, is one hang', () => {
  const table = {
    data: { cause: ['wait_cycle', 'wait_cycle', 'no_dump'], finding: ['a', 'a', 'b'], follows: [false, false, true] },
  }
  const hangs = hangsOf(table as unknown as TableData)
  assert.deepEqual(
    hangs.map((one) => [one.row, one.cause, one.follows]),
    [
      [0, 'wait_cycle', false],
      [2, 'no_dump', true],
    ],
  )
})

test('ranks with one stack in one collective stand together, those behind first, and of one that waits only where it waits', () => {
  const table = {
    data: {
      rank: [0, 1, 2, 3, 0],
      group: ['1', '1', '1', '1', '2'],
      description: ['tp', 'tp', 'tp', null, 'dp'],
      state: ['waits', 'waits', 'waits', 'behind', 'behind'],
      collective: ['all_reduce', 'all_reduce', 'all_reduce', 'broadcast', 'broadcast'],
      sequence: [4, 4, 4, 3, 9],
      source: ['a.py:1', 'a.py:1', 'a.py:2', null, null],
      stack: ['a', 'a', 'b', null, null],
    },
  }
  const places = placesOf(table as unknown as TableData)
  assert.deepEqual(
    places.map((one) => [one.state, one.ranks, one.group, one.source]),
    [
      ['behind', '3', '1', ''],
      ['waits', '0-1', 'tp', 'a.py:1'],
      ['waits', '2', 'tp', 'a.py:2'],
    ],
  )
})
