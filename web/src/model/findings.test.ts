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
    per_sample: [false, false, false],
    ranks: [2, 1, 2],
    largest: [false, true, true],
    evidence: ['train.py:1', '', 'train.py:2'],
    advice: ['', '', 'Leave it out.'],
    unknown: ['', '', ''],
    start_ns: [10, null, 20],
    end_ns: [15, null, 25],
  },
}

test('a finding of several ranks stands once, with its largest saving', () => {
  const { recommended, minor } = findingsOf(table)
  assert.deepEqual(
    recommended.map((one) => [one.id, one.title, one.rank, one.ranks, one.saving.pct, one.range]),
    [['sync', 'c', 1, 2, 30, [20, 25]]],
  )
  assert.deepEqual(
    minor.map((one) => one.title),
    ['b'],
  )
})

test('nothing found is no card', () => {
  assert.deepEqual(findingsOf({ data: { id: [] } }), { recommended: [], minor: [], notes: [] })
})

test('a note is no card: nothing is promised', () => {
  const { recommended, minor, notes } = findingsOf({
    data: { id: ['a'], severity: ['note'], saving_pct: [null], title: ['t'], largest: [true] },
  })
  assert.deepEqual([recommended, minor, notes.map((one) => one.title)], [[], [], ['t']])
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

test('the largest saving of a step first; one per sample is not one of the step', () => {
  const { recommended } = findingsOf({
    data: {
      id: ['a', 'b', 'c'],
      severity: ['high', 'high', 'high'],
      per_sample: [true, false, false],
      largest: [true, true, true],
      saving_pct: [80, 10, 20],
    },
  })
  assert.deepEqual(
    recommended.map((one) => [one.id, one.perSample]),
    [
      ['c', false],
      ['b', false],
      ['a', true],
    ],
  )
})

test('sentences are the messages behind the words of their cells', () => {
  const title = { id: 'finding-a-title', params: {}, text: { en: 'It waits', zh: '等待' } }
  const { recommended } = findingsOf({
    data: { id: ['a'], severity: ['high'], largest: [true], title: ['It waits'], advice: ['Do not.'] },
    messages: { title: { 'It waits': title } },
  })
  assert.deepEqual(
    recommended.map((one) => [one.title, one.advice, one.unknown]),
    [[title, 'Do not.', '']],
  )
})
