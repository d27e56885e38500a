import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsOf, linksOf } from './findings.ts'

const table = {
  data: {
    rank: [0, 0, 1],
    id: ['sync', 'layout', 'sync'],
    title: ['a', 'b', 'c'],
    severity: ['high', 'low', 'high'],
    saving_pct: [12, 1, 30],
    saving_low_pct: [5, -4, 20],
    saving_high_pct: [19, 6, 40],
    saving_ns: [120, 10, 300],
    confidence: ['high', 'high', 'medium'],
    method: ['steps timed again without it', 'x', 'steps timed again without it, at least'],
    evidence: ['train.py:1', '', 'train.py:2'],
    advice: ['', '', 'Leave it out.'],
    unknown: ['', '', ''],
    start_ns: [10, null, 20],
    end_ns: [15, null, 25],
  },
}

test('a finding of several ranks stands once, with its largest saving', () => {
  const { worth, seen } = findingsOf(table)
  assert.deepEqual(
    worth.map((one) => [one.id, one.title, one.rank, one.ranks, one.saving.pct, one.atLeast, one.range]),
    [['sync', 'c', 1, 2, 30, true, [20, 25]]],
  )
  assert.deepEqual(seen, ['b'])
})

test('nothing found is no card', () => {
  assert.deepEqual(findingsOf({ data: { id: [] } }), { worth: [], seen: [], notes: [] })
})

test('a note is no card: nothing is promised', () => {
  const { worth, seen, notes } = findingsOf({
    data: { id: ['a'], severity: ['note'], saving_pct: [null], title: ['t'] },
  })
  assert.deepEqual([worth, seen, notes.map((one) => one.title)], [[], [], ['t']])
})

test('only https addresses are links', () => {
  const page = (scheme: string, path: string) => `${scheme}://docs.pytorch.org/${path}`
  const [one, two] = [page('https', 'docs/stable/data.html'), page('https', 'guide/index.html')]
  assert.deepEqual(linksOf([one, page('http', 'a'), page('ftp', 'b'), 'data:text/html,c', two].join(' ')), [
    { url: one, name: 'docs.pytorch.org: data' },
    { url: two, name: 'docs.pytorch.org: guide' },
  ])
  assert.deepEqual(linksOf(''), [])
})

test('a saving for each sample is none of the step', () => {
  const { worth } = findingsOf({
    data: { id: ['a', 'b'], severity: ['high', 'high'], method: ['with 8 times the batch, for each sample', 'x'] },
  })
  assert.deepEqual(
    worth.map((one) => one.perSample),
    [true, false],
  )
})
