/** 输入流水线的中文文字。 */

import type { inputPipelineEn } from './input_pipeline.en.ts'

export const inputPipelineZh: typeof inputPipelineEn = {
  inputPipeline: {
    title: '输入流水线',
    says: '从数据源到训练迭代。条形为算子后面的队列平均占用：瓶颈算子前面的队列是满的，后面的是空的。',
    mark: '瓶颈',
    step: '训练迭代',
    rank: (rank) => `rank ${rank}`,
    workers: (count) => `${count} 个工作线程，`,
    full: (share) => `队列占用 ${share}`,
    noQueue: '没有队列',
    operators: '输入流水线的算子',
    cpu: 'CPU 使用',
    batches: '批次',
  },
}
