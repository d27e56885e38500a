import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bound } from './binding.ts'

const shown = (text: string) => bound(text).replaceAll('\u00a0', '_')

test('a number and its unit do not part, nor do a noun and its number', () => {
  assert.equal(
    shown('rank 2 takes 117 ms a step (34 %), 2.64 GiB, in 3 of 3 steps'),
    'rank_2 takes 117_ms a step (34_%), 2.64_GiB, in 3 of 3 steps',
  )
  assert.equal(shown('Step 3: ranks 0-3'), 'Step_3: ranks_0-3')
  assert.equal(shown('队列深度 · 流 7'), '队列深度 · 流_7')
  assert.equal(shown('rank 2 是慢 rank：占迭代 3 的 34 %'), 'rank_2 是慢 rank：占迭代_3 的 34_%')
  assert.equal(shown('3.2 % in the baseline, ▲ 14×, ▼ 2.0 %'), '3.2_% in the baseline, ▲_14×, ▼_2.0_%')
  assert.equal(shown('4.80 TB/s of 12 GPUs'), '4.80_TB/s of 12 GPUs')
})

test('commands and names stay as they are', () => {
  for (const text of ['stepscope show kernels --rank 2 --step 3:4', 'kernel:/gemm/ x0.5', 'ProfilerStep#3'])
    assert.equal(bound(text), text)
  assert.equal(shown('3 steps of 4 msgs'), '3 steps of 4 msgs')
})
