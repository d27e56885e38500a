import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  besideRun,
  filterRuns,
  folderOf,
  groupRuns,
  type ListedRun,
  NEWEST,
  nextRunSort,
  parseRunSort,
  sortRuns,
} from './runs.ts'

function run(id: string, more: Partial<ListedRun> = {}): ListedRun {
  const plain = { framework: 'PyTorch', kind: 'trace', ranks: 1, steps: null, health: null, created_s: null }
  return { id, name: id, updated_s: 0, size_bytes: 0, ...plain, ...more }
}

const ids = (runs: ListedRun[]) => runs.map((one) => one.id)

test('newest first unless the address says otherwise; a second click turns the order round', () => {
  const runs = [run('a', { updated_s: 1 }), run('b', { updated_s: 3 }), run('c', { updated_s: 2 })]
  assert.deepEqual(ids(sortRuns(runs, parseRunSort(undefined))), ['b', 'c', 'a'])
  assert.deepEqual(parseRunSort('nonsense'), NEWEST)
  assert.equal(nextRunSort(NEWEST, 'updated_s'), '-updated_s')
  assert.equal(nextRunSort(NEWEST, 'name'), '-name')
})

test('what is not known comes last either way', () => {
  const runs = [run('a', { steps: null }), run('b', { steps: 3 }), run('c', { steps: 30 })]
  assert.deepEqual(ids(sortRuns(runs, { column: 'steps', smallest: true })), ['b', 'c', 'a'])
  assert.deepEqual(ids(sortRuns(runs, { column: 'steps', smallest: false })), ['c', 'b', 'a'])
})

test('health is sorted by how bad it is, names with numbers by number', () => {
  const sick = [run('a', { health: 'ok' }), run('b', { health: 'error' }), run('c', { health: 'warning' })]
  assert.deepEqual(ids(sortRuns(sick, { column: 'health', smallest: false })), ['b', 'c', 'a'])
  const named = [run('step10'), run('step9')]
  assert.deepEqual(ids(sortRuns(named, { column: 'name', smallest: true })), ['step9', 'step10'])
})

test('groups by folder, the folder of the first run first', () => {
  const groups = groupRuns([run('b/x'), run('a/y'), run('b/z'), run('top')])
  assert.deepEqual(
    groups.map((group) => [group.folder, ids(group.runs)]),
    [
      ['b', ['b/x', 'b/z']],
      ['a', ['a/y']],
      ['', ['top']],
    ],
  )
  assert.equal(folderOf('a/b/c.json.gz'), 'a/b')
})

test('filtering looks at path, name and framework', () => {
  const runs = [run('train/dit.json'), run('x', { framework: 'MindSpore' })]
  assert.deepEqual(ids(filterRuns(runs, 'minds')), ['x'])
  assert.deepEqual(ids(filterRuns(runs, 'dit train')), ['train/dit.json'])
})

test('beside a run lie other kinds of its folder, not other traces', () => {
  const runs = [
    run('a/one'),
    run('a/two'),
    run('a/oom.pickle', { kind: 'memory_snapshot' }),
    run('b/x.sqlite', { kind: 'nsys' }),
    run('a/one/n.ncu-rep', { kind: 'ncu' }),
  ]
  assert.deepEqual(ids(besideRun(runs, 'a/one')), ['a/oom.pickle', 'a/one/n.ncu-rep'])
})
