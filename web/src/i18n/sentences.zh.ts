/**
 * The sentences of the verdict in Chinese. The server writes them in English, from few patterns; what matches none of
 * these stays English. `sentences.zh.test.ts` holds an example of each.
 */

import { JOB_SENTENCES } from './sentences_job.zh.ts'

type Pattern = readonly [RegExp, (...found: string[]) => string]

const PARTS: Record<string, string> = {
  'in CUDA or HIP calls': '处于 CUDA 或 HIP 调用中',
  'waiting for the data loader': '等待数据加载器',
  'in operators': '处于算子中',
  'in Python, other libraries or waiting, outside any operator': '处于算子之外的 Python、其他库或等待中',
}
const UNITS: Record<string, string> = { step: '步', trace: '跟踪' }

/** `36 % in operators, 8 % in CUDA or HIP calls and 10 % …` */
function parts(text: string): string {
  const found = [...text.matchAll(/(\d+ %) (.+?)(?=, \d+ % | and \d+ % |$)/g)]
  if (found.length === 0) return text === 'idle' ? '空闲' : text
  return found.map(([, share = '', what = '']) => `${share} ${PARTS[what] ?? what}`).join('，')
}

const TAKEN = String.raw`As recorded, (a step|the trace) takes (.+?)(?: \((mean|median) of ([\d,]+)(?:; median (.+?))?\))?`
const WITHOUT = String.raw`, without the profiler about (.+?) \((.+?) to (.+?)\)`

/** What `TAKEN` found. */
function taken([what, time, averaged, steps, median]: string[]): string {
  const beside = median ? `，中位数 ${median}` : ''
  const over = steps ? `（${steps} 步的${averaged === 'mean' ? '平均值' : '中位数'}${beside}）` : ''
  return `按记录，${what === 'the trace' ? '整个跟踪' : '一步'}耗时 ${time}${over}`
}

const unprofiled = (best = '', low = '', high = '') => `不使用分析器时约为 ${best}（${low} 至 ${high}）`

const unit = (text: string) => UNITS[text] ?? text

const PATTERNS: Pattern[] = [
  ...JOB_SENTENCES,
  [
    new RegExp(`^${TAKEN}(?:${WITHOUT}; in the recording|;) the GPU works (.+) of it\\.$`),
    (...found) => {
      const [best, low, high, busy] = found.slice(5)
      return best
        ? `${taken(found)}，${unprofiled(best, low, high)}；记录中 GPU 工作 ${busy}。`
        : `${taken(found)}；其中 GPU 工作 ${busy}。`
    },
  ],
  [
    new RegExp(`^${TAKEN}${WITHOUT}; on the GPU's own clock it takes (.+), of which the GPU works (.+)\\.$`),
    (...found) => {
      const [best, low, high, own, busy] = found.slice(5)
      return `${taken(found)}，${unprofiled(best, low, high)}；按 GPU 自己的时钟耗时 ${own}，其中 GPU 工作 ${busy}。`
    },
  ],
  [
    new RegExp(`^${TAKEN} on the host, which is (.+)\\.$`),
    (...found) => `${taken(found)}（主机上）：${parts(found[5] ?? '')}。`,
  ],
  [
    /^Data loading holds the recorded (\w+) back: .+\.$/,
    (what = '') => `数据加载拖慢了所记录的${unit(what)}：加载器工作时 GPU 在等待。`,
  ],
  [
    /^The host holds the recorded (\w+) back: .+\.$/,
    (what = '') => `主机拖慢了所记录的${unit(what)}：GPU 在等待任务被启动。`,
  ],
  [/^Communication holds the recorded (\w+) back\.$/, (what = '') => `通信拖慢了所记录的${unit(what)}。`],
  [
    /^Of the host's (\w+) the GPU works (.+?); while it idles, the host is (.+)\.$/,
    (what = '', busy = '', of = '') =>
      `在主机的一${unit(what)}时间中 GPU 工作 ${busy}；GPU 空闲时，主机有 ${parts(of)}。`,
  ],
  [
    /^(\d+ %) of the (\w+) is communication that no computing covers\.$/,
    (share = '', what = '') => `${unit(what)}时间的 ${share} 是没有被计算掩盖的通信。`,
  ],
  [/^Without the profiler about (.+?) \((.+?) to (.+?)\)\.$/, (best, low, high) => `${unprofiled(best, low, high)}。`],
  [
    /^In the recording it waits for the host, but only .+$/,
    () => '记录中 GPU 在等待主机，但这只是因为分析器拖慢了主机。',
  ],
  [/^No host events were recorded: .+$/, () => '没有记录主机事件：无法判断是哪一侧造成拖慢。'],
  [/^The recorded (\w+) has no length: .+$/, (what = '') => `所记录的${unit(what)}长度为零：无法给出占比。`],
  [
    /^The GPU idles although work was queued: (.+ %) of its idle time it waits for work on other streams, .+$/,
    (share = '') => `任务已经排队，GPU 却空闲：空闲时间的 ${share} 在等待其他流上的任务，而不是等待主机。`,
  ],
  [
    /^The GPU idles although work was queued: (.+ %) of its idle time lies before .+$/,
    (share = '') => `任务已经排队，GPU 却空闲：空闲时间的 ${share} 位于启动早已返回的活动之前。记录没有说明原因。`,
  ],
  [
    /^The recording does not say what holds it back: (.+ %) of the GPU's idle time has no cause in it\.$/,
    (share = '') => `记录没有说明是什么造成拖慢：GPU 空闲时间的 ${share} 找不到原因。`,
  ],
  [
    /^Communication fills it: (.+ %) is communication that no computing covers\.$/,
    (share = '') => `通信占满了这段时间：${share} 是没有被计算掩盖的通信。`,
  ],
  [/^The GPU is the limit: .+$/, () => '瓶颈在 GPU：减少或加快 GPU 上的工作能缩短一步，改进主机一侧则不能。'],
  [/^(.+ %) is communication that no computing covers\.$/, (share = '') => `${share} 是没有被计算掩盖的通信。`],
  [/^(.+ %) is copies and fills that nothing covers\.$/, (share = '') => `${share} 是没有被掩盖的拷贝与填充。`],
  [/^The host runs ahead, .+$/, () => '主机领先运行，因此主机自己的区间并不是一步的时间：它结束时 GPU 仍有任务。'],
  [
    /^The (.+ %) in which the GPU idles are gaps between activities already queued\.$/,
    (share = '') => `GPU 空闲的 ${share} 是已排队活动之间的间隙。`,
  ],
  [
    /^(.+ %) of the kernel time could run on tensor cores but (.+ %) does: .+$/,
    (could = '', does = '') =>
      `${could} 的内核时间可以使用 Tensor Core，实际只有 ${does}：TF32 未开启，或缺少 autocast（float32 矩阵乘精度）。`,
  ],
  [/^No GPU activity was recorded\.$/, () => '没有记录 GPU 活动。'],
]

/** A sentence of the server in Chinese, or as it is. */
export function inChinese(sentence: string): string {
  for (const [pattern, say] of PATTERNS) {
    const found = pattern.exec(sentence)
    if (found) return say(...found.slice(1).map((one: string | undefined) => one ?? ''))
  }
  return sentence
}
