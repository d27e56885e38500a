/** 优化建议的中文文本；与 findings.en.ts 的键相同。Texts of the recommendations in Chinese, with the keys of `findings.en.ts`. */

import { rangeZh } from './plural.ts'
import type { findingsEn } from './findings.en.ts'

export const findingsZh: typeof findingsEn = {
  findings: {
    title: '优化建议',
    says: (straggler) =>
      `节省量为扣除采集开销后一次迭代的百分比${straggler ? '（慢 rank 的节省按所记录的作业迭代计）' : ''}，由模拟得出，从大到小排列；各项节省不能相加。`,
    bySample: '按样本计：迭代变长，但包含更多样本',
    ofRank: (rank, said) => `${rank}：${said}`,
    waits: (rank) => `该 rank 自身没有可优化之处：其迭代在等待 rank ${rank}。`,
    ofJob: '查看全部 rank 的优化建议',
    nothing: '没有超过运行间波动的优化建议。',
    unexamined: '没有优化建议：无法模拟。',
    share: (percent) => `${percent} %`,
    perSample: '按每个样本的耗时计',
    range: (low, high) => `${rangeZh(low, high)} %`,
    because: '：',
    confidence: { high: '置信度高', medium: '置信度中', low: '置信度低' },
    ranks: (rank, count) => `rank ${rank} 上最多，共 ${count} 个 rank 出现`,
    unknown: (what) => `记录中看不出：${what}`,
    show: '在时间线上显示',
    note: (what) => `注意：${what}。`,
    noteUnknown: (what) => `记录中看不出：${what}。`,
    adviceHere: {
      'finding-first-step-advice': '平均值包含它：请在上方的迭代条中选择其后的迭代，或多预热几次迭代再记录。',
      'finding-uneven-steps-advice': '平均值包含它们：请在时间线上查看，或在上方的迭代条中选择其他迭代。',
    },
    whatIf: '假设分析',
    separator: '；',
    minor: (titles) => `影响较小，低于运行间波动：${titles}。`,
    all: '以表格查看全部优化建议',
  },
}
