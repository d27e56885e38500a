import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headline, worstFirst } from './verdicts.ts'

const one = (rank: number, step_ns: number | null, compute_pct: number | null) => ({
  rank,
  bound: 'gpu',
  step_ns,
  compute_pct,
  sentences: [],
})

test('the slowest rank first; of ranks in step with each other, the one that computes least', () => {
  const order = worstFirst([one(0, 100, 50), one(1, 200, 90), one(2, 199, 10), one(3, null, null)])
  assert.deepEqual(
    order.map((verdict) => verdict.rank),
    [2, 1, 3, 0],
  )
})

test('the limit stands in large type, the time of a step below it', () => {
  assert.deepEqual(headline(['a step takes 1 ms', 'the host holds it back', 'of which']), {
    main: 'the host holds it back',
    rest: ['a step takes 1 ms', 'of which'],
  })
  assert.deepEqual(headline(['No GPU activity was recorded.']), { main: 'No GPU activity was recorded.', rest: [] })
  assert.deepEqual(headline([]), { main: '', rest: [] })
})
