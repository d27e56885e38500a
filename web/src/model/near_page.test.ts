import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearPage } from './near_page.ts'

const NAMES = [
  ['what_if', 'what_if'],
  ['what_if', 'What if'],
  ['step_trace', 'step_trace'],
  ['operators', '算子'],
  ['operators', 'operators'],
  ['kernels', 'kernels'],
] as const

test('a page is found by another spelling, a slip of the finger, its beginning or its name in another language', () => {
  assert.equal(nearPage('what-if', NAMES), 'what_if')
  assert.equal(nearPage('WhatIf', NAMES), 'what_if')
  assert.equal(nearPage('operator', NAMES), 'operators')
  assert.equal(nearPage('kernls', NAMES), 'kernels')
  assert.equal(nearPage('step', NAMES), 'step_trace')
  assert.equal(nearPage('算子', NAMES), 'operators')
})

test('nothing near is nothing', () => {
  assert.equal(nearPage('nonsense', NAMES), null)
  assert.equal(nearPage('<img src=x>', NAMES), null)
  assert.equal(nearPage('', NAMES), null)
})
