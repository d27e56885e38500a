### 分析结论：现象（title）、修改方案（advice）、记录中看不出的内容（unknown）。

finding-data-loading-title-in-process = 迭代等待批次 { TIME($wait_ns) }，批次在训练进程中加载（num_workers=0）
finding-data-loading-title-in-function = 迭代等待批次 { TIME($wait_ns) }，批次在训练进程中加载（num_workers=0），其中 { PCT($share_pct) } 花在 { $function }
finding-data-loading-title-workers = 迭代等待批次 { TIME($wait_ns) }：DataLoader 工作进程供应不及时
finding-data-loading-advice-in-process = 用工作进程加载批次：DataLoader(num_workers=...{ $gpu ->
    [yes] , pin_memory=True
   *[no] { "" }
}, persistent_workers=True)。
finding-data-loading-advice-workers = 增加工作进程、调大 prefetch_factor，或减少每个样本的处理（缓存，或移到 GPU）。
finding-data-loading-unknown = 足够多的工作进程能否跟上：工作进程没有记录

finding-tensor-printing-title = 迭代中把张量转成文本：每次迭代 { TIME($spent_ns) }
finding-tensor-printing-advice = 每 N 次迭代打印一次；先 tensor.detach().cpu() 再打印，因为 GPU 张量的每个元素都会单独读回。
finding-logging-title = 迭代中记录日志：每次迭代 { TIME($spent_ns) }
finding-logging-advice = 每 N 次迭代记录一次日志；在此之前把值留在 GPU 上；用后台线程写入。
finding-logging-unknown = 是否每次迭代都需要这些输出

finding-cpu-tensors-title = 每次迭代由 CPU 在主机内存的张量上计算 { $times } 次（{ $operators }）：{ TIME($spent_ns) }
finding-cpu-tensors-advice = 直接在 GPU 上创建这些张量（device=...），或先把输入拷到 GPU 再计算；对批次输入的处理也可以放到数据加载器的工作进程里。
finding-cpu-tensors-unknown = 同样的工作在 GPU 上需要多久
finding-host-round-trip-title = 数据每次迭代往返主机 { $times } 次，其间由 CPU 处理
finding-host-round-trip-advice = 用 torch 算子在 GPU 上完成这项工作；否则推迟一次迭代再使用其结果，避免等待。
finding-host-round-trip-unknown = 拷回的数据是否取决于读出的数据，以及同样的工作在 GPU 上需要多久

finding-checkpoint-title = 迭代中保存检查点：每次迭代 { TIME($spent_ns) }
finding-checkpoint-advice = 降低保存频率，或异步保存（torch.distributed.checkpoint.async_save）。
finding-deep-copy-title = 用 copy.deepcopy 复制对象：每次迭代 { TIME($spent_ns) }
finding-deep-copy-advice = 原地更新副本（torch._foreach_lerp_、torch.optim.swa_utils.AveragedModel），或每 N 次迭代复制一次。
finding-garbage-collection-title = 迭代中发生 Python 垃圾回收：每次迭代 { TIME($spent_ns) }
finding-garbage-collection-advice = 循环前调用 gc.freeze()，循环中 gc.disable()，每几百次迭代 gc.collect() 一次。
finding-file-io-title = 迭代中有文件读写：每次迭代 { TIME($spent_ns) }
finding-file-io-advice = 用后台线程写入、一次写入更大的块，或每 N 次迭代写入一次。
finding-object-conversion-title = 把对象转换为文本或字节（json、pickle、yaml）：每次迭代 { TIME($spent_ns) }
finding-object-conversion-advice = 减少转换、每 N 次迭代转换一次，或放到另一个进程。
finding-sleep-title = 程序在休眠（time.sleep）：每次迭代 { TIME($spent_ns) }
finding-sleep-advice = 去掉休眠，或在后台线程中等待它所等的事件。
finding-python-work-title = PyTorch 算子之间执行 Python 代码：每次迭代 { TIME($spent_ns) }，其中 { PCT($share_pct) } 花在 { $function }
finding-python-work-advice = 移出循环，或移到 DataLoader 工作进程或另一个进程（线程没有帮助：它占用 GIL），或一次处理整个张量。
finding-python-work-advice-in-modules = 编译模型（torch.compile；在 GPU 上用 mode="reduce-overhead" 启用 CUDA 图），或减少每个模块中的 Python 代码。
finding-python-work-unknown = 迭代继续之前是否需要它的结果
finding-python-work-unknown-in-modules = 编译后的模型能省去其中多少 Python 代码
finding-untraced-host-time-title = PyTorch 算子之外未采集的 CPU 时间：每次迭代 { TIME($spent_ns) }
finding-untraced-host-time-advice = 用 with_stack=True 采集以定位代码；再移出循环，或移到另一个进程（DataLoader 工作进程）。
finding-untraced-host-time-advice-sample = 此版本的 PyTorch 不记录 Python 函数：用采样式性能分析器采集该进程以定位代码；再移出循环，或移到另一个进程（DataLoader 工作进程）。
finding-untraced-host-time-title-other = 算子之外未采集的 CPU 时间：每次迭代 { TIME($spent_ns) }
finding-untraced-host-time-advice-other = 用采样式性能分析器采集该进程以定位代码；再移出循环，或移到另一个进程（DataLoader 工作进程）。
finding-untraced-host-time-unknown = 是哪段代码：Python、垃圾回收、文件读写，或未记录的等待

