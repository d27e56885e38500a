import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedIds, sidesOfPair, versus } from './run_baseline.ts'
import type { RunSummary } from './run_summary.ts'
import type { ListedRun } from './runs.ts'

/** A run of these steps in ns. */
function run(id: string, total: number[], more: Partial<ListedRun> = {}): ListedRun {
  const strip = { first: total, last: total, total, most: total, cut: total.map(() => false), parts: {} }
  const step_ns = total.reduce((sum, one) => sum + one, 0) / total.length
  const plain = { framework: 'PyTorch', kind: 'trace', ranks: 1, device: 'H200', steps: 3, health: null }
  const summary = { step_ns, strip, unmarked: false } as RunSummary
  return {
    id,
    name: id,
    ...plain,
    created_s: 0,
    updated_s: 0,
    size_bytes: 0,
    state: 'ready',
    opens: true,
    summary,
    ...more,
  }
}

test('a difference stands out where every step of one run is longer than all of the other', () => {
  const base = run('base', [100, 110])
  assert.deepEqual(versus(base, run('a', [50, 55])), { by_ns: -52.5, pct: -50, steps: 'apart' })
  assert.deepEqual(versus(base, run('b', [105, 126])), { by_ns: 10.5, pct: 10, steps: 'overlap' })
  assert.deepEqual(versus(base, run('c', [210])), { by_ns: 105, pct: 100, steps: 'single' })
})

test('steps that the recording cuts do not count', () => {
  const other = run('a', [50, 105, 200])
  assert.ok(other.summary?.strip)
  other.summary.strip.cut = [false, false, true]
  assert.equal((versus(run('base', [150, 160]), other) as { steps: string }).steps, 'apart')
})

test('runs that are not alike have no difference, but the word why', () => {
  const base = run('base', [100, 110])
  assert.equal(versus(base, run('a', [90, 95], { device: 'H100' })), 'device')
  assert.equal(versus(base, run('a', [90, 95], { framework: 'JAX' })), 'framework')
  assert.equal(versus(base, run('a', [90, 95], { ranks: 4 })), 'ranks')
  assert.equal(versus(base, run('a', [90, 95], { health: 'error' })), 'damaged')
  const deep = run('deep', [90, 95])
  assert.ok(base.summary && deep.summary)
  deep.summary.options = ['shapes', 'stacks']
  assert.notEqual(versus(base, deep), 'options', 'not known of the base')
  base.summary.options = []
  assert.equal(versus(base, deep), 'options')
  assert.equal(versus(base, run('a', [90, 95], { summary: { step_ns: 90, unmarked: true } as RunSummary })), 'steps')
  assert.equal(versus(base, run('a', [90], { summary: null })), null)
})

test('selected runs are read from an address that anybody may have written', () => {
  assert.deepEqual(parsedIds('["a/b","c,d"]'), ['a/b', 'c,d'])
  for (const text of [undefined, '', '[', '{}', '[1]', '"a"']) assert.deepEqual(parsedIds(text), [])
})

test('one selected run is compared with the baseline, else the newer of two with the older', () => {
  const [old, late] = [run('old', [1]), run('late', [1], { updated_s: 5 })]
  assert.deepEqual(sidesOfPair([late, old], null), { base: 'old', new: 'late' })
  assert.deepEqual(sidesOfPair([old], late), { base: 'late', new: 'old' })
  assert.deepEqual(sidesOfPair([old, late], late), { base: 'late', new: 'old' })
  assert.equal(sidesOfPair([old], null), null)
})
