import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunSummary } from './run_summary.ts'
import { parseFilter, rowsMatching } from './filtering.ts'
import {
  besideRun,
  folderOf,
  groupRuns,
  type ListedRun,
  namedWithin,
  NEWEST,
  nextRunSort,
  parseRunSort,
  runTable,
  sortRuns,
  valueOf,
} from './runs.ts'

function run(id: string, more: Partial<ListedRun> = {}): ListedRun {
  const plain = { framework: 'PyTorch', kind: 'trace', ranks: 1, steps: null, health: null, created_s: null }
  const nothing = { device: null, summary: null, state: 'unread', opens: true } as const
  return { id, name: id, updated_s: 0, size_bytes: 0, ...plain, ...nothing, ...more }
}

function summary(more: Partial<RunSummary>): RunSummary {
  const none = { device: null, rank: null, headline: null, saving: null, strip: null }
  const busy = { busy_pct: null, busy_low_pct: null, busy_high_pct: null }
  return { steps: 3, unmarked: false, ranks: 1, examined: 1, step_ns: null, bound: null, ...none, ...busy, ...more }
}

const ids = (runs: ListedRun[]) => runs.map((one) => one.id)

test('newest first unless the address says otherwise; a second click turns the order round', () => {
  const runs = [run('a', { updated_s: 1 }), run('b', { updated_s: 3 }), run('c', { updated_s: 2 })]
  assert.deepEqual(ids(sortRuns(runs, parseRunSort(undefined))), ['b', 'c', 'a'])
  assert.deepEqual(parseRunSort('nonsense'), NEWEST)
  assert.equal(nextRunSort(NEWEST, 'updated_s'), '-updated_s')
  assert.equal(nextRunSort(NEWEST, 'name'), '-name')
})

test('a file may hold several ranks, which only its reading tells', () => {
  const runs = [run('a'), run('b', { summary: summary({ ranks: 4 }) }), run('c', { ranks: 2, summary: summary({}) })]
  assert.deepEqual(
    runs.map((one) => valueOf(one, 'ranks')),
    [1, 4, 2],
  )
})

test('a damaged recording has no saving', () => {
  // A file that was cut off stood first by its saving, of half of a step.
  const saving = { id: 'launch-bound', saving_pct: 95 } as RunSummary['saving']
  const found = (health: ListedRun['health']) =>
    valueOf(run('a', { health, summary: summary({ saving }) }), 'saving_pct')
  assert.deepEqual([found('ok'), found('warning'), found('error')], [95, 95, null])
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

test('the filter of tables is the list’s: words of path and columns, and comparisons of figures', () => {
  const runs = [
    run('train/dit.json', { name: 'dit', device: 'NVIDIA H200', summary: summary({ bound: 'host', step_ns: 90e6 }) }),
    run('x', { framework: 'MindSpore', summary: summary({ bound: 'gpu', step_ns: 20e6, busy_pct: 96 }) }),
    run('y'),
  ]
  const titles = { step_ns: 'Step time', busy_pct: 'GPU busy', gpu: 'GPU', bottleneck: 'Bottleneck' }
  const { data, columns } = runTable(runs, titles)
  const kept = (text: string) => {
    const rows = rowsMatching(data, parseFilter(text, columns), { bottleneck: { host: 'Host-bound' } })
    return rows && [...rows].map((row) => runs[row]?.id)
  }
  assert.deepEqual(kept('minds'), ['x'])
  assert.deepEqual(kept('dit train'), ['train/dit.json'])
  assert.deepEqual(kept('bottleneck:host-b gpu:h200'), ['train/dit.json'])
  assert.deepEqual(kept('step time > 50ms'), ['train/dit.json'])
  assert.deepEqual(kept('gpu busy >= 90%'), ['x'])
  assert.deepEqual(parseFilter('step time >', columns).problems, [
    { kind: 'incomplete', written: 'step time >', example: 'step time > 1ms' },
  ])
  const example = (text: string) => parseFilter(text, columns).problems[0]?.example
  assert.deepEqual(['gpu >', 'bottleneck > 3', 'name >'].map(example), ['gpu:H200', 'bottleneck:host', 'name:train'])
})

test('what the summary says is sorted, unread runs last', () => {
  const runs = [
    run('a'),
    run('b', { summary: summary({ step_ns: 5 }) }),
    run('c', { summary: summary({ step_ns: 9 }) }),
  ]
  assert.deepEqual(ids(sortRuns(runs, parseRunSort('-step_ns'))), ['b', 'c', 'a'])
  assert.deepEqual(ids(sortRuns(runs, parseRunSort('step_ns'))), ['c', 'b', 'a'])
})

test('beside a run lie other kinds of its folder, not other traces', () => {
  const runs = [
    run('a/one'),
    run('a/two'),
    run('a/oom.pickle', { kind: 'memory_snapshot' }),
    run('b/x.sqlite', { kind: 'nsys' }),
    run('a/one/n.ncu-rep', { kind: 'kernel_report' }),
  ]
  assert.deepEqual(ids(besideRun(runs, 'a/one')), ['a/oom.pickle', 'a/one/n.ncu-rep'])
})

test('a name that holds the end of its folder says it once', () => {
  // MindSpore's runs are named by two folders: the list said `real-cpu/graph_old/graph_old/minddata`.
  assert.deepEqual(namedWithin('real-cpu/graph_old/minddata', 'graph_old/minddata'), {
    before: 'real-cpu',
    short: 'minddata',
  })
  assert.deepEqual(namedWithin('a/b', 'a/b'), { before: '', short: 'b' })
  assert.deepEqual(namedWithin('pairs/x.slow.pt.trace.json.gz', 'x.slow'), { before: 'pairs', short: 'x.slow' })
  assert.deepEqual(namedWithin('ba/c', 'a/c'), { before: 'ba', short: 'a/c' })
})
