/** 输入流水线的中文文字。 */

import type { inputPipelineEn } from './input_pipeline.en.ts'

export const inputPipelineZh: typeof inputPipelineEn = {
  inputPipeline: {
    title: '输入流水线',
    says: '从数据源到训练迭代，各算子后面的队列平均占用多少：瓶颈算子前面的队列是满的，后面的是空的。',
    mark: '瓶颈',
    rank: (rank) => `rank ${rank}`,
    operator: (name, id) => `${name}（${id}）`,
    workers: (count) => `${count} 个工作线程`,
    full: '队列占用',
    noQueue: '没有队列',
    operators: '输入流水线的算子',
    cpu: 'CPU 使用',
    batches: '批次',
  },
}
