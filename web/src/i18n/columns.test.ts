import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unitOf, withoutUnit } from '../model/units.ts'
import * as en from './table_words.en.ts'
import * as zh from './table_words.zh.ts'

test('no heading has the per cent sign of its column twice', () => {
  const words = [en.COLUMNS, zh.COLUMNS, ...Object.values(en.TABLE_COLUMNS), ...Object.values(zh.TABLE_COLUMNS)]
  const headings = words
    .flatMap((one) => Object.entries(one))
    .filter(([column]) => unitOf(column) === 'pct')
    .map(([, said]) => `${withoutUnit(typeof said === 'string' ? said : (said[0] ?? ''), '%')} %`)
  assert.ok(headings.includes('Calls %'))
  assert.deepEqual(
    headings.filter((heading) => heading.split('%').length > 2),
    [],
  )
})
