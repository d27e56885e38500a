/** Chinese for the values of columns that have few: kinds, causes, states. Copies, filters and commands know both. */

import type { ValueWords } from '../model/value_words.ts'
import { charts } from './charts.zh.ts'

const KINDS: Record<string, string> = {
  gemm: '矩阵乘',
  conv: '卷积',
  attention: '注意力',
  norm: '归一化',
  softmax: 'softmax',
  elementwise: '逐元素',
  reduce: '归约',
  pool: '池化',
  rnn: '循环网络',
  embedding: '嵌入',
  index: '索引',
  sort: '排序',
  loss: '损失',
  copy: '拷贝',
  fill: '填充',
  random: '随机数',
  optimizer: '优化器',
  communication: '通信',
  other: '其他',
  compute: '计算',
  memcpy: '拷贝',
  memset: '填充',
  gpu_gap: 'GPU 间隙',
  launch_latency: '启动延迟',
  sync_return: '同步返回',
  runtime: '运行时调用',
  data_loading: '数据加载',
  data_loader: '数据加载器',
  operator: '算子',
  python: 'Python',
  annotation: '标注',
  framework: '框架',
  user: '用户',
  step: '迭代步',
  sync: '同步',
  unknown: '未知',
  HtoD: '主机到设备',
  DtoH: '设备到主机',
  DtoD: '设备内',
  HtoH: '主机内',
  PtoP: '设备间',
}

/** Cells without a value stay empty; charts have a word for them. */
const { '': _bound, ...BOUNDS } = charts.roofline.bounds

export const VALUES_ZH: ValueWords = {
  kind: KINDS,
  cause: charts.idle.causes,
  bound: BOUNDS,
  fate: { released: '已释放', kept: '保留到结束', 'from before': '记录前已有', 'release lost': '释放未记录' },
  verdict: {
    processing: '数据处理',
    'hand-over': '批次交接',
    transfer: '向 GPU 拷贝',
    'not the problem': '不是问题',
  },
  workers: { 'multi-process': '多进程', 'single-process': '仅主进程' },
  waits_for: { copy: '拷贝', device: '设备', stream: '流', event: '事件', unknown: '未知' },
  side: { gpu: 'GPU', host: '主机', between: '两者之间', unknown: '未知' },
  clock: { gpu: 'GPU', host: '主机' },
  status: { ok: '正常', warning: '警告', error: '错误' },
  pinned: { pageable: '可分页', pinned: '锁页' },
  occupancy_limit: {
    grid: '网格',
    registers: '寄存器',
    threads: '线程数',
    blocks: '线程块数',
    'shared memory': '共享内存',
  },
}