finding-optimizer-loop-title = 优化器每次迭代下发 { $launches } 个内核，而参数约 { $parameters } 个
finding-optimizer-loop-title-cpu = 优化器每次迭代调用 { $launches } 个算子，而参数约 { $parameters } 个
finding-optimizer-loop-advice-fused = 使用优化器的融合（fused=True）或多张量（foreach=True）实现。
finding-optimizer-loop-advice-foreach = 使用优化器的多张量（foreach=True）实现。
finding-optimizer-loop-advice-own = 一次更新全部参数：torch._foreach_add_、_foreach_mul_、_foreach_lerp_ 接受列表。
finding-optimizer-loop-unknown = 该优化器能否一次更新全部参数
finding-gradient-norms-title = 约 { $tensors } 个张量的范数逐个计算：每次迭代下发 { $launches } 个内核（{ $operators }）
finding-gradient-norms-advice = 使用 foreach=True 的 torch.nn.utils.clip_grad_norm_，或 torch._foreach_norm：一个列表，只读回一个值。
finding-parameter-loop-title = 循环逐个处理约 { $tensors } 个张量，每次迭代下发 { $launches } 个内核（{ $operators }）
finding-parameter-loop-title-cpu = 逐个处理约 { $tensors } 个张量的循环每次迭代调用 { $launches } 个算子（{ $operators }）
finding-gradient-norms-title-cpu = 逐个计算约 { $tensors } 个张量的范数：每次迭代调用 { $launches } 个算子（{ $operators }）
finding-parameter-loop-advice = 使用接受列表的 torch._foreach_mul_、_foreach_add_、_foreach_lerp_；梯度用 zero_grad(set_to_none=True)。
finding-parameter-loop-advice-gradients = 先把各张量拼接起来，只计算一次；对权重的惩罚项可用优化器的 weight_decay。该循环的反向传播也随之消失。
finding-parameter-loop-unknown = 代码是否需要每个张量单独的值

finding-recomputation-title = 反向传播每次迭代重算 { TIME($spent_ns) } 的前向计算
finding-recomputation-title-free = 反向传播每次迭代重算 { TIME($spent_ns) } 的前向计算，而显存峰值时 { BYTES($size_bytes) } 中仍有 { BYTES($free_bytes) } 空闲
finding-recomputation-advice = 若显存放得下激活值，就减少重算的模块（torch.utils.checkpoint）。
finding-recomputation-advice-some = 减少重算的模块：保留全部激活值至多需要 { BYTES($kept_bytes) }，放得下 { PCT($fits_pct) } 的模块。
finding-recomputation-advice-all = 不用或减少重算：保留全部激活值至多再需要 { BYTES($kept_bytes) }。
finding-recomputation-unknown = 还有多少显存空闲（profile_memory=True）

