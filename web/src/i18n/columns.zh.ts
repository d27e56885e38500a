/** 各表各列的中文名称与说明。Titles and meanings of columns in Chinese; those of one table come before common ones. */

type Words = readonly [title: string, description?: string]

export const COLUMNS_ZH: Record<string, Words> = {
  rank: ['卡号', '进程的 rank'],
}

export const TABLES_ZH: Record<string, Record<string, Words>> = {}

/** 各表的说明。What each table is about. */
export const MEANS_ZH: Record<string, string> = {
  health: '逐项检查跟踪数据的可信程度',
  summary: '每张卡的 GPU 时间：计算、通信、拷贝、空闲',
  steps: '每个迭代的时间及其精确划分',
  step_trace: '每个迭代划分为间隔、前向与反向、拖尾',
  idle: 'GPU 空闲的原因',
  sync: '阻塞主机的调用：等待 GPU、拷贝或显存',
  launches: '按 API 列出提交 GPU 任务的调用：开销与等待',
  queue_depth: '各流队列中等待的任务数',
  critical_path: '一个迭代从头到尾在等待什么',
  operators: '各算子的主机与 GPU 时间',
  annotations: '命名区间（record_function、优化器等）内的主机与 GPU 时间',
  modules: '各 nn.Module 的主机与 GPU 时间，含反向传播',
  utilization: '迭代运行期间每张卡的 GPU 利用情况',
  kernels: '各内核的 GPU 时间，含通信内核',
  short_kernels: '短于 10 us、且短于启动它的调用的内核',
  kernel_lengths: '按时长统计内核：数量与时间',
  graphs: 'CUDA 图：执行内容与启动开销',
  memcpy: '按方向和主机内存类型统计的拷贝',
  communication: '卡间的集合通信与点对点消息：次数、字节、时间',
  roofline: '算子与设备峰值对比：FLOPs、字节及限制因素',
  mfu: '每个迭代的矩阵运算用到设备峰值的多少',
  data_loading: '等待数据批次与拷贝到 GPU 的时间，并给出结论',
  memory: '各算子分配与释放的显存',
  memory_peak: '显存占用最高时的存活内容，按算子与源码行',
  memory_timeline: '已分配与已保留显存的每次变化',
  memory_events: '每次分配及其释放，最大的在前',
  sequences: '算子连续启动的内核，以及重复出现的片段',
  fusion: '可能由一个内核取代的连续逐元素、归一化与归约内核',
  counters: '每个采样区间的硬件计数器',
  metadata: '记录自带的信息：版本、选项、设备、进程组',
}
