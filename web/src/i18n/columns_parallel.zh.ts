/** 消息大小、链路、流水线与专家表格的列。Columns of the tables about messages, links, stages and experts, in Chinese. */

import type { ColumnTexts } from './columns.ts'

const MESSAGE_SIZES: ColumnTexts = {
  op: ['操作', '集合通信或消息'],
  group: ['进程组', '进程组的描述，否则为编号；未记录时为空'],
  from_bytes: ['起始大小', '最小的大小：2 的幂或 0；未记录大小的调用为空'],
  below_bytes: ['小于', '大小小于此值'],
  calls: ['次数', '所有 rank 的内核数'],
  calls_pct: ['次数占比', '占全部调用的比例'],
  bytes: ['字节', '所有调用中输入与输出较大者之和'],
  total_ns: ['总计', '时长之和，含等待其他 rank'],
  transfer_ns: ['传输', '其中传输的部分；没有调用找到对应内核时为空'],
  transfer_pct: ['传输占比', '占全部传输时间的比例'],
  matched_calls: ['已匹配次数', '找到其他 rank 的调用数'],
  algbw: ['算法带宽', 'GB/s（1e9 字节）：已匹配调用的字节 / 传输时间'],
  busbw: ['总线带宽', '每条链路的 GB/s：算法带宽乘以操作的系数'],
}

const LINKS: ColumnTexts = {
  src: ['发送方', '发送的 rank；两个 rank 的进程组中为第一个'],
  dst: ['接收方', '接收的 rank；两个 rank 的进程组中为第二个'],
  kind: ['种类', 'send_recv，或两个 rank 的进程组的操作'],
  machines: ['机器', 'same（同一台）、different（不同），文件未说明时为空'],
  calls: ['次数', '两个 rank 之间的消息或集合通信数'],
  bytes: ['字节', '其字节；均未记录时为空'],
  transfer_ns: ['传输', '最晚到达的 rank 所见'],
  bandwidth: ['带宽', '有大小的调用的 GB/s（1e9 字节），含操作的系数'],
  compared_links: ['比较的链路', '种类、机器与大小相同的链路数'],
  of_median_pct: ['相对中位数', '带宽占这些链路中位数的比例；少于三条时为空'],
  verdict: ['结论', 'slow（慢）或空'],
}

const PIPELINE: ColumnTexts = {
  rank: ['rank', 'rank'],
  step: ['迭代', '迭代的编号'],
  stage: ['阶段', '流水线的阶段，从 0 起；消息无法说明时为空'],
  stages: ['阶段数', '该流水线的阶段数'],
  microbatches: ['微批次', '来自前一阶段的消息数；第一阶段为发往后一阶段的消息数'],
  duration_ns: ['时长', 'GPU 时钟上的迭代：随后七部分之和'],
  compute_ns: ['计算', '计算内核'],
  message_wait_ns: ['等待消息', '消息在等待另一阶段，且没有计算'],
  message_transfer_ns: ['传输消息', '消息在传输，且没有计算'],
  communication_ns: ['其他通信', '其他通信，且没有计算'],
  memory_ns: ['单独的拷贝', '只有拷贝与填充'],
  idle_ns: ['空闲', '迭代的第一条与最后一条消息之间没有任何任务'],
  other_idle_ns: ['其余空闲', '第一条消息之前或最后一条之后没有任何任务'],
  bubble_ns: ['气泡', '等待消息加空闲：微批次之间无可计算'],
  bubble_pct: ['气泡占比', '占迭代的比例'],
  ideal_pct: ['理想气泡', '各阶段相同、不交错的调度的气泡'],
  cut: ['被截断', '1 表示该迭代被记录截断'],
}

const EXPERTS: ColumnTexts = {
  group: ['进程组', '进程组的描述，否则为编号；未记录时为空'],
  members: ['成员', '记录的 rank'],
  rank: ['rank', 'rank'],
  calls: ['次数', 'all-to-all 调用数'],
  matched_calls: ['已匹配次数', '找到其他 rank 的调用数'],
  sent_elements: ['发送元素', '输入的元素，含留在本 rank 的部分'],
  received_elements: ['接收元素', '输出的元素'],
  load_elements: ['负载', '每次调用不均一侧的元素：该 rank 的专家所处理的'],
  load_pct: ['相对负载', '占组内各 rank 平均负载的比例；100 为均衡'],
  imbalance: ['不均衡', '组内最大负载 / 平均：1 为均衡；同组各行相同'],
  call_imbalance: ['逐次不均衡', '每次调用的不均衡，按平均加权：不会相互抵消'],
}

export const PARALLEL_TABLES_ZH: Record<string, ColumnTexts> = {
  message_sizes: MESSAGE_SIZES,
  links: LINKS,
  pipeline: PIPELINE,
  experts: EXPERTS,
}
