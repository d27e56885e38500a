/** 诊断页中各项数值与各 rank 的中文文本。Texts of the verdict's figures in Chinese, with the keys of `verdict.en.ts`. */

import { rangeZh } from './plural.ts'
import type { verdictEn } from './verdict.en.ts'

export const verdictZh: typeof verdictEn = {
  verdictJob: {
    figures: {
      jobStep: '作业的迭代时间',
      recorded: '记录值，按 GPU 时钟',
      longestRank: '每次迭代取最慢的 rank',
      allSteps: '全部迭代',
      delay: '慢 rank 拖延',
      delayOf: (rank, share) => `rank ${rank}，占作业迭代时间的 ${share}`,
      waiting: '未掩盖的通信：等待',
      transfer: '未掩盖的通信：传输',
      ofJob: '占作业的迭代时间（GPU）',
      ofStep: '占 GPU 时钟上的迭代时间',
      computing: 'GPU 计算占比',
      spread: (low, high) => `${rangeZh(low, high)}，各 rank 平均`,
      meanOfRanks: '各 rank 平均',
      without: '没有慢 rank 时',
      simulatedRange: (low, high) => `模拟，${rangeZh(low, high)}`,
      step: '记录的迭代时间',
      longerSide: '从第一次迭代开始到最后一次结束，除以迭代数；取 CPU 与 GPU 中较长的一方',
      gpuClock: '按 GPU 时钟',
      unprofiled: '扣除采集开销',
      sameUnprofiled: '扣除采集开销后基本不变',
      range: rangeZh,
      busy: 'GPU 忙碌占比',
      exposed: '未掩盖的通信',
      ofRank: (label, rank) => `${label}，rank ${rank}`,
      onCpu: '占 CPU 侧迭代时间',
      ofCpu: '占 CPU 侧迭代时间：',
      ofCpuMeans:
        '占 CPU 上迭代区间（从开始到结束）的比例。诊断中的比例以 GPU 时钟上的迭代为准：上一次迭代的 GPU 工作结束到本次结束',
      parts: {
        'verdict-part-runtime': 'GPU 运行时调用',
        'verdict-part-loader': '等待数据加载器',
        'verdict-part-operators': '算子及其调用',
        'verdict-part-unrecorded': 'GPU 运行时调用之外',
        'verdict-part-other': 'Python 等其他代码',
      },
    },
    ranksInJob: {
      label: '各 rank，按对作业的拖延排序',
      rank: 'Rank',
      role: '在作业中',
      delays: '拖延其他 rank',
      waits: '等待',
      computing: 'GPU 计算占比',
      step: '迭代时间（GPU）',
      straggler: '慢 rank',
      waitsFor: (rank) => `等待 rank ${rank}`,
      neither: '步调一致',
      more: (count) => `其余 ${count} 个见“Rank”页`,
    },
    incomplete: '记录不完整',
  },
}