finding-unfused-attention-title-size = 未融合的注意力：{ LABEL($size) } x { LABEL($size) } 的分数矩阵每次迭代耗时 { TIME($spent_ns) }
finding-unfused-attention-title-order = 未融合的注意力：分开的矩阵乘、softmax、矩阵乘内核每次迭代耗时 { TIME($spent_ns) }
finding-unfused-attention-advice = 使用 torch.nn.functional.scaled_dot_product_attention，它不会把分数矩阵写到显存。
finding-unfused-attention-advice-weights = nn.MultiheadAttention 默认返回注意力权重，因此无法使用融合内核。如果不使用这些权重，请传入 need_weights=False。
finding-unfused-attention-unknown = 序列长度：序列较短时融合内核收益较小（record_shapes=True）

finding-unrolled-loop-title = 沿时间维的循环把同样的 { $launches } 个内核重复下发 { $times } 次
finding-unrolled-loop-advice = 使用融合实现（torch.nn.LSTM、GRU、扫描内核），对循环使用 torch.compile，或捕获成 CUDA 图。
finding-unrolled-loop-unknown = 循环次数是否固定，以及该循环是否有融合实现
finding-operator-loop-title = 同样的算子在小输入上连续执行 { $times } 次（{ $operators }）：每次迭代 { TIME($spent_ns) }
finding-operator-loop-title-pieces = { NUMBER($times) } 个小算子在张量的各个部分上逐一执行（{ $operators }）：每次迭代 { TIME($spent_ns) }
finding-operator-loop-advice = 对所有部分只调用一次：堆叠输入并使用批量算子（torch.bmm、index_add、nn.LSTM、torch.vmap）；读取多个值时用一次 tolist()。
finding-operator-loop-unknown = 每一部分是否需要前一部分的结果
finding-micro-batches-title = 前向和反向每次迭代执行 { $times } 次，每次只处理 batch 的一小部分：每次迭代 { TIME($spent_ns) }
finding-micro-batches-advice = 对整个 batch 只做一次前向和反向；单个样本的梯度可用 torch.func.vmap(torch.func.grad(...)) 得到。
finding-micro-batches-unknown = 内存能否容纳整个 batch，每次是否需要前一次的结果，以及 batch norm 在更大 batch 上的结果
finding-unused-rows-title = 先对整个张量做计算，随后只取出其中少数几行：每次迭代 { TIME($spent_ns) }
finding-unused-rows-advice = 先取出需要的行，再做类型转换或缩放；或者在循环之前对整个张量只转换一次。
finding-unused-rows-unknown = 其余的行在别处或之后的迭代中是否还会用到
finding-extra-forward-title = 模型每次迭代多做 { NUMBER($times) } 次反向传播用不到的前向计算：每次迭代 { TIME($spent_ns) }
finding-extra-forward-advice = 准确率可以用计算 loss 的那次输出得到；验证不必每次迭代都做，可每 N 次做一次。
finding-extra-forward-unknown = 这些输出是否需要，以及是否与另一次前向不同
finding-repeated-backward-title = 反向传播再次经过同一计算图：每次迭代 { TIME($spent_ns) }
finding-repeated-backward-advice = 把各个 loss 相加，只调用一次 backward()；下一次迭代沿用的张量（如隐藏状态）或另一模型的输出先 detach()。
finding-repeated-backward-advice-rows = Jacobian 的所有行可以一次算出：is_grads_batched=True 或 torch.func.jacrev；只需要各行之和时，对和求导。
finding-repeated-backward-unknown = 是否需要单独得到每个 loss 的梯度
finding-repeated-backward-unknown-rows = 其中一次反向传播是否从另一次的结果出发
finding-renewed-optimizer-title = 每次迭代创建 { NUMBER($times) } 次优化器，并为每个参数新建状态：每次迭代 { TIME($spent_ns) }
finding-renewed-optimizer-advice = 在循环之前创建一次。新的优化器没有动量，偏差修正也重新从头计数。
finding-growing-cat-title = 张量由 torch.cat 逐块增长，每次迭代 { $calls } 次，每次都整体复制：每次迭代 { TIME($spent_ns) }
finding-growing-cat-advice = 先把各块收集到列表里，最后一次拼接；或写入一个按最终大小分配的张量。
finding-growing-cat-unknown = 张量在拼接完成之前是否会被读取
finding-anomaly-detection-title = autograd 异常检测已打开：反向传播每次迭代做 { $checks } 次 NaN 检查，并为每个前向算子保存调用栈
finding-anomaly-detection-advice = 只在查找产生 NaN 的算子时打开，正常训练时关闭。
finding-value-checks-title = 每次迭代检查 { $checks } 次数值是否为 NaN 或无穷
finding-value-checks-advice = 只检查 loss，或每 N 次迭代检查一次。
finding-backward-hooks-title = 每次迭代有 { $calls } 次模块调用执行反向 hook：每次迭代 { TIME($spent_ns) }
finding-backward-hooks-advice = 只在查看梯度期间注册这类 hook，之后移除，或每 N 次迭代查看一次；clip_grad_norm_ 一次调用即可得到所有梯度的范数。
finding-backward-hooks-unknown = 这些 hook 是否修改梯度

