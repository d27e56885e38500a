import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOrigin } from './clock.ts'

test('a rank whose clock is ahead has later moments, exactly', () => {
  const table = { origin_ns: '4326141794396145001', shifts: { 2: '3000000001', 3: '-5' } }
  assert.equal(clockOrigin(table, 2), 4326141797396145002n)
  assert.equal(clockOrigin(table, 3), 4326141794396144996n)
  assert.equal(clockOrigin(table, 0), 4326141794396145001n)
  assert.equal(clockOrigin({ origin_ns: '7' }, null), 7n)
})
