/** 处理建议的中文文本；与 findings.en.ts 的键相同。Texts of what to mend in Chinese, with the keys of `findings.en.ts`. */

import type { findingsEn } from './findings.en.ts'

export const findingsZh: typeof findingsEn = {
  findings: {
    title: '可以改进之处',
    says: '不使用分析器的一个迭代可节省多少，由所记录的迭代重新计时得出。各项节省不能相加。',
    nothing: '没有发现节省大于两次运行之差的问题。',
    share: (percent, atLeast) => `${atLeast ? '≥ ' : ''}${percent} %`,
    perSample: '按每个样本的时间计',
    range: (low, high) => `${low} 至 ${high} %`,
    confidence: { high: '把握高', medium: '把握中等', low: '把握低' },
    ranks: (rank, count) => `rank ${rank} 上最多，共 ${count} 个 rank 出现`,
    unknown: (what) => `记录中看不出：${what}`,
    show: '在时间线上显示',
    note: (what) => `注意：${what}。`,
    whatIf: '在假设中计算',
    seen: (names) => `看到了，但不值得处理：${names}。`,
    all: '以表格查看全部发现',
  },
}
