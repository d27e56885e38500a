import assert from 'node:assert/strict'
import test from 'node:test'
import { growingStacks } from './memory_growth.ts'

test('steps of a stack come together in their order, stacks as the table has them', () => {
  const table = {
    data: {
      rank: [0, 0, 0, 1],
      device: ['cuda:0', 'cuda:0', 'cuda:0', 'cuda:0'],
      stack: [7, 7, 3, 9],
      step: [3, 2, 2, 2],
      then_bytes: [20, 10, 5, 1],
      then_blocks: [2, 1, 1, 1],
      added_bytes: [10, 10, 5, 1],
      bytes_per_step: [10, 10, null, 1],
      alive_bytes: [20, 20, 5, 1],
      blocks: [2, 2, 1, 1],
      grew: [2, 2, 1, 1],
      steps: [2, 2, 1, 1],
      source: ['a.py:1', 'a.py:1', '', 'b.py:1'],
      op: ['aten::zeros', 'aten::zeros', 'aten::mm', ''],
      category: ['', '', 'gradients', ''],
    },
  }
  const found = growingStacks(table, { rank: 0, device: 'cuda:0' })
  assert.deepEqual(
    found.map((one) => [one.stack, one.source, one.category, one.perStep, one.bars]),
    [
      [
        7,
        'a.py:1',
        'unknown',
        10,
        [
          { step: 2, then: 10, blocks: 1, added: 10 },
          { step: 3, then: 20, blocks: 2, added: 10 },
        ],
      ],
      [3, '', 'gradients', null, [{ step: 2, then: 5, blocks: 1, added: 5 }]],
    ],
  )
})
