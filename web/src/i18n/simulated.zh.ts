/** 时间线上模拟迭代的中文文本；与 simulated.en.ts 的键相同。Texts of the simulated step in Chinese, with the keys of `simulated.en.ts`. */

import { rangeZh } from './plural.ts'
import type { simulatedEn } from './simulated.en.ts'

export const simulatedZh: typeof simulatedEn = {
  simulated: {
    button: (steps) => (steps ? '模拟迭代' : '模拟'),
    title: '采用修改方案后这次迭代的样子，画在各轨道下方',
    onTimeline: '在时间线上显示模拟迭代',
    hide: '隐藏模拟迭代',
    chip: (step) => (step === null ? '模拟：整个跟踪' : `模拟：第 ${step} 次迭代`),
    toStep: (step) => (step === null ? '转到模拟的部分' : `只模拟典型迭代。转到第 ${step} 次迭代`),
    ofJob: '去掉慢 rank 后的作业由各 rank 的等待计算得出，不在单次迭代中模拟。见“假设分析”。',
    nothing: '没有可模拟的优化建议。请在“假设分析”中选择更改。',
    waiting: '正在模拟……',
    lane: '模拟',
    recorded: (time) => `${time} 记录`,
    what: { fix: '修改方案', change: '该更改', changes: '这些更改' },
    label: (after, range, saving, what, bound) =>
      `约 ${after}（${range}），比不采用${what}少 ${saving} · 届时的瓶颈：${bound}`,
    longer: (after, range, more, what, bound) =>
      `约 ${after}（${range}），比不采用${what}多 ${more} · 届时的瓶颈：${bound}`,
    range: rangeZh,
    ends: (step, recorded, before, after, range, what) =>
      `${step === null ? '整个跟踪' : `第 ${step} 次迭代`}：记录为 ${recorded}，扣除采集开销后约 ${before}，采用${what}后约 ${after}（${range}）。`,
    starts: (recorded, simulated) => `记录中始于 ${recorded}，模拟中始于 ${simulated}`,
    ofStep: (step) => (step === null ? '自跟踪开始起' : `自第 ${step} 次迭代开始起`),
    several: (count, name) => `${count} 个事件，主要是 ${name}`,
    unnamed: '在所记录的事件之间',
    bounds: {
      host: '主机受限',
      data_loading: '数据加载受限',
      compute: 'GPU 受限',
      communication: '通信受限',
      copies: '受内存拷贝、memset 限制',
    },
    details: {
      recorded: '记录值',
      before: '扣除采集开销',
      after: (what) => `采用${what}后`,
      boundBefore: '当前的瓶颈',
      boundAfter: '届时的瓶颈',
      time: (time, range) => `约 ${time}（${range}）`,
      mean: (time) => `所有迭代的平均值：${time}`,
      changes: '更改',
      tracks: '迭代中的工作',
      track: '轨道',
      trackRecorded: '记录',
      trackSimulated: '模拟',
      whatIf: '在“假设分析”中打开',
    },
  },
}
