/** What the tables of step time and savings say beside their rows, in Chinese; as in `notes.zh.ts`. */

const IN_MS: [english: string, chinese: string][] = [
  ['nothing of the host was recorded in whole steps', '完整的迭代中没有记录主机事件'],
  ['nothing was found that holds the steps back and could be mended', '没有发现拖慢迭代且可以处理的问题'],
  [
    'without the profiler: stretches between neighbouring events of the host, shortened by what the profiler usually adds to each',
    '不使用分析器：主机相邻事件之间的时段，各减去分析器通常增加的部分',
  ],
  ['the range holds what about four of five steps measured without it took', '范围涵盖约五分之四不用分析器测得的迭代'],
  [
    'all that are defects of this program, mended together: {0} % ({1} to {2} %) of the step',
    '本程序的各项缺陷一并处理：节省迭代的 {0} %（{1} 至 {2} %）',
  ],
  [
    'rank {0}: all that are defects of this program, mended together: {1} % ({2} to {3} %) of the step',
    'rank {0}：本程序的各项缺陷一并处理：节省迭代的 {1} %（{2} 至 {3} %）',
  ],
  ['savings do not add up', '各项节省不能相加'],
  // Where, and how often
  ['{0}, once a step, first at {1#} to {2#} ms', '{0}，每个迭代一次，首次在 {1} 至 {2} ms'],
  ['once a step, first at {0#} to {1#} ms', '每个迭代一次，首次在 {0} 至 {1} ms'],
  ['{0}, once a step', '{0}，每个迭代一次'],
  ['once a step', '每个迭代一次'],
  ['{0}, {1} times a step, first at {2#} to {3#} ms', '{0}，每个迭代 {1} 次，首次在 {2} 至 {3} ms'],
  ['{0} times a step, first at {1#} to {2#} ms', '每个迭代 {0} 次，首次在 {1} 至 {2} ms'],
  ['{0}, {1} times a step', '{0}，每个迭代 {1} 次'],
  ['{0} times a step', '每个迭代 {0} 次'],
  // Titles of findings
  [
    'The host waits for values of the GPU once a step (item, cpu, nonzero, boolean masks)',
    '主机每个迭代一次等待 GPU 的值（item、cpu、nonzero、布尔掩码）',
  ],
  ['The host waits until the GPU is done, once a step (synchronize)', '主机每个迭代一次等待 GPU 完成（synchronize）'],
  [
    'Data goes to the host and back once a step, worked on by the host in between',
    '数据每个迭代一次往返主机，其间由主机处理',
  ],
  [
    'The step waits {0} ms for its batch, which is made in the training process (num_workers=0), {1} % of it in {2}',
    '迭代等待批次 {0} ms，批次在训练进程中制作（num_workers=0），其中 {1} % 在 {2}',
  ],
  [
    'The step waits {0} ms for its batch, which is made in the training process (num_workers=0)',
    '迭代等待批次 {0} ms，批次在训练进程中制作（num_workers=0）',
  ],
  [
    'The step waits {0} ms for its batch, which is made by workers that do not keep up',
    '迭代等待批次 {0} ms，加载进程跟不上',
  ],
  ['A checkpoint is written inside the step: {0} ms a step', '迭代中写入检查点：每个迭代 {0} ms'],
  ['Python collects garbage inside the step: {0} ms a step', '迭代中 Python 回收垃圾：每个迭代 {0} ms'],
  ['Files are written or read inside the step: {0} ms a step', '迭代中读写文件：每个迭代 {0} ms'],
  [
    'Python works while nothing is launched: {0} ms a step, {1} % of it in {2}',
    '没有启动任务时 Python 在工作：每个迭代 {0} ms，其中 {1} % 在 {2}',
  ],
  ['Python works while nothing is launched: {0} ms a step', '没有启动任务时 Python 在工作：每个迭代 {0} ms'],
  ['{0#} ms a step are work in double precision (fp64)', '每个迭代 {0} ms 为双精度（fp64）工作'],
  [
    'Calls of contiguous and reshape copy on the GPU: {0#} ms a step',
    'contiguous 与 reshape 调用在 GPU 上拷贝：每个迭代 {0} ms',
  ],
  ['The host works or waits outside of PyTorch: {0} ms a step', '主机在 PyTorch 之外工作或等待：每个迭代 {0} ms'],
  ['The optimizer makes {0} launches a step for about {1} parameters', '优化器每个迭代启动 {0} 次，而参数约有 {1} 个'],
  [
    'Norms of about {0} tensors are taken one by one: {1} launches a step ({2})',
    '约 {0} 个张量的范数逐个计算：每个迭代启动 {1} 次（{2}）',
  ],
  [
    'Loops over about {0} tensors make {1} launches a step ({2})',
    '循环逐个处理约 {0} 个张量，每个迭代启动 {1} 次（{2}）',
  ],
  ['A loop over time steps makes the same {0} launches {1} times', '一个按时间步的循环把同样的 {0} 次启动重复 {1} 次'],
  [
    'Data goes to the host and back {0} times a step, worked on by the host in between',
    '数据每个迭代 {0} 次往返主机，其间由主机处理',
  ],
  [
    '{0} copies a step of less than 1 MiB go between host and GPU, {1} KB in all',
    '每个迭代有 {0} 次小于 1 MiB 的主机与 GPU 间拷贝，共 {1} KB',
  ],
  ['Tensors are made into text inside the step: {0} ms a step', '迭代中把张量转换为文本：每个迭代 {0} ms'],
  ['Values are logged inside the step: {0} ms a step', '迭代中记录日志：每个迭代 {0} ms'],
  [
    'Attention is written out: its {0} x {1} matrices take {2} ms a step',
    '注意力逐步写出：{0} x {1} 的矩阵每个迭代耗时 {2} ms',
  ],
  [
    'Attention is written out: products, a softmax and products take {0} ms a step',
    '注意力逐步写出：矩阵乘、softmax 与矩阵乘每个迭代耗时 {0} ms',
  ],
  [
    'The backward pass runs {0#} ms a step of the forward pass again, while {1#} of {2#} GiB are free at the peak',
    '反向传播每个迭代重新执行 {0} ms 的前向，而峰值时 {2} GiB 中有 {1} GiB 空闲',
  ],
  ['The backward pass runs {0#} ms a step of the forward pass again', '反向传播每个迭代重新执行 {0} ms 的前向'],
  ['{0}: {1#} of {2#} GiB are reserved at the peak ({3#} %)', '{0}：峰值时 {2} GiB 中已保留 {1} GiB（{3} %）'],
  [
    'In {0} of {1} steps the allocator gives memory back to get a block that fits',
    '{1} 个迭代中有 {0} 个，分配器先归还显存才得到合适的块',
  ],
  [
    'In {0#} of the {1#} steps after the first the allocator asks the driver for memory',
    '首个迭代之后的 {1} 个迭代中有 {0} 个，分配器仍向驱动申请显存',
  ],
  [
    'The first recorded step, {0}, takes {1#} ms, the others {2#} ms: {3*}',
    '记录的第一个迭代（{0}）耗时 {1} ms，其他为 {2} ms：{3}',
  ],
  [
    '{0#} of {1#} steps ({2}) take {3#} ms, the others {4#} ms: {5*}',
    '{1} 个迭代中有 {0} 个（{2}）耗时 {3} ms，其他为 {4} ms：{5}',
  ],
  ['the recording does not show why', '记录中看不出原因'],
  ['the host makes as many calls in them, which take longer', '主机的调用数目相同，但每次更慢'],
  ['{0#} ms more of compiling', '编译多用 {0} ms'],
  ['{0#} ms more of garbage collection', '垃圾回收多用 {0} ms'],
  ['{0#} ms more of saving a checkpoint', '保存检查点多用 {0} ms'],
  ['{0#} ms more of evaluation', '评估多用 {0} ms'],
  ['{0#} ms more of taking memory from the driver', '向驱动申请显存多用 {0} ms'],
  ['{0#} ms more of loading kernels', '加载内核多用 {0} ms'],
  ['{0#} ms more of data loading', '数据加载多用 {0} ms'],
  ['{0#} ms more of communication', '通信多用 {0} ms'],
  ['{0#} ms more of computing on the GPU', 'GPU 计算多用 {0} ms'],
  ['The profiler itself works {0#} ms a step: {1}', '分析器自身每个迭代工作 {0} ms：{1}'],
  [
    'Recorded with stacks, a step takes about {0#} times as long as without the profiler',
    '带调用栈记录时，迭代耗时约为不用分析器时的 {0} 倍',
  ],
  [
    'The host waits for values of the GPU {0} times a step (item, cpu, nonzero, boolean masks)',
    '主机每个迭代 {0} 次等待 GPU 的值（item、cpu、nonzero、布尔掩码）',
  ],
  [
    'The host waits until the GPU is done, {0} times a step (synchronize)',
    '主机每个迭代 {0} 次等待 GPU 完成（synchronize）',
  ],
  [
    'torch.cuda.empty_cache() is called: {0} calls a step take memory from the driver or give it back',
    '调用了 torch.cuda.empty_cache()：每个迭代 {0} 次调用向驱动申请或归还显存',
  ],
  [
    'Something like torch.cuda.empty_cache() gives memory back in every step: {0} calls a step take memory from the driver or give it back',
    '每个迭代都像 torch.cuda.empty_cache() 那样归还显存：每个迭代 {0} 次调用向驱动申请或归还显存',
  ],
  [
    'The allocator cannot keep its blocks: {0} calls a step take memory from the driver or give it back',
    '分配器留不住显存块：每个迭代 {0} 次调用向驱动申请或归还显存',
  ],
  ['{0} tensors a step go to the host and come back, {1} MB', '每个迭代有 {0} 个张量往返主机，共 {1} MB'],
  [
    '{0} MB a step go through pageable memory and hold the host {1} ms',
    '每个迭代 {0} MB 经过可分页内存，阻塞主机 {1} ms',
  ],
  [
    '{0} ms a step are products of matrices in fp32, without tensor cores',
    '每个迭代 {0} ms 是未用 Tensor Core 的 fp32 矩阵乘',
  ],
  [
    '{0} kernels a step convert between NCHW and NHWC, {1} ms',
    '每个迭代 {0} 个内核在 NCHW 与 NHWC 之间转换，共 {1} ms',
  ],
  [
    'Products of matrices with dimensions that are no multiple of 8 take {0} ms a step',
    '维度不是 8 的倍数的矩阵乘每个迭代耗时 {0} ms',
  ],
  [
    '{0} kernels a step, {1} % of all, are chains of element-by-element work',
    '每个迭代 {0} 个内核（占 {1} %）是连续的逐元素运算',
  ],
  [
    '{0} % of kernel time is in kernels with less than a block for each multiprocessor',
    '{0} % 的内核时间属于线程块少于多处理器数的内核',
  ],
  [
    'The host launches {0} times a step and the GPU works {1} % of it',
    '主机每个迭代启动 {0} 次，GPU 只工作其中的 {1} %',
  ],
]

/** Times of 10 s and more are told in seconds. */
const IN_SECONDS = IN_MS.filter(([english]) => / ms (a step|for its)/.test(english)).map(
  ([english, chinese]): [english: string, chinese: string] => [
    english.replaceAll('} ms', '} s'),
    chinese.replaceAll('} ms', '} s'),
  ],
)

export const SAVINGS_NOTES = [...IN_MS, ...IN_SECONDS]
