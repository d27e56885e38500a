### stepscope 所用术语。涉及的表只在英文目录的 `.tables` 中列出。

## 记录

glossary-recording = 记录
    .means = 一个记录工具对一个进程或一台机器写下的内容，例如 torch.profiler 的一份跟踪。
glossary-run = 运行
    .means = 一个作业的全部记录，即其所有 rank 的记录。
glossary-rank = rank
    .means = 分布式作业中的一个进程，以其在作业中的编号表示。单 GPU 作业只有一个 rank。
glossary-worker-span = worker 的 span
    .means = 同一进程多份记录中的一份（TensorBoard 的叫法）：profiler 的 schedule 多次进入记录阶段。
glossary-health = 健康检查
    .means = 说明记录有多少可信的各项检查：下发调用是否关联、事件是否丢弃或损坏、迭代是否被截断、时钟、缺少的事件类别。看数字之前请先看它。
glossary-profiler-overhead = 采集开销
    .means = 采集给迭代增加的时间，几乎都在 CPU 上。stepscope 模拟没有采集开销的迭代，并以区间给出迭代时间。

## 迭代

glossary-step = 迭代
    .means = 训练循环的一次执行：`ProfilerStep#N` 区间；没有时取两次优化器更新之间的时间，或反复出现的区间；否则取整个跟踪。
glossary-cpu-range = CPU 区间
    .means = CPU 侧的一次迭代，从主机区间的开始到结束。CPU 领先于 GPU 时，它不是迭代时间。
glossary-gpu-period = GPU 周期
    .means = GPU 侧的一次迭代：从上一次迭代最后一个活动结束，到本次迭代最后一个活动结束。
glossary-gpu-lag = GPU 滞后
    .means = 迭代的 CPU 区间结束后，其中下发的最后一个活动还要多久才结束。
glossary-step-time = 迭代时间
    .means = 完整记录的各次迭代的平均时间，分为含采集开销和扣除采集开销两种。
glossary-step-breakdown = 迭代分解
    .means = 把迭代的 CPU 区间精确划分，每一时刻只计一次，依次归入：计算、通信、内存拷贝、memset、运行时调用、数据加载、算子、其他。
glossary-step-trace = 迭代轨迹
    .means = 在 GPU 时间线上把迭代精确分为迭代间隙、前向与反向、拖尾三段。迭代间隙在模型的第一个内核之前，拖尾在最后一个内核之后。

## GPU 上的任务

glossary-activity = 活动
    .means = 在 GPU 上执行的任何任务：内核、内存拷贝或 memset。
glossary-launch = 下发
    .means = 把活动放入队列的 CUDA、HIP 或驱动调用。一次下发可以包含数百个活动（CUDA 图）。
glossary-compute = 计算
    .means = 通信以外的内核。
glossary-communication = 通信
    .means = 集合通信和点对点消息的内核，例如 NCCL、RCCL 的内核。
glossary-memcpy = 内存拷贝、memset
    .means = 由 GPU 拷贝引擎或驱动完成的内存拷贝与填充（memcpy、memset）。由内核完成的拷贝算作计算。
glossary-gemm = GEMM
    .means = 通用矩阵乘：执行矩阵乘的内核，是线性层的核心。
glossary-cuda-graph = CUDA 图
    .means = 捕获下来、由一次调用重放的 GPU 任务，其中的内核不需要各自下发。AMD 上为 HIP 图。
glossary-short-kernel = 短内核
    .means = 短于 10 us 的内核：eager 模式下一个算子及其下发在 CPU 上也大约需要这么久，因此逐个下发短内核无法让 GPU 保持忙碌。

## GPU 时间的去向

glossary-span = 跨度
    .means = 从第一个活动开始到最后一个活动结束。严格等于：计算 + 未掩盖的通信 + 未掩盖的内存拷贝和 memset + GPU 空闲。
glossary-gpu-busy = GPU 忙碌
    .means = GPU 上至少有一个活动在执行的时间，无论用到多少 SM。
glossary-gpu-idle = GPU 空闲
    .means = 跨度内没有任何活动的时间，即跨度减去 GPU 忙碌时间。表 idle 按原因划分它。
glossary-overlap = 重叠率
    .means = 通信时间中同时有计算在执行的比例。
glossary-exposed-communication = 未掩盖的通信
    .means = 同一 rank 上没有计算在执行时的通信。只有这一部分会拉长迭代。
glossary-exposed-memory = 未掩盖的内存拷贝和 memset
    .means = 既没有计算也没有通信在执行时的内存拷贝和 memset。

## GPU 为何等待

