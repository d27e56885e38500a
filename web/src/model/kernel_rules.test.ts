import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesBeside } from './kernel_rules.ts'

const ROWS: [rule: string, kind: string, message: string, speedup: number | null][] = [
  ['AchievedOccupancy', 'OPT', 'Occupancy is 83.2%.', 16.8],
  ['CPIStall', 'OPT', 'Warps wait 208.7 cycles for memory.', 36.7],
  ['CPIStall', 'OPT', 'Warps wait 127.1 cycles after EXIT.', 31.1],
  ['SOLBottleneck', 'OPT', 'Look at the L2 bottleneck.', null],
  ['AchievedOccupancy', 'OPT', 'Occupancy is 74.5%.', 25.5],
  ['CPIStall', 'OPT', 'Warps wait 58.4 cycles for memory.', 36.7],
  ['SOLBottleneck', 'OPT', 'Look at the DRAM bottleneck.', null],
  ['SOLBottleneck', 'INF', 'Clocks were locked.', null],
]
const table = {
  data: {
    rule: ROWS.map(([rule]) => rule),
    kind: ROWS.map(([, kind]) => kind),
    scope: ROWS.map(() => 'global'),
    message: ROWS.map(([, , message]) => message),
    estimated_speedup_pct: ROWS.map(([, , , speedup]) => speedup),
  },
}

test('sentences of a rule are the same where only numbers differ; new, gone and changed ones are counted', () => {
  const { own, gone, added, changed } = rulesBeside(table, [0, 1, 2, 3], [4, 5, 6, 7])
  assert.deepEqual(
    own.map((one) => one.base && [one.base.row, one.base.speedup]),
    [[4, 25.5], [5, 36.7], null, [6, null]],
  )
  assert.deepEqual(
    gone.map((one) => one.said),
    ['Clocks were locked.'],
  )
  assert.deepEqual([added, changed], [1, 1])
})

test('what a rule says in other words is kept beside it', () => {
  const { own } = rulesBeside(table, [0, 3], [4, 6])
  assert.deepEqual(
    own.map((one) => one.base?.other),
    ['', 'Look at the DRAM bottleneck.'],
  )
  assert.deepEqual(rulesBeside(table, [0], []).own[0]?.base, null)
})
