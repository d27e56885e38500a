/** 多 rank 表格的列。Columns of the tables about many ranks, in Chinese. */

import type { ColumnTexts } from './columns.ts'

const COLLECTIVES: ColumnTexts = {
  collective: ['序号', '按首个到达的时间编号'],
  step: ['迭代', '启动它的迭代；未知时为空'],
  op: ['操作', 'all_reduce、all_gather 等，或 send_recv'],
  group: ['进程组', '进程组的描述，否则为编号；未记录时为空'],
  dtype: ['数据类型', '元素的类型'],
  call_bytes: ['字节', '一个 rank 上输入与输出中较大者；未记录时为空'],
  ranks: ['rank 数', '进程组的 rank 数'],
  matched: ['已匹配', '找到其内核的 rank 数'],
  start_ns: ['首个到达', '最早到达的时刻'],
  end_ns: ['最后结束', '最后结束的时刻'],
  first_rank: ['最早的 rank', '最早到达的 rank'],
  last_rank: ['最晚的 rank', '最晚到达的 rank'],
  skew_ns: ['到达差', '最晚到达减最早到达'],
  transfer_ns: ['传输', '最晚到达的 rank 所见：其内核的时长'],
  wait_ns: ['等待', '其他 rank 的内核多出的时长之和'],
  lateness_ns: ['迟到', '若最晚的 rank 自身不耽搁，可提前多少开始；未知时为空'],
  end_spread_ns: ['结束差', '最晚结束减最早结束'],
  algbw: ['算法带宽', 'GB/s（1e9 字节）：字节 / 传输时间'],
  busbw: ['总线带宽', '每条链路的 GB/s：算法带宽乘以操作的系数'],
}

const STRAGGLERS: ColumnTexts = {
  rank: ['rank', 'rank'],
  lateness_ns: ['迟到', '每个迭代中，集合通信仅因该 rank 自身的工作而推迟的时间'],
  lateness_pct: ['迟到占比', '占作业迭代的比例'],
  votes: ['票数', '因它而推迟的集合通信数'],
  collectives: ['集合通信', '能够判断的集合通信数'],
  steps: ['迭代', '能够判断的迭代数'],
  late_steps: ['迟到的迭代', '被它拖住、超出偶然程度的迭代数'],
  verdict: ['结论', 'straggler 或空'],
  cause: ['原因', '迟到之前它比其他 rank 多做了什么；未迟到时为空'],
  cause_pct: ['原因占比', '该原因解释的迟到比例'],
  detail: ['细节', '具体的内核、区间或调用'],
  uncertainty_ns: ['不确定度', '每个迭代中无法与偶然区分的迟到'],
}

const RANK_MATRIX: ColumnTexts = {
  rank: ['rank', 'rank'],
  step: ['迭代', '迭代的编号'],
  duration_ns: ['时长', 'GPU 时钟上的迭代：随后六部分之和'],
  compute_ns: ['计算', '计算内核'],
  exposed_wait_ns: ['未掩盖的等待', '通信内核在等待其他 rank，且没有计算'],
  exposed_transfer_ns: ['未掩盖的传输', '通信内核在传输，且没有计算'],
  exposed_unmatched_ns: ['未能区分', '无法区分等待与传输的通信，且没有计算'],
  exposed_memory_ns: ['单独的拷贝', '只有拷贝与填充'],
  idle_ns: ['空闲', '没有任何任务'],
  communication_ns: ['通信', '全部通信，无论是否被掩盖'],
  overlap_pct: ['掩盖比例', '通信被计算掩盖的比例；没有通信时为空'],
  lateness_ns: ['迟到', '集合通信仅因该 rank 自身的工作而推迟的时间'],
  own_ns: ['自身时间', '时长减未掩盖的等待：若无人迟到，该迭代需要的时间'],
  cut: ['被截断', '1 表示该迭代被记录截断'],
}

const JOB: ColumnTexts = {
  step: ['迭代', '迭代的编号；首行为各迭代的平均，此处为空'],
  ranks: ['rank 数', '有该迭代的 rank 数'],
  duration_ns: ['作业的迭代', '各 rank 中最长的'],
  best_rank: ['最快的 rank', '不计等待时迭代最短的 rank'],
  best_ns: ['最快', '该迭代的时间'],
  slowest_rank: ['最慢的 rank', '不计等待时迭代最长的 rank'],
  slowest_ns: ['最慢', '该迭代的时间'],
  exposed_communication_ns: ['未掩盖的通信', '各 rank 的平均；随后三部分之和'],
  exposed_wait_ns: ['其中等待', '等待其他 rank'],
  exposed_transfer_ns: ['其中传输', '传输数据'],
  exposed_unmatched_ns: ['未能区分', '无法区分的部分'],
  waited_for: ['等待对象', '被等待最久的 rank'],
  waited_for_pct: ['占等待', '等待它的时间占全部等待的比例'],
}

const RANK_WAITS: ColumnTexts = {
  rank: ['rank', '等待的 rank'],
  for_rank: ['等待对象', '最晚到达的 rank'],
  collectives: ['集合通信', '集合通信数'],
  wait_ns: ['等待', '全部迭代中的等待'],
  exposed_wait_ns: ['未掩盖的等待', '其中没有计算的部分'],
}

const CLOCKS: ColumnTexts = {
  rank: ['rank', 'rank'],
  host: ['机器', '由文件名或设备得知的机器'],
  offset_ns: ['偏移', '从该 rank 的时间中减去，即得作业时钟上的时间（记录中点处）'],
  drift_ppm: ['漂移', '其时钟快多少；无法得知时为空'],
  uncertainty_ns: ['不确定度', '偏移所在范围的一半'],
  collectives: ['集合通信', '估计所用的集合通信数'],
  method: ['方法', '如何得到'],
}

export const RANK_TABLES_ZH: Record<string, ColumnTexts> = {
  collectives: COLLECTIVES,
  stragglers: STRAGGLERS,
  rank_matrix: RANK_MATRIX,
  job: JOB,
  rank_waits: RANK_WAITS,
  clocks: CLOCKS,
}