glossary-host-wait = 等待主机
    .means = 下一次下发开始之前流上没有任务的时间：GPU 在等 CPU。
glossary-launch-latency = 下发时延
    .means = 在空闲的流上，从下发调用开始到其活动开始的时间，包括调用本身。
glossary-queueing = 排队
    .means = 已下发的任务等待同一流上先前任务的时间。排队时间长是好事：GPU 有事可做。
glossary-late-launch = 下发过晚
    .means = 空闲时间的一种原因：CPU 忙于算子、Python 或其他库，还没有下发下一个活动。
glossary-synchronization = 同步等待
    .means = 阻塞 CPU 线程直到 GPU、拷贝或内存就绪的调用，例如 `cudaStreamSynchronize`、`.item()`。其间不会下发新任务。
glossary-inter-kernel-gap = 内核间隙
    .means = 已经排队的活动之间的空闲：GPU 从一个活动切换到下一个所需的时间，或流之间的依赖。
glossary-critical-path = 关键路径
    .means = 决定迭代时长的一连串任务与等待：每一时刻只有一项。缩短路径以外的任何东西都不会缩短迭代。

## 瓶颈

glossary-bottleneck = 瓶颈
    .means = 限制迭代的资源：它稍微变快，迭代就几乎同样变短。
glossary-host-bound = 主机受限
    .means = CPU 下发任务跟不上 GPU 执行的速度，GPU 等待内核下发。
glossary-input-bound = 数据加载受限
    .means = 迭代在等待数据加载器，或等待把数据拷贝到 GPU。
glossary-gpu-bound = GPU 受限
    .means = GPU 几乎一直忙碌：只有减少或加快 GPU 上的工作才能缩短迭代。
glossary-communication-bound = 通信受限
    .means = 限制迭代的是未掩盖的通信，包括等待其他 rank 的时间。

## CPU 侧

glossary-operator = 算子
    .means = CPU 调用的 PyTorch 算子，例如 `aten::mm`。其 GPU 时间是它执行期间所下发活动的时间。
glossary-self-time = 自身时间
    .means = 算子、标注区间或模块的时间，不含其内部调用。自身时间之和等于总时间。
glossary-flame-graph = 火焰图
    .means = 按调用栈的时间，画成层层嵌套的方框：一个栈帧的所有调用合为一框，宽度为其中的时间。
glossary-frame = 栈帧
    .means = 调用栈中某个位置上的函数、模块、区间或算子。
glossary-instance = 实例
    .means = 一个内核、算子、区间或调用的一次执行。离群实例远长于同名的其他实例。
glossary-backward-function = 反向函数
    .means = autograd 引擎为前向算子执行的函数，例如 `MmBackward0`，通过序列号对应到该前向算子。
glossary-user-frame = 代码行
    .means = 用户自己代码中最内层 Python 函数的文件和行号，需以 `with_stack=True` 采集。行号是函数定义开始的位置。
glossary-compilation = 编译
    .means = `torch.compile` 对一个函数的一次转换：Dynamo 追踪，AOTAutograd 拆分前向与反向，Inductor 生成内核。由首次调用承担。
glossary-guard = guard
    .means = 编译后的代码所依赖的条件，例如尺寸、类型或某个 Python 数值。每次调用时检查。
glossary-recompile = 重新编译
    .means = 同一函数因某个 guard 失败而再次编译。超过上限后函数以 eager 模式运行。
glossary-graph-break = 图中断
    .means = `torch.compile` 无法放入图中的一行：函数在此拆分，其间由 Python 执行。

## 多个 rank

glossary-hang = 挂起
    .means = 进程组中有 rank 没有完成某次集合通信，而其他 rank 在其中等待：直到超时，一切停滞。常见原因是某个 rank 始终没有进入。
glossary-flight-recorder = 飞行记录器
    .means = PyTorch 保存的每个进程最后的集合通信（进程组、序号、大小、状态、调用栈），超时时写出。
glossary-straggler = 慢 rank
    .means = 因自身任务使其他 rank 等待的 rank，且出现的迭代足够多、幅度超出偶然波动。
glossary-lateness = 拖延
    .means = 一个 rank 因自身任务到达集合通信的时间比其他 rank 的中位数晚多少，按迭代求和。
glossary-waiting = 等待
    .means = 集合通信内核在最后一个 rank 到达之前的部分，此时还没有数据传输。
glossary-transfer = 传输
    .means = 集合通信在最后一个 rank 到达之后、数据传输的部分。
glossary-algbw = 算法带宽（algbw）
    .means = 集合通信的字节数除以传输时间。
