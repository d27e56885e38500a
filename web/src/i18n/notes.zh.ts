/**
 * What tables say beside their rows, in Chinese; `told.zh.ts` finds it. The server writes it in English, from patterns; a text that
 * fits none of these stays English. `{0}`, `{1}`, … are what differs; `{0*}` is itself such a text, `{0#}` a number.
 */

export const NOTES: [english: string, chinese: string][] = [
  // Why a table is empty
  ['the recording has {0*}', '记录中{0*}'],
  ['no GPU activity', '没有 GPU 活动'],
  ['no CUDA or HIP calls', '没有 CUDA 或 HIP 调用'],
  ['no operators', '没有算子'],
  ['no shapes', '没有形状'],
  ['no stacks', '没有调用栈'],
  ['no hardware counters', '没有硬件计数器'],
  ['no memory events', '没有显存事件'],
  ['nothing of the kind happened in what was selected', '所选范围内没有这类事件'],
  ['no CUDA graph was launched in what was selected', '所选范围内没有启动 CUDA 图'],
  ['no communication kernel ran in what was selected', '所选范围内没有通信内核运行'],
  ['no call held the host, which is as it should be', '没有调用阻塞主机，本该如此'],
  ['no nn.Module was called in the recording', '记录中没有调用 nn.Module'],
  ['the selected steps take no time', '所选的步没有时长'],
  [
    'the file holds events alone, or none of the facts that are read from a trace',
    '文件中只有事件，没有可从跟踪读取的信息',
  ],
  ['the recording has neither operators nor GPU activity with its launch', '记录中既没有算子，也没有带启动的 GPU 活动'],
  [
    'nothing here launches two kernels or more in one call, nor does a run repeat',
    '没有一次调用启动两个以上内核，也没有重复的序列',
  ],
  [
    'no {0} elementwise, norm, reduce or casting kernels follow one another, launched one by one',
    '没有 {0} 个以上逐个启动、前后相接的逐元素、归一化、归约或类型转换内核',
  ],
  [
    'no data loader was found in the recording (looked for enumerate(DataLoader)#..., annotations such as data_loading or get_batch, frames of known loaders)',
    '记录中没有找到数据加载器（查找过 enumerate(DataLoader)#...、data_loading 或 get_batch 之类的标注、已知加载器的调用帧）',
  ],
  [
    '{0} events overlap another one of their track without lying inside it; such have rows below',
    '{0} 个事件与同轨道的另一事件重叠而不嵌套，排在下方的行里',
  ],
  [
    '1 event overlaps another one of its track without lying inside it; such have rows below',
    '1 个事件与同轨道的另一事件重叠而不嵌套，排在下方的行里',
  ],
  // Coverage of tables
  ['{0} % of GPU time is under no range', '{0} % 的 GPU 时间不在任何标注之下'],
  [
    '{0} % of GPU time is under no range ({1} %: its launch is not recorded)',
    '{0} % 的 GPU 时间不在任何标注之下（其中 {1} % 没有记录启动）',
  ],
  [
    'a range holds what its own thread launches, and the autograd engine while that thread waits',
    '标注包含本线程启动的工作，以及该线程等待期间 autograd 引擎启动的工作',
  ],
  [
    'no ranges were recorded: mark parts of the program with torch.profiler.record_function',
    '没有记录标注：请用 torch.profiler.record_function 标记程序的各部分',
  ],
  [
    'durations hold the waiting for other ranks: the shortest call waited least',
    '时长包含等待其他 rank 的时间：最短的一次调用等待最少',
  ],
  ['{0} of {1} calls have no recorded size: bytes leave them out', '{1} 次调用中有 {0} 次没有记录大小：字节数不含它们'],
  [
    '{0} of {1} waits of the path for an event of another stream are told from times: record CUDA sync events with {2}',
    '路径上对其他流事件的 {1} 次等待中有 {0} 次由时间推断：请用 {2} 录制 CUDA 同步事件',
  ],
  [
    '{0} % of the path lies on the host outside any operator or call: record with with_stack=True to see what Python does there',
    '路径的 {0} % 位于主机上任何算子或调用之外：请用 with_stack=True 录制，以查看 Python 在做什么',
  ],
  [
    '{0} % of the path is unknown: it waits for work whose launch is not recorded',
    '路径的 {0} % 未知：它等待的工作没有记录启动',
  ],
  [
    '{0} of GPU time, if one kernel for each run takes as long as the longest kernel in it',
    '若每个序列合为一个内核、耗时等于其中最长的内核，可省 {0} 的 GPU 时间',
  ],
  [
    'not told here: whether the kernels may be fused, and whether the step waits for the GPU at all (critical_path)',
    '此处未回答：这些内核能否融合，以及一步是否真的在等 GPU（见 critical_path）',
  ],
  ['graphs run {0} of all GPU time', 'CUDA 图运行了 {0} 的 GPU 时间'],
  ['{0} of {1} graph launches have no activity in the recording', '{1} 次图启动中有 {0} 次在记录中没有活动'],
  [
    'no graph numbers were recorded: graphs that run the same kernels in the same order are one row',
    '没有记录图的编号：以相同顺序运行相同内核的图合为一行',
  ],
  [
    '{0} % of the idle time: the launch of what came next was not recorded (before the window, or lost)',
    '空闲时间的 {0} %：其后活动的启动没有被记录（在窗口之前，或已丢失）',
  ],
  [
    '{0} % of the idle time: work was launched, yet the GPU began late: another process used it, or activity is missing',
    '空闲时间的 {0} %：工作已启动，GPU 却开始得晚：被其他进程占用，或缺少活动',
  ],
  [
    '{0} % of kernel time is of kind other: {1} name that no rule knows',
    '{0} % 的内核时间属于其他类：{1} 个名称没有规则认得',
  ],
  [
    '{0} % of kernel time is of kind other: {1} names that no rule knows',
    '{0} % 的内核时间属于其他类：{1} 个名称没有规则认得',
  ],
  [
    '{0} call without recorded work: it ran outside the window, or was lost',
    '{0} 次调用没有记录到工作：在窗口之外运行，或已丢失',
  ],
  [
    '{0} calls without recorded work: it ran outside the window, or was lost',
    '{0} 次调用没有记录到工作：在窗口之外运行，或已丢失',
  ],
  ['{0} activity without a recorded call, mostly of before the window', '{0} 个活动没有记录到调用，多在窗口之前'],
  ['{0} activities without a recorded call, mostly of before the window', '{0} 个活动没有记录到调用，多在窗口之前'],
  [
    '{0} % of the bytes were allocated outside operators: by Python code, or on a thread without operators',
    '{0} % 的字节在算子之外分配：由 Python 代码，或在没有算子的线程上',
  ],
  [
    'events without an address: which release belongs to which allocation is unknown',
    '事件没有地址：无法得知哪次释放对应哪次分配',
  ],
  ["{0}: peak {1}, {2} % of the device's {3}, in step {4}", '{0}：峰值 {1}，占设备 {3} 的 {2} %，在第 {4} 步'],
  ["{0}: peak {1}, {2} % of the device's {3}", '{0}：峰值 {1}，占设备 {3} 的 {2} %'],
  ['{0}: peak {1}, in step {2}', '{0}：峰值 {1}，在第 {2} 步'],
  ['{0}: peak {1}', '{0}：峰值 {1}'],
  ['at most {0} reserved by the allocator', '分配器最多保留 {0}'],
  ['{0}: grows by {1} a step, in each of {2} steps', '{0}：每步增长 {1}，{2} 步皆如此'],
  ['most of the {0} that stay is allocated by {1}', '留存的 {0} 大多由 {1} 分配'],
  [
    '{0} changes; --by slice shows 100 stretches of time, --by step one row per step',
    '{0} 次变化；--by slice 显示 100 段时间，--by step 每步一行',
  ],
  [
    '{0}: the recording holds no totals, so they are counted from its events: at least that much was allocated',
    '{0}：记录中没有总量，因此由事件累计：至少分配了这么多',
  ],
  [
    'no FLOPs: no shapes were recorded; record with record_shapes=True',
    '没有 FLOPs：没有记录形状；请用 record_shapes=True 录制',
  ],
  [
    'no FLOPs: no matrix product with recorded shapes launched work in a step (CUDA graphs hide their operators)',
    '没有 FLOPs：步内没有带形状的矩阵乘启动工作（CUDA 图隐藏了算子）',
  ],
  [
    'no FLOPs: no kernel of a matrix product, convolution or attention was launched in a step',
    '没有 FLOPs：步内没有启动矩阵乘、卷积或注意力的内核',
  ],
  [
    "only {0} % of the time of a step's matrix kernels has a model: utilization is higher",
    '一步的矩阵内核时间只有 {0} % 有模型：实际利用率更高',
  ],
  [
    "only {0} % of the time of a step's matrix kernels has a model: utilization is higher, and none is shown below half",
    '一步的矩阵内核时间只有 {0} % 有模型：实际利用率更高，低于一半时不显示',
  ],
  [
    'no roof: the recording does not say which device it is; give peaks with {0}',
    '没有屋顶线：记录没有说明设备型号；请用 {0} 给出峰值',
  ],
  ['{0} of the GPU time belongs to no module: {1*}', '{0} 的 GPU 时间不属于任何模块：{1*}'],
  ['{0} of the GPU time was launched by no operator in the recording', '{0} 的 GPU 时间不是由记录中的算子启动'],
  ["of the backward pass's host time, backward host leaves out: {0*}", '反向传播的主机时间中未计入：{0*}'],
  [
    '{0} launches were waiting when the recording began: queues start above zero, perhaps by more',
    '记录开始时已有 {0} 次启动在排队：队列不从零开始，实际可能更多',
  ],
  [
    'models cover {0} of the GPU time, communication and copies to and from the host left out',
    '模型覆盖 {0} 的 GPU 时间（不计通信及与主机间的拷贝）',
  ],
  [
    'models cover {0} of the GPU time, communication and copies to and from the host left out: no shapes were recorded; record with record_shapes=True',
    '模型覆盖 {0} 的 GPU 时间（不计通信及与主机间的拷贝）：没有记录形状；请用 record_shapes=True 录制',
  ],
  ['without: {0}', '未覆盖：{0}'],
  [
    'rows bound by cache ({0} of the GPU time) are faster than memory: their data was still in the cache',
    '受限于缓存的行（{0} 的 GPU 时间）快于显存：数据仍在缓存中',
  ],
  ['peaks of {0}, dense: {1*}', '{0} 的稠密峰值：{1*}'],
  ['peaks of {0}: {1*}', '{0} 的峰值：{1*}'],
  ['told by its compute units and memory, its name is not recorded)', '由计算单元数和显存推断，未记录型号）'],
  ['{0} % of kernel time is launched outside operators', '{0} % 的内核时间在算子之外启动'],
  [
    '{0} kernel ({1} % of all) runs less than {2} us, together {3} % of kernel time',
    '{0} 个内核（占 {1} %）短于 {2} us，共占内核时间的 {3} %',
  ],
  [
    '{0} kernels ({1} % of all) run less than {2} us, together {3} % of kernel time',
    '{0} 个内核（占 {1} %）短于 {2} us，共占内核时间的 {3} %',
  ],
  ['{0} of them end sooner than the call that launched them takes', '其中 {0} 个比启动它的调用结束得还早'],
  ['{0} were launched by CUDA graphs', '{0} 个由 CUDA 图启动'],
  ['no steps were marked: the whole trace is divided as one step', '没有标记迭代步：整个跟踪作为一步划分'],
  ['call prof.step() or use a schedule', '请调用 prof.step() 或使用 schedule'],
  ["steps without GPU activity are divided on the host's clock", '没有 GPU 活动的步按主机时钟划分'],
  ['nothing of a model was seen: everything is interval', '没有看到模型的计算：全部算作间隔'],
  [
    'no backward was seen, as in inference: forward is all from the first computing to the end',
    '没有看到反向传播（如推理）：从第一次计算到结束都算前向',
  ],
  [
    'an optimizer ran, but its backward was not recorded: forward and backward cannot be told apart',
    '优化器运行了，但没有记录反向传播：无法区分前向与反向',
  ],
  [
    'several backward passes in a step: what lies between them, loading too, counts as forward',
    '一步中有多次反向传播：其间的部分（包括加载）算作前向',
  ],
  [
    "1 call ({0} % of the time) came after the last step: the profiler's own, when it stops",
    '1 次调用（占时间的 {0} %）在最后一步之后：是分析器停止时自己的调用',
  ],
  [
    "{0} calls ({1} % of the time) came after the last step: the profiler's own, when it stops",
    '{0} 次调用（占时间的 {1} %）在最后一步之后：是分析器停止时自己的调用',
  ],
  [
    'no steps in the recording: shares are of the whole trace, from its first event to its last',
    '记录中没有迭代步：占比按整个跟踪计算，从第一个事件到最后一个',
  ],
  [
    "no SM efficiency and no occupancy: the kernels carry neither blocks per SM nor estimated occupancy (ROCm's profiler records none)",
    '没有 SM 效率和占用率：内核既没有每 SM 块数也没有估计占用率（ROCm 的分析器不记录）',
  ],
  [
    "up to {0} of the computing kernels' time carries no estimated occupancy and is left out of its mean",
    '至多 {0} 的计算内核时间没有估计占用率，不计入均值',
  ],
  [
    "up to {0} of the computing kernels' time carries no blocks per SM and counts as nothing in sm_efficiency: read it as at least that much",
    '至多 {0} 的计算内核时间没有每 SM 块数，在 SM 效率中算作零：实际至少有这么多',
  ],
  // Data loading
  [
    'data loading is not the problem: {0} of the step goes to waiting for a batch ({1} % would count)',
    '数据加载不是问题：一步的 {0} 用于等待批次（超过 {1} % 才算）',
  ],
  [
    'data loading is not the problem: {0} of the step goes to waiting for a batch and {1} to copies to the GPU alone ({2} % would count)',
    '数据加载不是问题：一步的 {0} 用于等待批次，{1} 单独用于向 GPU 拷贝（超过 {2} % 才算）',
  ],
  [
    'data loading is not the problem: {0} to copies to the GPU alone ({1} % would count)',
    '数据加载不是问题：{0} 单独用于向 GPU 拷贝（超过 {1} % 才算）',
  ],
  ['data loading is not the problem: {0*} ({1} % would count)', '数据加载不是问题：{0*}（超过 {1} % 才算）'],
  ['no fetch', '没有取批次'],
  [
    'data processing holds the steps back: {0} of {1} ms {2*} ({3} %) {4*} because the next batch is not ready',
    '数据处理拖慢了迭代步：{2*} {1} ms 中有 {0} ms（{3} %）{4*}，因为下一批次还没有准备好',
  ],
  [
    'copying to the GPU holds the steps back: {0} of {1} ms {2*} ({3} %) nothing computes while a copy runs',
    '向 GPU 拷贝拖慢了迭代步：{2*} {1} ms 中有 {0} ms（{3} %）在拷贝而没有计算',
  ],
  [
    'handing batches over from the workers holds the steps back: {0} of {1} ms {2*} ({3} %) {4*}, though {5*}',
    '从工作进程移交批次拖慢了迭代步：{2*} {1} ms 中有 {0} ms（{3} %）{4*}，尽管{5*}',
  ],
  ['a step', '每步'],
  ['in all', '总共'],
  ['not the problem', '不是问题'],
  ['processing', '数据处理慢'],
  ['hand-over', '移交慢'],
  ['transfer', '拷贝慢'],
  ['the GPU has nothing to do', 'GPU 无事可做'],
  ['the program waits', '程序在等待'],
  ['a batch is ready', '批次已经准备好'],
  ['the fetches are short, so batches are ready', '取批次很快，说明批次已经准备好'],
  ['{0} of {1} fetches found none', '{1} 次取批次中有 {0} 次没有现成的'],
  [
    '{0} of {1} fetches found none: the main process makes the batches itself (num_workers=0)',
    '{1} 次取批次中有 {0} 次没有现成的：主进程自己制作批次（num_workers=0）',
  ],
  ['{0} % of the bytes come from pageable memory', '{0} % 的字节来自可分页内存'],
  ['a new epoch begins once, {0} ms each', '新的 epoch 开始 1 次，{0} ms'],
  ['a new epoch begins {0} times, {1} ms each', '新的 epoch 开始 {0} 次，每次 {1} ms'],
  ['the verdict leaves that out', '结论不计入这部分'],
  [
    'record with_stack=True to tell slow workers from a slow hand-over of what they made',
    '请用 with_stack=True 录制，以区分工作进程慢还是移交慢',
  ],
  ['no GPU activity was recorded, so all of the wait counts as exposed', '没有记录 GPU 活动，因此全部等待都算作未掩盖'],
  ['taken for the data loader by name: {0}', '按名称认作数据加载器：{0}'],
  [
    "the loader's ranges are on other threads than the steps, or outside them: no step waits for them",
    '加载器的区间在其他线程上或在步之外：没有步在等待它们',
  ],
]
