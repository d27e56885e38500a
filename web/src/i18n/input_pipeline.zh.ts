/** 输入流水线的中文文字。 */

import type { inputPipelineEn } from './input_pipeline.en.ts'

export const inputPipelineZh: typeof inputPipelineEn = {
  inputPipeline: {
    title: '输入流水线',
    says: '从数据源到训练迭代，各算子后面的队列平均占用多少：瓶颈算子前面的队列是满的，后面的是空的。',
    mark: '瓶颈',
    processing: '数据处理',
    transfer: '传输',
    step: '训练迭代',
    hostQueue: '主机队列',
    deviceQueue: '设备队列',
    notReady: '未就绪的批次',
    late: '未到设备',
    queueFull: '队列已满',
    of: (part, whole) => `${part}/${whole}`,
    notRecorded: '没有记录',
    taken: '取走的批次',
    wait: '取一个的平均时间',
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