glossary-busbw = 总线带宽（busbw）
    .means = 算法带宽乘以操作的系数（例如 all-reduce 为 2 (n - 1) / n），可与链路速率直接比较。定义与 NCCL tests 一致。
glossary-bubble = 流水线气泡
    .means = 流水线阶段可以计算、却没有微批次的时间。
glossary-expert-imbalance = 专家负载不均衡
    .means = 混合专家模型的 all-to-all 调用中，组内 rank 的最大负载与平均负载之比。

## 问题与建议

glossary-finding = 问题
    .means = 记录中耗费时间之处，附有证据、预计节省及其推算方法。
glossary-recommendation = 优化建议、修改方案
    .means = 针对某个问题应修改的内容，尽可能给出代码。
glossary-saving = 预计节省
    .means = 采用修改方案后迭代会缩短多少，相对于扣除采集开销的迭代。各项节省不能相加。
glossary-range = 区间
    .means = 估计值可能的最低值和最高值，例如因为采集开销只能大致估计。
glossary-confidence = 置信度
    .means = 高、中、低：取决于预计节省的区间有多窄，以及记录能否说明修改方案可行。
glossary-simulated = 模拟
    .means = 改变某项条件后，重放记录的任务、下发和等待得到的结果。记录值则直接来自跟踪。
glossary-what-if = 假设分析
    .means = 按你选择的改动模拟迭代：`stepscope what-if`。

## GPU 效率

glossary-sm-efficiency = SM 效率
    .means = 有计算内核线程块的 SM 占全部 SM 的比例，对时间取平均。根据网格大小估计。
glossary-occupancy = 占用率
    .means = 内核执行时 SM 上活跃 warp 的比例，根据寄存器、共享内存和网格估计。占用率低不一定慢。
glossary-kernel-report = 内核报告
    .means = Nsight Compute 对单个内核（重放多次）的测量：各单元的忙碌程度、占用率，以及 warp 在等待什么。其中没有程序中的时间。
glossary-warp-stall = warp 停顿
    .means = warp 不能发射下一条指令的周期，按原因区分：内存数据、屏障、忙碌的流水线。只有调度器没有其他 warp 可发射时才有影响。
glossary-wavefront = wavefront
    .means = L1/TEX 单元处理 warp 一次请求的一趟。没有 bank 冲突的共享内存请求每 128 字节需要一趟。
glossary-eligible-warp = 可发射的 warp
    .means = 本周期可以发射下一条指令的 warp。调度器发射其中一个；一个都没有的周期，其发射机会就浪费了。
glossary-coalesced = 合并访存
    .means = warp 的线程访问相邻地址，使取来的 32 字节 sector 的每个字节都被用到。
glossary-bank-conflict = bank 冲突
    .means = warp 的线程访问共享内存同一 bank 的不同地址：这些访问依次进行。
glossary-tensor-cores = 可用 Tensor Core
    .means = 按算子、数据类型和形状，可以在 Tensor Core（AMD 为 Matrix Core）上执行的任务，无论实际是否使用。
glossary-roofline = 屋顶线
    .means = 算子在该设备上的最短时间：FLOPs 除以计算峰值、字节数除以显存带宽峰值，取较大者。`pct_of_roof` 是该时间与实际时间之比。
glossary-mfu = MFU、HFU
    .means = 模型 FLOPs 利用率：模型矩阵运算的 FLOPs 与设备在迭代时间内按峰值能完成的 FLOPs 之比。硬件 FLOPs 利用率（HFU）还计入重计算。
glossary-fusion = 算子融合
    .means = 用一个内核代替前后相接的多个内核，中间结果不必经过显存。

## 显存

glossary-pinned = 锁页、可分页
    .means = 锁页的主机内存不会被换出，GPU 可以直接异步拷贝。可分页内存的拷贝由驱动中转，调用者在此期间等待。
glossary-caching-allocator = 缓存分配器
    .means = PyTorch 的显存分配器：保留已释放的块供再次分配，因为 `cudaMalloc` 和 `cudaFree` 很慢。
glossary-allocated = 已分配显存
    .means = 缓存分配器已经分出、尚未释放的块。
glossary-reserved = 预留显存
    .means = 缓存分配器从驱动取得的显存：已分配显存和缓存的空闲块。
glossary-active = 活跃显存
    .means = 已分配显存，加上已释放但其他流仍在使用的块。PyTorch 的显存快照记录了它，跟踪中没有。
glossary-peak = 峰值
    .means = 一个设备上已分配显存的最大值，以及当时分配的内容。
