/** What findings advise, and what they say is not in the recording, in Chinese; as in `notes.zh.ts`. */

export const ADVICE_NOTES: [english: string, chinese: string][] = [
  [
    'Give the loader workers (num_workers, pin_memory=True, persistent_workers=True).',
    '为加载器设置工作进程（num_workers、pin_memory=True、persistent_workers=True）。',
  ],
  [
    'More workers, a larger prefetch_factor, or less work per sample (cache it, move it to the GPU).',
    '增加工作进程、增大 prefetch_factor，或减少每个样本的处理（缓存，或移到 GPU）。',
  ],
  [
    'Save less often, or from a thread (torch.distributed.checkpoint.async_save).',
    '降低保存频率，或在线程中保存（torch.distributed.checkpoint.async_save）。',
  ],
  [
    'gc.freeze() before the loop, gc.disable() in it, gc.collect() every some hundred steps.',
    '循环前 gc.freeze()，循环中 gc.disable()，每几百个迭代 gc.collect() 一次。',
  ],
  [
    'Write from a thread, in larger pieces, or every so many steps.',
    '在线程中写入、一次写入更多，或每隔若干迭代写入。',
  ],
  [
    'Record with with_stack=True to see where; then move it out of the loop, or into a thread.',
    '用 with_stack=True 记录可知在何处；再移出循环，或移到线程中。',
  ],
  [
    'which code it is: Python, garbage collection, files, or a wait for something that is not recorded',
    '是哪段代码：Python、垃圾回收、文件，或等待未记录的事物',
  ],
  [
    "Move it out of the loop, into the data loader's workers, or onto the GPU.",
    '移出循环、移到数据加载的工作进程，或移到 GPU 上。',
  ],
  [
    'Use the fused (fused=True) or multi-tensor (foreach=True) form of the optimizer.',
    '使用优化器的融合（fused=True）或多张量（foreach=True）形式。',
  ],
  ['Use the multi-tensor (foreach=True) form of the optimizer.', '使用优化器的多张量（foreach=True）形式。'],
  [
    'Update all parameters at once: torch._foreach_add_, _foreach_mul_, _foreach_lerp_ take lists.',
    '一次更新全部参数：torch._foreach_add_、_foreach_mul_、_foreach_lerp_ 接受整个列表。',
  ],
  [
    'Find where float64 comes in: NumPy arrays and Python numbers are double unless told otherwise.',
    '找出 float64 从何处进入：除非指定，NumPy 数组与 Python 数都是双精度。',
  ],
  ['whether double precision is wanted here', '此处是否需要双精度'],
  [
    'Leave out copies that nothing needs: many operators take any order, view() never copies.',
    '去掉无人需要的拷贝：许多算子接受任意顺序，view() 从不拷贝。',
  ],
  ['whether what comes after needs this order', '其后的操作是否需要这种顺序'],
  ['it may save nothing', '可能毫无节省'],
  ['it may not be possible here', '此处未必可行'],
  ['the range is wider than {0} points', '范围宽于 {0} 个百分点'],
  ['the range is at most {0} points wide', '范围不超过 {0} 个百分点'],
  ['a mend brings more than what was timed', '改进所得多于所计'],
  ['whether it can be mended so is not known', '能否如此改进尚不知'],
  ['whether this optimizer can update all parameters at once', '该优化器能否一次更新全部参数'],
  [
    'torch.nn.functional.scaled_dot_product_attention, which never stores them.',
    '使用 torch.nn.functional.scaled_dot_product_attention，它不存储这些矩阵。',
  ],
  [
    'torch.nn.functional.scaled_dot_product_attention, which never stores the matrix of weights.',
    '使用 torch.nn.functional.scaled_dot_product_attention，它不存储权重矩阵。',
  ],
  [
    'Checkpoint fewer blocks (torch.utils.checkpoint) if there is memory left for what they keep.',
    '若显存放得下所保留的内容，就减少重算的块（torch.utils.checkpoint）。',
  ],
  [
    'Checkpoint fewer blocks: keeping all takes up to {0#} GiB, {1#} % of the blocks fit.',
    '减少重算的块：全部保留至多需要 {0} GiB，放得下 {1} % 的块。',
  ],
  [
    'Checkpoint nothing, or fewer blocks: keeping all takes up to {0#} GiB more.',
    '不用或减少重算：全部保留至多再需要 {0} GiB。',
  ],
  [
    'A little more and steps fail, or wait while the allocator gives memory back.',
    '再多一点，迭代就会失败，或等待分配器归还显存。',
  ],
  [
    'Free memory (a smaller batch, activation checkpointing), or let segments grow.',
    '释放显存（减小批次、激活重算），或允许显存段增长。',
  ],
  [
    'Shapes that differ from step to step do that: pad them to a few sizes, or let segments grow.',
    '各迭代形状不同时会如此：补齐为少数几种大小，或允许显存段增长。',
  ],
  [
    'It counts in the means here; select the steps after it (--step), or record after more of them.',
    '它计入这里的平均值；请选择其后的迭代（--step），或多运行几个迭代再记录。',
  ],
  [
    'They count in the means here; look at them on the timeline, or select the others (--step).',
    '它们计入这里的平均值；请在时间线上查看，或选择其他迭代（--step）。',
  ],
  [
    'No part of the program, but in the recorded times. Record fewer steps, or less of each.',
    '不属于程序，但在记录的时间之内。请记录更少的迭代，或每个迭代少记录一些。',
  ],
  [
    'Take times from a recording without stacks, and causes from this one.',
    '时间以不含调用栈的记录为准，原因看这份记录。',
  ],
  [
    'Keep the values on the GPU: sum them there, read them every so many steps, use torch.where.',
    '把值留在 GPU 上：在那里累加、每隔若干迭代读取，或使用 torch.where。',
  ],
  [
    'Leave torch.cuda.synchronize() out of the loop; time with CUDA events.',
    '不要在循环中调用 torch.cuda.synchronize()，计时使用 CUDA 事件。',
  ],
  [
    'Leave empty_cache() out of the loop; with little memory left try expandable_segments:True.',
    '不要在循环中调用 empty_cache()；显存紧张时可试 expandable_segments:True。',
  ],
  [
    'Leave torch.cuda.empty_cache() out of the loop; if it is not called, free some memory.',
    '不要在循环中调用 torch.cuda.empty_cache()；若没有调用，就释放一些显存。',
  ],
  [
    'whether empty_cache() is called (with_stack=True tells), or the memory does not suffice',
    '是调用了 empty_cache()（with_stack=True 可知），还是显存不够',
  ],
  [
    'CUDA graphs of what is compiled already (mode="reduce-overhead"), or a larger batch.',
    '对已编译的部分使用 CUDA 图（mode="reduce-overhead"），或更大的批次。',
  ],
  [
    'Free some memory, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.',
    '释放一些显存，或设置 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True。',
  ],
  [
    "Keep them on the GPU if they fit; else pin the host's memory and copy on a stream of their own.",
    '放得下就留在 GPU 上；否则固定主机内存，并在单独的流上拷贝。',
  ],
  [
    'pin_memory=True in the loader, or tensor.pin_memory(), and .to(device, non_blocking=True).',
    '加载器设置 pin_memory=True，或调用 tensor.pin_memory()，再用 .to(device, non_blocking=True)。',
  ],
  [
    'torch.set_float32_matmul_precision("high") (TF32), or torch.autocast with bfloat16.',
    '使用 torch.set_float32_matmul_precision("high")（TF32），或 bfloat16 的 torch.autocast。',
  ],
  [
    'model.to(memory_format=torch.channels_last), and the inputs too.',
    '使用 model.to(memory_format=torch.channels_last)，输入也一样。',
  ],
  [
    'Pad vocabulary, hidden or batch dimensions to multiples of 8 (of 64 where possible).',
    '把词表、隐藏或批次维度补齐到 8 的倍数（尽量 64 的倍数）。',
  ],
  ['torch.compile the model, or the function around them.', '对模型或其所在函数使用 torch.compile。'],
  [
    'A larger batch: the saving is for each sample, at {0} times the batch.',
    '增大批次：节省按每个样本计，批次为 {0} 倍。',
  ],
  [
    'CUDA graphs, torch.compile(mode="reduce-overhead"), or a larger batch.',
    '使用 CUDA 图、torch.compile(mode="reduce-overhead")，或更大的批次。',
  ],
  [
    'torch.nn.utils.clip_grad_norm_ with foreach=True, or torch._foreach_norm: one list, one value to read.',
    '使用 foreach=True 的 torch.nn.utils.clip_grad_norm_，或 torch._foreach_norm：一个列表，只读取一个值。',
  ],
  [
    'torch._foreach_mul_, _foreach_add_, _foreach_lerp_ take lists; for gradients, zero_grad(set_to_none=True).',
    'torch._foreach_mul_、_foreach_add_、_foreach_lerp_ 一次处理整个列表；梯度用 zero_grad(set_to_none=True)。',
  ],
  [
    'A fused form (torch.nn.LSTM, GRU, a scan kernel), torch.compile of the loop, or a CUDA graph of it.',
    '使用融合形式（torch.nn.LSTM、GRU、扫描内核），对循环使用 torch.compile，或为它使用 CUDA 图。',
  ],
  [
    'Do this work on the GPU with torch operators; else use its result a step later, without waiting.',
    '用 torch 算子在 GPU 上完成这项工作；否则在下一个迭代使用其结果，无需等待。',
  ],
  [
    'Put the values together on the host and copy one tensor; make constants on the GPU before the loop.',
    '在主机上把值合并后拷贝一个张量；常量在循环之前就在 GPU 上创建。',
  ],
  [
    'Print every so many steps; print tensor.detach().cpu() once, since each number of a GPU tensor is read alone.',
    '每隔若干迭代打印；先一次性 tensor.detach().cpu() 再打印，因为 GPU 张量的每个数都会单独读取。',
  ],
  [
    'Log every so many steps; keep the values on the GPU until then; write from a thread.',
    '每隔若干迭代记录日志；此前把值留在 GPU 上；在线程中写入。',
  ],
  // What the recording cannot tell
  ['whether the code needs the value of each tensor by itself', '代码是否需要每个张量单独的值'],
  [
    'whether the number of repetitions is fixed, and whether a fused form of this loop exists',
    '重复次数是否固定，以及该循环是否有融合形式',
  ],
  [
    'whether what goes back was made from what was read, and what the same work takes the GPU',
    '送回的数据是否由读出的数据得来，以及同样的工作在 GPU 上需要多久',
  ],
  ['whether the values are there at the same time', '这些值是否同时可得'],
  ['whether the output is needed in every step', '是否每个迭代都需要这些输出'],
  [
    'whether enough workers can keep up: batches are made outside the recording',
    '足够多的工作进程能否跟上：批次在记录之外制作',
  ],
  [
    'how long the sequences are: with short ones a fused kernel brings less (record_shapes=True)',
    '序列有多长：较短时融合内核收益更小（record_shapes=True）',
  ],
  ['how much memory is free (profile_memory=True)', '还有多少显存空闲（profile_memory=True）'],
  ['whether it goes on after the recording', '记录之后是否还会继续'],
  ['what else holds memory of the GPU', '还有什么占用 GPU 的显存'],
  ['how often such steps come in the whole run', '整个运行中这样的迭代多久出现一次'],
  ['how much of it the host waited for', '主机为其中多少而等待'],
  ['the exact time without the profiler', '不使用分析器的准确时间'],
  ['whether the GPU has room for them', 'GPU 是否放得下'],
  ['what the link to the GPU can do at best', '到 GPU 的链路最快能有多快'],
  ['whether the accuracy of TF32 or bfloat16 is enough for this model', 'TF32 或 bfloat16 的精度对该模型是否足够'],
  ['whether the compiler may fuse them', '编译器能否融合它们'],
  ['whether memory and the optimization allow a larger batch', '显存与优化过程是否允许更大的批次'],
  [
    'whether a graph is possible: fixed shapes, no synchronisation, no branches on values',
    '能否使用图：形状固定、没有同步、没有依值分支',
  ],
  // 拖住其他 rank 的 rank
  [
    'Give every rank the same work: even shards and batches, nothing heavy on one rank alone.',
    '让每个 rank 的工作相同：均匀的分片与批次，不要只在一个 rank 上做繁重的工作。',
  ],
  [
    'Copy the same on every rank, from pinned memory, ahead of the step.',
    '让每个 rank 拷贝的数据相同，使用锁页内存，并在迭代之前拷贝。',
  ],
  ["Look at that rank's loader: its files, its workers, its machine.", '查看该 rank 的加载器：文件、工作进程、机器。'],
  [
    'gc.freeze() before the loop and gc.collect() at the same step on every rank.',
    '循环前 gc.freeze()，并让每个 rank 在同一迭代 gc.collect()。',
  ],
  [
    "Move what only this rank's host does out of the step: logging, evaluation, checkpoints.",
    '把只有该 rank 的主机才做的事移出迭代：日志、评估、检查点。',
  ],
  [
    "Compare that rank's machine with the others: clocks, power, other processes.",
    '将该 rank 的机器与其他机器比较：时钟、功耗、其他进程。',
  ],
  ["clocks, power and other processes of that rank's GPU and machine", '该 rank 的 GPU 与机器的时钟、功耗和其他进程'],
  ['only if rank {0}, which is late too, is mended as well', '仅当同样迟到的 rank {0} 也得到改进'],
  ['only as far as other stages of the pipeline are not waited for then', '仅当届时无需等待流水线的其他阶段'],
  ['the other ranks wait for rank {0} ({1})', '其他 rank 在等待 rank {0}（{1}）'],
]
