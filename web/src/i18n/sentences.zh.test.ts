import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inChinese } from './sentences.zh.ts'

/** One of each that the verdict can say, as it was said about recordings. */
const SAID = [
  'As recorded, a step takes 339 ms (median of 2); the GPU works 97.5 % of it.',
  'As recorded, the trace takes 1.20 s; the GPU works <0.1 % of it.',
  'As recorded, a step takes 12.0 ms (median of 3) on the host, which is 61 % in operators and 39 % in Python, other libraries or waiting, outside any operator.',
  'Data loading holds the recorded step back: the GPU waits while the loader works.',
  'The host holds the recorded trace back: the GPU waits for work to be launched.',
  'Communication holds the recorded step back.',
  "Of the host's step the GPU works 47 %; while it idles, the host is 36 % in operators, 10 % in Python, other libraries or waiting, outside any operator and 8 % in CUDA or HIP calls.",
  '12 % of the step is communication that no computing covers.',
  'As recorded, a step takes 172 ms (mean of 3; median 82.5 ms) on the host, which is 61 % in operators.',
  "As recorded, the trace takes 13.3 s, without the profiler about 13.3 s (12.9 s to 13.7 s); on the GPU's own clock it takes 1.36 ms, of which the GPU works 61.0 %.",
  'As recorded, a step takes 82.3 ms (mean of 1,200; median 42.1 ms), without the profiler about 51.3 ms (45.7 ms to 59.4 ms); in the recording the GPU works 11.4 % of it.',
  'As recorded, a step takes 42.6 ms (mean of 2), without the profiler about 21.3 ms (15.7 ms to 29.4 ms); in the recording the GPU works 11.4 % of it.',
  'Without the profiler about 21.3 ms (15.7 ms to 29.4 ms).',
  'In the recording it waits for the host, but only because the profiler slows the host down.',
  'No host events were recorded: which side holds it back cannot be told.',
  'The recorded step has no length: shares of it cannot be given.',
  'The GPU idles although work was queued: 40 % of its idle time it waits for work on other streams, not for the host.',
  'The GPU idles although work was queued: 60 % of its idle time lies before activities whose launch had returned long before. The recording does not say why.',
  "The recording does not say what holds it back: 90 % of the GPU's idle time has no cause in it.",
  'Communication fills it: 96 % is communication that no computing covers.',
  'The GPU is the limit: less or faster GPU work makes the step shorter, host work does not.',
  '7 % is communication that no computing covers.',
  '9 % is copies and fills that nothing covers.',
  "The host runs ahead, so its own range is not the step's time: the GPU still has work when it ends.",
  'The 20 % in which the GPU idles are gaps between activities already queued.',
  '90 % of the kernel time could run on tensor cores but 10 % does: TF32 is off or autocast is missing (float32 matmul precision).',
  "The other ranks wait for rank 2: its own work holds them back by 118 ms (35 %) of the job's step of 341 ms, in 3 of 3 steps.",
  'So do rank 4 by 4.83 ms, rank 7 by 4 ms and 2 more.',
  'Why: compute, aten::mm (nvjet) under extra_work: 119 ms a step more than rank 3, in 20 more kernels.',
  'Why rank 3: data loading, loader: the GPU idles 4.02 ms a step more than on rank 0.',
  'Why: compute, the same kernels take 1.42 times as long as on rank 1 (slower clock, another process on the GPU, or other work under the same names).',
  'Without that a step of the job would take about 223 ms.',
  'Without that a step of the job would take about 223 ms at best, as far as other stages of the pipeline are not waited for then.',
  'No rank is late by 2 % of a step: the latest, rank 3, by 0.1 ms (0.1 %).',
  'No rank is late by 2 % of a step: none is late by its own work.',
  'Which rank is late cannot be told: no collective that needs all its ranks was found on several of them.',
  'Whether ranks 1-2, 5 are late cannot be told: too few of their collectives can be compared.',
  'Whether rank 3 is late cannot be told: too few of their collectives can be compared.',
  'Whether rank 2, which is waited for most, is late by its own work could not be told: look at it.',
  'Some collectives are not recorded on all their ranks: what looks like transferring may be waiting for one.',
  'Rank 3 may be late, by 9.37 ms (3.9 %) a step: too near to what chance makes, 6.68 ms, to say so.',
  'Rank 3 is late in 1 of 3 steps only, by 33.3 ms (12.9 %) a step on average: no straggler, but look at those steps.',
  "Of the job's step nothing computes during 26 % waiting for another rank, 62 % transferring (mean over ranks); 88 % of that waiting ends when rank 2 arrives.",
  'No GPU activity was recorded.',
]

test('every sentence of the verdict is said in Chinese, with all its numbers', () => {
  for (const sentence of SAID) {
    const said = inChinese(sentence)
    assert.match(said, /[\u4e00-\u9fff]/, sentence)
    const numbers = (text: string) => (text.match(/(?<![A-Za-z])\d+(?:\.\d+)?/g) ?? []).toSorted()
    assert.deepEqual(numbers(said.replace(/float32|TF32/g, '')), numbers(sentence.replace(/float32|TF32/g, '')), said)
  }
})

test('the mean of uneven steps is said with their median, and the GPU’s own clock where it is another', () => {
  assert.equal(
    inChinese('As recorded, a step takes 172 ms (mean of 3; median 82.5 ms) on the host, which is 61 % in operators.'),
    '按记录，一步耗时 172 ms（3 步的平均值，中位数 82.5 ms）（主机上）：61 % 处于算子中。',
  )
  assert.equal(
    inChinese(
      "As recorded, a step takes 13.3 s, without the profiler about 13.2 s (12.9 s to 13.7 s); on the GPU's own clock it takes 1.36 ms, of which the GPU works 61.0 %.",
    ),
    '按记录，一步耗时 13.3 s，不使用分析器时约为 13.2 s（12.9 s 至 13.7 s）；按 GPU 自己的时钟耗时 1.36 ms，其中 GPU 工作 61.0 %。',
  )
})

test('what is not known stays as it is', () => {
  assert.equal(inChinese('Something new.'), 'Something new.')
})