finding-small-copies-title = 主机与 GPU 之间每次迭代有 { $copies } 次小于 1 MiB 的拷贝，共 { BYTES($moved_bytes) }
finding-small-copies-advice = 在主机上把值合并后拷贝一个张量；常量在循环之前就在 GPU 上创建。
finding-small-copies-unknown = 这些值是否同时可得

finding-host-synchronisation-title = 主机每次迭代等待 GPU 返回值 { $times ->
    [0] 不到 1
   *[other] { $times }
} 次：{ $seen }
finding-host-synchronisation-advice = 把值留在 GPU 上：在 GPU 上累加，每 N 次迭代读回一次。
finding-input-splits-title = 主机每次迭代等待 TorchRec 输入 all-to-all 的切分大小 { $times } 次
finding-input-splits-advice = 在计算当前批次时分发下一批次的输入：TorchRec 的 TrainPipelineSparseDist 就是这样做的。
finding-data-dependent-size-title = 主机每次迭代等待结果的大小 { $times ->
    [0] 不到 1
   *[other] { $times }
} 次：{ $seen }
finding-data-dependent-size-advice = 对所有元素计算并用 torch.where 选择，或填充到固定大小。
finding-data-dependent-size-unknown = 对所有元素计算会增加多少工作
finding-read-masks = 布尔掩码
finding-read-kind = { $times ->
    [0] { $kind }
   *[other] { $times } 次 { $kind }
}
finding-synchronize-title = 主机每次迭代等待 GPU 执行完 { $times } 次（synchronize）
finding-synchronize-advice = 从循环中去掉 torch.cuda.synchronize()；用 CUDA 事件计时。

finding-allocator-title-called = 调用了 torch.cuda.empty_cache()：每次迭代 { $calls } 次 cudaMalloc 与 cudaFree
finding-allocator-title-likely = 每次迭代都释放缓存的显存，类似 torch.cuda.empty_cache()：每次迭代 { $calls } 次 cudaMalloc 与 cudaFree
finding-allocator-title-unknown = 缓存分配器留不住显存块：每次迭代 { $calls } 次 cudaMalloc 与 cudaFree
finding-allocator-title-off = 缓存分配器已关闭：每次迭代 { $calls } 次 cudaMalloc 和 cudaFree 调用，每个张量各一次
finding-allocator-advice-off = 取消设置 PYTORCH_NO_CUDA_MEMORY_CACHING（ROCm 上还有 PYTORCH_NO_HIP_MEMORY_CACHING）。
finding-allocator-advice-called = 从循环中去掉 empty_cache()；显存紧张时可尝试 expandable_segments:True。
finding-allocator-advice-likely = 从循环中去掉 torch.cuda.empty_cache()；若没有调用它，则减少显存占用。
finding-allocator-advice-unknown = 减少显存占用，或设置 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True。
finding-allocator-unknown = 是调用了 empty_cache()（with_stack=True 可以看出），还是显存不足

