import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AROUND, firstRow, ROW, scrollFor, scrollToNamed } from './virtual.ts'

const ROOM = 20 * ROW

test('a row that the keyboard reaches is scrolled to no further than it must be', () => {
  assert.equal(scrollFor(5, 0, 100, ROOM), null)
  assert.equal(scrollFor(20, 0, 100, ROOM), ROW)
  assert.equal(scrollFor(3, 10 * ROW, 100, ROOM), 3 * ROW)
})

test('a row that is chosen elsewhere stands near the top, with rows before it', () => {
  // It was the last of the table, and often below the end of the page.
  assert.equal(scrollToNamed(60, 0, 100, ROOM), (60 - AROUND) * ROW)
  assert.equal(scrollToNamed(15, 0, 100, ROOM), (15 - AROUND) * ROW)
  assert.equal(scrollToNamed(4, 0, 100, ROOM), null)
  assert.equal(scrollToNamed(1, 50 * ROW, 100, ROOM), 0)
})

test('at the end of a table no row is scrolled beyond it', () => {
  const scrolled = scrollToNamed(99, 0, 100, ROOM)
  assert.equal(scrolled, 80 * ROW)
  assert.equal(firstRow(scrolled ?? 0, 100, ROOM), 80)
})
