/** Texts of the recordings of a run: the button in the bar, the box under it, the page, in Chinese. */

import { countText } from '../model/format.ts'
import type { RecordingWords } from './recordings.en.ts'

export const recordingsZh: RecordingWords = {
  recordings: {
    means:
      '此运行由哪些记录组成。各条横线画在同一时钟上，即参考记录的时钟；± 为该记录在此时钟上的最大误差。没有共同时钟的记录不画出，并说明原因。',
    count: (count) => `${countText(count)} 份记录`,
    unused: (count) => `${countText(count)} 份未关联`,
    open: '此运行的全部记录',
    title: '此运行的记录',
    all: '全部内容：记录页',
    chart: '运行时钟上的各份记录',
    axis: '运行时钟',
    kindOf: (kind, rank) => (rank === null ? kind : `${kind} · rank ${rank}`),
    spans: (start, length) => `自 ${start} 起，长 ${length}`,
    eventCount: (count) => `${countText(count)} 个事件`,
    noPlace: '不在此时钟上',
    more: (count) => `另有 ${countText(count)} 份记录`,
    belongs: {
      reference: '参考时钟',
      rank: '已对齐到此时钟',
      wall: '所在主机的系统时钟',
      clock: '同一时钟',
      zone: '时区为推定',
      annotations: '按迭代标记匹配',
      span: '另一采集窗口，未显示',
      beside: '有自己的表格，无共同时钟',
      apart: '未关联',
    },
    answerOne: (kind, recorder) => `只有一份记录：${kind}，由 ${recorder} 采集。`,
    answerWall: (count) => `全部 ${countText(count)} 份记录的时间取自各自主机的系统时钟。`,
    answerAll: (count) => `全部 ${countText(count)} 份记录都在运行时钟上。`,
    answer: (on, count, beside, apart) =>
      `${countText(count)} 份记录中有 ${countText(on)} 份在运行时钟上` +
      `${beside.length ? `；有自己的表格、无共同时钟：${beside.join('、')}` : ''}` +
      `${apart.length ? `；未关联：${apart.join('、')}` : ''}。`,
    apart: '未关联的记录',
    events: '以表格列出各份记录',
    checks: '关联的可靠程度',
    views: '各视图的位置',
    viewsOf: {
      trace: ['迭代与瓶颈', '事件', '按算子的时间', '按内核的时间', '空闲时间及其原因'],
      memory_snapshot: ['显存随时间的变化、峰值、段、增长、显存不足'],
      telemetry: ['功率、频率、温度、降频原因', '事件上方的计数器'],
      flight_recorder: ['在等待哪个 rank', '挂起与各 rank 的位置', '各进程组的集合通信随时间的分布'],
      communication_log: ['全程带宽、较慢的链路、最后到达的 rank', '各集合通信与大小随时间的带宽'],
      compile_log: ['编译时间、重新编译、图中断、内核的源代码行'],
      kernel_report: ['最长的内核受什么限制', '各内核、其指标、规则与 warp 停顿'],
      input_pipeline: ['输入流水线的算子、队列、批次、CPU 使用'],
      nsys: [
        'CUDA API 汇总',
        'GPU 内核汇总',
        'NVTX 区间及其投影',
        '事件',
        'GPU 指标、网络接口',
        '专家系统规则',
        '诊断信息',
        '操作系统调用、CPU 采样',
      ],
    },
    beside: '同一文件夹中的其他文件',
    besideSays: '它们不属于已打开的运行，或可单独打开。',
    file: '文件',
    none: '该运行旁没有显存快照，也没有 Nsight Systems 或 Nsight Compute 的报告。',
    report: '报告只包含一个运行；旁边的文件由 stepscope serve 列出。',
    why: '不能打开的原因',
    skipped: '未读取的文件',
  },
}