finding-offloading-title = 每次迭代有 { $tensors } 个张量拷到主机又拷回，共 { BYTES($moved_bytes) }
finding-offloading-advice = 放得下就留在 GPU 上；否则使用锁页内存，并在单独的流上拷贝。
finding-offloading-unknown = GPU 显存是否放得下
finding-blocking-calls-title = 每次迭代有 { $times } 次拷贝或设置内存的调用阻塞主机 { TIME($blocked_ns) }{ $moved_bytes ->
    [none] { "" }
   *[other] （{ BYTES($moved_bytes) }）
}
finding-blocking-calls-advice = 使用异步函数（cudaMemcpyAsync、cudaMemsetAsync）与锁页内存，只在需要结果处等待。
finding-blocking-calls-unknown = 主机在何处需要拷贝的结果
finding-pageable-copies-title = 每次迭代有 { BYTES($moved_bytes) } 经可分页内存拷贝，阻塞主机 { TIME($blocked_ns) }
finding-pageable-copies-advice = DataLoader 设置 pin_memory=True，或调用 tensor.pin_memory()，并用 .to(device, non_blocking=True)；在单独的流上拷贝下一个批次，使其与计算重叠。
finding-pageable-copies-unknown = 能否提前拷贝批次，以及到 GPU 的链路的峰值带宽

finding-double-precision-title = 每次迭代有 { TIME($spent_ns) } 是 float64（双精度）计算
finding-double-precision-advice = 找出 float64 从何处引入：NumPy 数组与 Python 浮点数默认是 float64。
finding-double-precision-unknown = 此处是否确实需要双精度
finding-no-tensor-cores-title = 每次迭代有 { TIME($spent_ns) } 是未用 Tensor Core 的 fp32 矩阵乘（GEMM）
finding-no-tensor-cores-advice = 使用 torch.set_float32_matmul_precision("high")（TF32），或 bfloat16 的 torch.autocast。
finding-no-tensor-cores-advice-half = 使用 float16 的 torch.autocast 与 torch.amp.GradScaler：该 GPU 没有 TF32 与 bfloat16。
finding-layout-conversions-title = 每次迭代有 { $kernels ->
    [0] 不到 1
   *[other] { $kernels }
} 个内核在 NCHW 与 NHWC 之间转换，共 { TIME($spent_ns) }
finding-layout-conversions-advice = 使用 model.to(memory_format=torch.channels_last)，输入也要转换。
finding-contiguous-copies-title = contiguous() 与 reshape() 在 GPU 上拷贝张量：每次迭代 { TIME($spent_ns) }
finding-contiguous-copies-title-cpu = contiguous() 与 reshape() 复制张量：每次迭代 { TIME($spent_ns) }
finding-contiguous-copies-advice = 去掉不需要的拷贝：许多算子接受任意内存布局，view() 从不拷贝。
finding-contiguous-copies-unknown = 后续算子是否需要这种内存布局
finding-misaligned-matmul-title = 维度不是 8 的倍数的矩阵乘（GEMM）每次迭代耗时 { TIME($spent_ns) }
finding-misaligned-matmul-advice = 把词表、隐藏或批次维度补齐到 8 的倍数（尽量 64 的倍数）。
finding-unfused-elementwise-title = 每次迭代 { $kernels } 个内核（占全部的 { PCT($share_pct) }）是连续的逐元素算子
finding-unfused-elementwise-title-time = 连续的逐元素算子占 GPU 时间的 { PCT($share_pct) }：每次迭代 { $kernels } 个内核
finding-unfused-elementwise-advice = 对模型或其所在函数使用 torch.compile。
finding-unfused-elementwise-unknown = 编译器能否融合它们
finding-small-collectives-title = 每次迭代连续 { NUMBER($times) } 次 all-reduce，其中一半短于 { TIME($median_ns) }
finding-small-collectives-advice = 分桶归约梯度：DistributedDataParallel 默认如此（bucket_cap_mb，默认 25 MB）；自己写循环时先把梯度拼成一个张量。
finding-small-collectives-unknown = 各张量类型是否相同，以及在需要第一个结果之前是否都已就绪
finding-small-batch-title = { PCT($share_pct) } 的内核时间属于每个 SM 不足一个线程块的内核
finding-small-batch-advice = 增大批次：节省按每个样本计，批次为 { $times } 倍。
finding-small-batch-unknown = 显存与收敛性是否允许更大的批次
finding-launch-bound-title = 每次迭代下发 { $launches } 个内核，扣除采集开销后 GPU 忙碌时间仅占 { PCT($busy_pct) }
finding-launch-bound-advice = 使用 CUDA 图、torch.compile(mode="reduce-overhead")，或更大的批次。
finding-launch-bound-advice-training = 把整次迭代连同优化器捕获为一个 CUDA 图，或使用更大的批次。torch.compile(mode="reduce-overhead") 只捕获模型，节省更少。
finding-launch-bound-advice-compiled = 对已编译的部分使用 CUDA 图（mode="reduce-overhead"），或更大的批次。
finding-launch-bound-advice-served = 让推理服务以 CUDA 图执行批次：启动 vLLM 时不带 --enforce-eager，启动 SGLang 时不带 --disable-cuda-graph，并为该批次大小捕获图。
finding-launch-bound-unknown-waits = 能否使用 CUDA 图：形状固定、没有依赖数据的分支；且 CPU 不能等待 GPU，而每次迭代有 { $waits } 次等待

