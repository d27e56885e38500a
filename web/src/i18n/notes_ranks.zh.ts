/** What the tables about many ranks say beside their rows, in Chinese; see `notes.zh.ts`. */

export const RANK_NOTES: [english: string, chinese: string][] = [
  [
    'one rank is open: what waits for which other rank cannot be told; open the folder of all ranks',
    '只打开了一个 rank：无法得知谁在等待谁；请打开所有 rank 所在的文件夹',
  ],
  ['one rank is open: there is no other clock to compare with', '只打开了一个 rank：没有可比较的其他时钟'],
  [
    'ranks but {0}: of {1} ranks it holds timeline, operators and kernels of these',
    '除 {0} 以外的 rank：{1} 个 rank 中，时间线、算子与内核只含这些',
  ],
  ['no rank has a communication kernel', '没有 rank 有通信内核'],
  ['no rank waits for another', '没有 rank 在等待其他 rank'],
  [
    '{0} of {1} communication kernels have no partner on another rank',
    '{1} 个通信内核中有 {0} 个在其他 rank 上没有对应的内核',
  ],
  [
    '{0} of {1} matched kernels lack the partners of some ranks of their group: the rank that arrives last may be among those not open',
    '{1} 个已匹配的内核中有 {0} 个缺少组内部分 rank 的对应内核：最晚到达的 rank 可能未打开',
  ],
  [
    'kernels without recorded metadata were matched by stream, name and order',
    '没有记录元数据的内核按流、名称与顺序匹配',
  ],
  [
    'best and slowest are steps without waiting for others; waiting is the mean over ranks',
    '最快与最慢是不计等待的迭代；等待为各 rank 的平均',
  ],
  ['{0} of {1} steps were cut by the recording', '{1} 个迭代中有 {0} 个被记录截断'],
  [
    "ranks {0}: no collective joins their clock to the job's; taken as it is",
    'rank {0}：没有集合通信把其时钟与作业时钟联系起来；按原样使用',
  ],
  ['{0} of {1} calls have no recorded size', '{1} 次调用中有 {0} 次未记录大小'],
  ['{0} % of the calls with a size are below 1 MiB', '有大小的调用中 {0} % 小于 1 MiB'],
  ['they take {0} % of the transfer time', '占传输时间的 {0} %'],
  [
    'at the bandwidth of the larger calls of their kind they would transfer {0} ms less, over all ranks: the most that merging them could save',
    '若达到同类较大调用的带宽，所有 rank 共可少传输 {0} ms：这是合并它们最多能节省的',
  ],
  [
    'no two ranks talk alone, neither in messages nor in a group of two',
    '没有仅两个 rank 之间的通信，无论是消息还是两个 rank 的进程组',
  ],
  ['larger groups do not tell one link from another', '更大的进程组无法区分各条链路'],
  ['{0} of {1} links are slow: {2}', '{1} 条链路中有 {0} 条慢：{2}'],
  [
    '{0} of {1} links have fewer than {2} like them to be compared with',
    '{1} 条链路中有 {0} 条可比较的同类链路少于 {2} 条',
  ],
  [
    'no message between two ranks was found whose sender and receiver were recorded',
    '没有找到记录了发送方与接收方的消息',
  ],
  ['no step of a rank with messages was selected', '所选范围内没有带消息的 rank 的迭代'],
  [
    'the stage of {0} of {1} ranks is not told: messages run in a circle, as in interleaved schedules',
    '{1} 个 rank 中有 {0} 个的阶段未知：消息成环，如交错调度那样',
  ],
  [
    'messages go in one direction only: in a pipeline that trains gradients come back',
    '消息只朝一个方向：训练的流水线会有梯度返回',
  ],
  [
    'no all-to-all ran in what was selected, so no experts exchanged tokens',
    '所选范围内没有 all-to-all，因此没有专家交换 token',
  ],
  [
    'every all-to-all is even: either experts are, or each rank pads its parts to one size',
    '每次 all-to-all 都均匀：要么专家均衡，要么各 rank 把各部分填充到同一大小',
  ],
  [
    'loads leave out {0} of {1} calls, whose other ranks were not found',
    '负载不含 {1} 次调用中的 {0} 次：没有找到其他 rank',
  ],
]
