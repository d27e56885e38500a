/** Chinese for the values of columns that have few: kinds, causes, states. Copies, filters and commands know both. */

import { kernelValues } from '../model/kernel_report.ts'
import type { ValueWords } from '../model/value_words.ts'
import { causesZh } from './causes.zh.ts'
import { charts } from './charts.zh.ts'
import { kernelReportsZh } from './kernel_reports.zh.ts'
import { telemetryZh } from './telemetry.zh.ts'

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
  kernel: '内核',
  memcpy: '拷贝',
  memset: '填充',
  call: 'API 调用',
  function: '函数',
  gpu_gap: 'GPU 间隙',
  launch_latency: '下发时延',
  sync_return: '同步返回',
  runtime: '运行时调用',
  data_loading: '数据加载',
  data_loader: '数据加载器',
  operator: '算子',
  python: 'Python',
  annotation: '标注',
  framework: '框架',
  user: '用户',
  step: '迭代',
  sync: '同步',
  unknown: '未知',
  HtoD: '主机到设备',
  DtoH: '设备到主机',
  DtoD: '设备内',
  HtoH: '主机内',
  PtoP: '设备间',
}

const CATEGORIES: Record<string, string> = {
  parameters: '参数',
  'optimizer state': '优化器状态',
  inputs: '输入',
  gradients: '梯度',
  activations: '激活值',
  temporaries: '临时',
  unknown: '未知',
}

const GRADES: Record<string, string> = { high: '高', medium: '中', low: '低', note: '提示' }

const KERNELS = kernelValues(kernelReportsZh.kernelReports)

/** Cells without a value stay empty; charts have a word for them. */
const { '': _bound, ...BOUNDS } = charts.roofline.bounds

/** What stands in place of a name where there is none. */
const NAMES: Record<string, string> = {
  '(unattributed)': '（未归属）',
  '(unresolved)': '（未解析）',
  '(allocated before the recording)': '（采集开始前已分配）',
  '(smaller ones)': '（其余较小者）',
  '(not in the recorded events)': '（不在记录的事件中）',
}

export const VALUES_ZH: ValueWords = {
  ...KERNELS,
  name: NAMES,
  op: NAMES,
  kind: KINDS,
  cause: {
    ...causesZh,
    compute: '计算',
    copies: '拷贝',
    'other communication': '其他通信',
    idle: '空闲',
    'data loading': '数据加载',
    'garbage collection': '垃圾回收',
    host: '主机',
    synchronisation: '同步',
    'not recorded': '未记录',
  },
  method: {
    "the job's clock": '即作业时钟',
    "same machine as the job's clock": '与作业时钟同一机器',
    'ends of collectives': '集合通信的结束时刻',
    'ends of messages': '消息的结束时刻',
    'taken for one clock': '视为同一时钟',
    'no collective in common': '没有共同的集合通信',
    'wall clock of its host': '所在主机的系统时钟',
  },
  bound: BOUNDS,
  category: CATEGORIES,
  above_category: CATEGORIES,
  reason: {
    ...telemetryZh.telemetry.reasons,
    fragmentation: '碎片',
    'a set limit': '设定的上限',
    'other processes': '其他进程',
    capacity: '容量',
  },
  state: {
    waits: '等待',
    behind: '落后',
    missing: '没有进入',
    completed: '已完成',
    started: '已开始',
    scheduled: '已下发',
    entered: '已进入',
    overwritten: '转储中没有',
    no_dump: '没有转储',
  },
  differs: { collectives: '集合通信', sizes: '大小', dtypes: '数据类型' },
  fate: { released: '已释放', kept: '保留到结束', 'from before': '记录前已有', 'release lost': '释放未记录' },
  verdict: {
    processing: '数据处理',
    'hand-over': '批次交接',
    transfer: '向 GPU 拷贝',
    'not the problem': '不是问题',
    bottleneck: '瓶颈',
    straggler: '慢 rank',
  },
  severity: GRADES,
  confidence: GRADES,
  scope: { machine: '整机', process: '进程', operator: '算子', global: '整个内核', local: '单个单元' },
  of: { 'all cores': '全部核', 'one core': '单核' },
  queue: { host: '主机', device: '设备' },
  level: {
    ...KERNELS['level'],
    'most allocated': '最多已分配',
    'most reserved': '最多已预留',
    'allocated in the end': '结束时已分配',
    'reserved in the end': '结束时已预留',
  },
  access: { read: '读', write: '写', atomic: '原子操作', prefetch: '预取' },
  machines: { same: '同一台', different: '不同' },
  size_class: { small: '小', large: '大' },
  direction: { forward: '前向', backward: '反向' },
  cache: { hit: '命中', miss: '未命中', bypass: '绕过' },
  outcome: {
    compiled: '已编译',
    'no code': '无代码',
    failed: '失败',
    limit: '超出上限',
    unfinished: '未完成',
  },
  workers: { 'multi-process': '多进程', 'single-process': '仅主进程' },
  waits_for: {
    ...{ copy: '拷贝', device: '设备', stream: '流', event: '事件', memory: '显存', unknown: '未知' },
    'stream #': '流 #',
    'event of stream #': '流 # 的事件',
  },
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