finding-memory-near-limit-title = { $device }：峰值时预留 { BYTES($reserved_bytes) }，总共 { BYTES($capacity_bytes) }（{ PCT($share_pct) }）
finding-memory-near-limit-advice = 再多一点，迭代就会显存不足，或等待分配器释放缓存块。
finding-memory-near-limit-unknown = 还有什么占用该 GPU 的显存
finding-allocator-retries-title = { $steps } 次迭代中有 { $retried } 次出现缓存分配器重试（显存碎片）
finding-allocator-retries-advice = 减少显存占用（减小批次、激活重算），或使用可扩展段（expandable segments）。
finding-allocator-growth-title = 首次迭代之后的 { $steps } 次迭代中，有 { $grown } 次缓存分配器仍调用 cudaMalloc
finding-allocator-growth-advice = 各次迭代形状不同会导致这种情况：补齐为少数几种大小，或使用可扩展段（expandable segments）。
finding-allocator-growth-unknown = 记录之后是否还会继续

finding-first-step-title = 记录的第一次迭代（{ $step }）耗时 { TIME($longer_ns) }，其他为 { TIME($usual_ns) }：{ $reason }
finding-first-step-advice = 平均值包含它：请选择其后的迭代（--step），或多预热几次迭代再记录。
finding-uneven-steps-title = { $steps } 次迭代中有 { $count } 次（{ $numbers }）耗时 { TIME($longer_ns) }，其他为 { TIME($usual_ns) }：{ $reason }
finding-uneven-steps-advice = 平均值包含它们：请在时间线上查看，或选择其他迭代（--step）。
finding-uneven-steps-unknown = 整个运行中这样的迭代多久出现一次
finding-uneven-steps-more = { $activity }多用 { TIME($more_ns) }
finding-uneven-steps-pause = 有一段 { TIME($pause_ns) } 内 CPU 没有开始任何算子或调用
finding-uneven-steps-slower-host = CPU 调用次数相同，但每次更慢
finding-uneven-steps-unexplained = 记录中看不出原因
finding-activity-compiling = 编译
finding-activity-garbage-collection = 垃圾回收
finding-activity-checkpoint = 保存检查点
finding-activity-evaluation = 评估
finding-activity-driver-memory = cudaMalloc 与 cudaFree
finding-activity-loading-kernels = 加载内核
finding-activity-data-loading = 数据加载
finding-activity-communication = 通信
finding-activity-compute = GPU 计算

