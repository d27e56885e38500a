import assert from 'node:assert/strict'
import { test } from 'node:test'

import { inNpuWords } from './device_words.ts'

test('texts, lists and what functions make are in the words of NPUs', () => {
  const words = inNpuWords({
    busy: 'GPU busy',
    each: ['GPUs', 'GPUDirect'],
    fix: 'remove torch.cuda.synchronize(), time with CUDA events',
    zh: 'GPU 空闲',
    on: (share: string) => `the GPU is busy ${share} of the time`,
    parts: (ms: number) => [{ name: 'GPU', ms }],
    number: 3,
    none: null,
  })
  assert.equal(words.busy, 'NPU busy')
  assert.deepEqual(words.each, ['NPUs', 'GPUDirect'])
  assert.equal(words.fix, 'remove torch.npu.synchronize(), time with NPU events')
  assert.equal(words.zh, 'NPU 空闲')
  assert.equal(words.on('40 %'), 'the NPU is busy 40 % of the time')
  assert.deepEqual(words.parts(2), [{ name: 'NPU', ms: 2 }])
  assert.deepEqual([words.number, words.none], [3, null])
})

test('names of a recording stay as they are', () => {
  const words = inNpuWords({
    waits: (name: string, more: string[]) => `the GPU waits for ${name} (${more.join(', ')})`,
  })
  assert.equal(words.waits('copy to GPU', ['GPU 0']), 'the NPU waits for copy to GPU (GPU 0)')
})