finding-profiler-overhead-title = 采集开销每次迭代 { TIME($spent_ns) }：{ $events }
finding-profiler-overhead-advice = 它不属于程序，但计入记录的时间。请记录更少的迭代，或更少的事件类型。
finding-profiler-overhead-unknown = 其中多少阻塞了主机
finding-recorded-with-stacks-title = 采集调用栈时，一次迭代的耗时约为不采集时的 { FIXED($times, digits: 1) } 倍
finding-recorded-with-stacks-advice = { $is_measured ->
    [yes] 迭代时间取自未开启 profiler 时的实测，节省量以其为起点：无需重新记录。
   *[no] 时间以不含调用栈的记录为准，原因看这份记录。
}
finding-recorded-with-stacks-unknown = 不采集时的准确时间

finding-straggler-title = rank { LABEL($rank) } 是慢 rank：每次迭代使其他 rank 多等 { TIME($delay_ns) }（{ PCT($delay_pct) }）
finding-straggler-advice-compute = 让每个 rank 的工作量相同：均匀的分片与批次，不要只在一个 rank 上做额外的工作。
finding-straggler-advice-copies = 让每个 rank 拷贝的数据量相同，使用锁页内存，并在迭代之前拷贝。
finding-straggler-advice-data-loading = 检查该 rank 的数据加载器：文件、工作进程、机器。
finding-straggler-advice-garbage-collection = 循环前调用 gc.freeze()，并让每个 rank 在同一次迭代 gc.collect()。
finding-straggler-advice-host = 把只有该 rank 的 CPU 才做的工作移出迭代：日志、评估、检查点。
finding-straggler-advice-not-recorded = 将该 rank 的机器与其他机器比较：频率、功耗、其他进程。
finding-straggler-advice-clock = 查明是什么使该 GPU 降频（功率上限、散热、在机器中的位置）；在此之前不使用该 GPU 或让它少做一些工作。
finding-straggler-unknown-clock = 该 rank 的 GPU 与机器上的其他进程，以及其内核有多少受频率限制
finding-straggler-unknown = 该 rank 的 GPU 与机器的频率、功耗和其他进程

finding-none = 没有行：没有发现可以缩短迭代的问题
finding-unexamined = { $why ->
    [cut] 记录在 GPU 事件之前被截断
    [steps] 记录被截断，没有任何迭代的 GPU 任务是完整的
    [captured] 内核被捕获进 CUDA 图，没有实际运行
    [threads] 有多个线程下发 GPU 任务
   *[host] 迭代中没有记录到 CPU 活动
}，无法模拟任何优化
finding-no-steps = { $kind ->
    [communication_log] NCCL Inspector 日志中没有迭代；结论以及表 collective_lateness 和 collective_bandwidth 说明哪个 rank 晚到、哪条链路慢
   *[other] 没有记录迭代，无法模拟任何修复
}
finding-detector-failed = rank { LABEL($rank) }：未检查 { $what } 一类的问题，这是 stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题
finding-selected-ranks = 共 { $ranks } 个 rank，只详细分析 { $chosen }（慢 rank、最快、第一个）；可用 --rank 选择其他 rank
finding-combined = 本程序特有的问题全部修改后：节省迭代的 { PCT($saving_pct) }（{ RANGE(PCT($low_pct), PCT($high_pct)) }）；各项节省不能相加
finding-combined-on-rank = rank { LABEL($rank) }：本程序特有的问题全部修改后：节省迭代的 { PCT($saving_pct) }（{ RANGE(PCT($low_pct), PCT($high_pct)) }）；各项节省不能相加
finding-no-occurrence = 没有行：这些迭代中没有任何发现有其自身的时间范围
finding-occurrences-capped = rank { LABEL($rank) }：{ $finding } 共 { $occurrences } 处，列出其中最长的 { $shown } 处
finding-occurrences-of-steps = rank { LABEL($rank) }：所检查的 { $seen } 次迭代中的各处，共 { $steps } 次迭代
