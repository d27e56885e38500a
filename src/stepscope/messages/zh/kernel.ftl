### Nsight Compute 采集的内核：各自受什么限制，warp 在等待什么。

kernel-finding = { $kernel }{ $duration_ns ->
    [none] { "" }
   *[other] （{ TIME($duration_ns) }）
}：{ $says }

kernel-method = 由该内核的指标估计：最多为其时间的 { PCT($bound_pct) }{ $place ->
    [none] { "" }
   *[other] ；其采样的 { PCT($place_pct) } 在 { $place }
}

## 原因：看到了什么（不带句号），以及怎么做

kernel-cause-uncoalesced = 访存未合并：从 L2 取来的每 32 字节中只用了 { FIXED($used, digits: 1) } 字节
kernel-cause-uncoalesced-advice = 让相邻线程访问相邻地址：修改下标，在共享内存中转置，或改用结构体的数组改为数组的结构体（SoA）。
kernel-cause-bank-conflicts = 共享内存 bank 冲突：每个必需的 wavefront 实际执行 { FIXED($ways, digits: 1) } 个，其中 { PCT($extra_pct) } 是多余的
kernel-cause-bank-conflicts-advice = 给共享数组的每行多填充一个元素（tile[32][33]），或对下标做 swizzle，使同一 warp 的线程访问不同的 bank。
kernel-cause-divergence = 分支发散：每条指令平均只由 warp { $given } 个线程中的 { FIXED($threads, digits: 1) } 个执行
kernel-cause-divergence-advice = 让同一 warp 的线程走同一分支：按分支对工作排序或分组；分支很短时两边都算。
kernel-cause-partial-warps = 不完整的 warp：线程块有 { $threads } 个线程，不是 32 的倍数，warp 中 { PCT($idle_pct) } 的线程位置始终空闲
kernel-cause-partial-warps-advice = 让线程块大小为 32 的倍数：多数内核适合 128 或 256 个线程。
kernel-cause-occupancy = 占用率低：{ $blocks ->
    [none] 该下发配置
   *[other] 每个 SM { $blocks } 个线程块
}最多占用 SM 可容纳 warp 的 { PCT($theoretical_pct, digits: 1) }，受限于{ $limit ->
    [registers] 寄存器
    [shared_mem] 共享内存
    [warps] 线程块大小
    [blocks] 线程块数
    [barriers] 屏障
   *[other] 未记录的因素
}，并且没有单元忙碌
kernel-cause-occupancy-advice = 减少限制每个 SM 线程块数的资源：共享内存或每线程寄存器（__launch_bounds__、更小的分块），或换用其他线程块大小；也可以让每个线程做更多相互独立的工作。
kernel-cause-small-grid = 网格太小：{ $blocks ->
    [none] 其线程块
   *[other] { NUMBER($blocks) } 个线程块
}{ $sms ->
    [none] { "" }
   *[other] 在 { $sms } 个 SM 上
}只占线程块容量的 { PCT($filled_pct, digits: 1) }，并且没有单元忙碌
kernel-cause-small-grid-advice = 启动更多线程块：把工作切得更细（split-K、更大的 batch），或在其他流上同时运行别的内核。
kernel-cause-tail = 尾部效应：网格为 { FIXED($waves, digits: 2) } 个 wave，最后一个只占 GPU 的 { PCT($last_pct) }
kernel-cause-tail-advice = 让网格为同时运行线程块数的整数倍，或改用由线程块自行领取工作的持久化内核。
kernel-cause-atomics = 原子操作争用：L2 流量的 { PCT($share_pct) } 是原子操作，最忙的 L2 slice 的负载是平均值的 { FIXED($times, digits: 0) } 倍
kernel-cause-atomics-advice = 先在 warp 和线程块内归约（__reduce_add_sync、共享内存），每个线程块只做一次原子操作；或把结果分散到多个地址。
kernel-cause-local-memory = 局部内存：{ PCT($share_pct) } 的 sector 是溢出到内存的寄存器，或运行时才确定下标的数组
kernel-cause-local-memory-advice = 允许更多寄存器（__launch_bounds__、-maxrregcount），减少同时存活的值，展开对局部数组取下标的循环。
kernel-cause-double-precision = FP64：其流水线忙碌 { PCT($busy_pct) }；该 GPU 上 FP32 快 { FIXED($ratio, digits: 0) } 倍
kernel-cause-double-precision-advice = 精度足够时使用 FP32：float 字面量（1.0f）、float 函数（sinf）、torch.float32。

## 限制：没有上述原因时最忙的单元

kernel-limit-memory = 访存受限：{ $unit ->
    [dram] DRAM 带宽
    [l2] L2 缓存
   *[l1] L1/TEX 缓存
}达到峰值的 { PCT($busy_pct) }
kernel-limit-dram-advice = 减少搬运的字节：融合内核，使用更小的数据类型，在寄存器或共享内存中复用数据。
kernel-limit-l2-advice = 在寄存器或共享内存中复用数据；采集 `full` 集合可看到每个 sector 用了多少。
kernel-limit-l1-advice = 使用更宽的加载（float4）；采集 `full` 集合可看到 bank 冲突与访存情况。
kernel-limit-compute = 计算受限：SM 达到峰值的 { PCT($busy_pct) }{ $pipe ->
    [unknown] { "" }
   *[other] ，其中流水线 { $pipe } 为 { PCT($pipe_pct) }
}
kernel-limit-compute-advice = 减少运算，或换到别处：Tensor Core、更小的数据类型、更便宜的函数。
kernel-limit-latency = 时延受限：没有单元超过 { PCT($busy_pct) }，warp 有 { PCT($share_pct) } 的时间处于 { $reason }：{ $means }
kernel-limit-latency-unknown = 时延受限：没有单元超过 { PCT($busy_pct) }
kernel-limit-latency-advice = 采集 `full` 集合（ncu --set full），即可知道 warp 在等待什么。
kernel-limit-range = 整个区间内没有单元超过 { PCT($busy_pct) }{ $active_pct ->
    [none] { "" }
   *[other] ，SM 在其中 { PCT($active_pct) } 的时间处于活跃状态
}
kernel-limit-range-advice = 逐个采集其中的内核（--replay-mode kernel），并在跟踪中查找内核之间的空隙。
kernel-limit-unknown = 未测量其吞吐率
kernel-limit-unknown-advice = 至少采集 SpeedOfLight 部分（ncu --set basic）。

## 占用率一句话

kernel-occupancy-full = 占用率不受限制：{ $blocks ->
    [none] 一个 SM 的线程块
   *[other] 每个 SM { $blocks } 个线程块
}即可占满其全部 warp{ $achieved_pct ->
    [none] { "" }
   *[other] ；平均有 { PCT($achieved_pct, digits: 1) } 活跃
}。
kernel-occupancy-limited = 占用率受限于{ $limits }{ $blocks ->
    [none] { "" }
   *[other] ：每个 SM 至多 { $blocks } 个线程块
}，最多占用其 warp 的 { PCT($theoretical_pct, digits: 1) }{ $achieved_pct ->
    [none] { "" }
   *[other] ；平均有 { PCT($achieved_pct, digits: 1) } 活跃
}。
kernel-limited-by-registers = 寄存器
kernel-limited-by-shared-mem = 共享内存
kernel-limited-by-warps = 线程块大小（warp 数）
kernel-limited-by-blocks = SM 可容纳的线程块数
kernel-limited-by-barriers = 屏障

## warp 状态

kernel-stall-barrier = 在 __syncthreads() 处等待同一线程块的其他 warp
kernel-stall-barrier-advice = 让同一线程块的 warp 工作量相等，使用更小的线程块，或减少屏障。
kernel-stall-branch-resolving = 等待分支目标
kernel-stall-branch-resolving-advice = 减少短循环中的分支：展开循环。
kernel-stall-dispatch-stall = 已就绪，但被分派器推迟
kernel-stall-dispatch-stall-advice = 通常是寄存器或流水线冲突：调整指令顺序，或混合指令类型。
kernel-stall-drain = 已结束，等待其写内存完成
kernel-stall-drain-advice = 减少内核末尾的写入，并使其合并。
kernel-stall-gmma = 等待 Tensor Core 的矩阵乘
kernel-stall-gmma-advice = 同时保持多个矩阵乘在途，并尽早提供数据。
kernel-stall-imc-miss = 等待不在缓存中的常量
kernel-stall-imc-miss-advice = 减少常量，并让同一 warp 的线程使用相同的常量。
kernel-stall-lg-throttle = 全局与局部内存的队列已满
kernel-stall-lg-throttle-advice = 使用更少、更宽的访问（float4），避免寄存器溢出。
kernel-stall-long-scoreboard = 等待来自全局内存、局部内存或纹理的数据
kernel-stall-long-scoreboard-advice = 更早或异步加载（cp.async），增加在途的 warp 或独立加载，提高缓存命中率。
kernel-stall-math-pipe-throttle = 等待忙碌的计算流水线
kernel-stall-math-pipe-throttle-advice = 该流水线即为瓶颈：混合指令类型，或使用更便宜的指令。
kernel-stall-membar = 等待内存屏障
kernel-stall-membar-advice = 减少 fence，并使用最小的作用范围。
kernel-stall-mio-throttle = 共享内存与特殊函数的队列已满
kernel-stall-mio-throttle-advice = 使用更少、更宽且无 bank 冲突的共享内存访问。
kernel-stall-misc = 因其他原因等待
kernel-stall-misc-advice = 先看其他状态。
kernel-stall-no-instruction = 等待取下一条指令
kernel-stall-no-instruction-advice = 缩短循环代码：减少展开和跳转。
kernel-stall-not-selected = 可以发射，但选中了另一个 warp
kernel-stall-not-selected-advice = warp 已足够：无需处理。
kernel-stall-selected = 正在发射指令
kernel-stall-selected-advice = 这就是实际工作。
kernel-stall-short-scoreboard = 等待共享内存或特殊函数
kernel-stall-short-scoreboard-advice = 消除 bank 冲突，减少特殊函数，更早从共享内存加载。
kernel-stall-sleeping = 按程序要求休眠
kernel-stall-sleeping-advice = 减少或缩短 __nanosleep()。
kernel-stall-tex-throttle = 纹理队列已满
kernel-stall-tex-throttle-advice = 减少纹理与 surface 访问，或改用全局内存。
kernel-stall-wait = 等待上一条指令的固定周期数
kernel-stall-wait-advice = 让每个线程有相互独立的指令（展开、多个累加器），或增加 warp。

## 流水线执行哪些指令

kernel-pipe-adu = 地址计算：屏障与带下标的常量
kernel-pipe-alu = 整数与逻辑运算、比较
kernel-pipe-cbu = 分支、屏障与 warp 表决
kernel-pipe-fma = FP32 运算与整数乘法
kernel-pipe-fma-type-fp16 = FMA 流水线上的 FP16 运算
kernel-pipe-fp16 = FP16 运算
kernel-pipe-fp64 = FP64 运算
kernel-pipe-lsu = 加载、存储与原子操作
kernel-pipe-tex = 纹理与表面
kernel-pipe-tma = 全局内存与共享内存之间的批量拷贝
kernel-pipe-uniform = 整个 warp 共用一次的运算
kernel-pipe-xu = 超越函数与类型转换
kernel-pipe-tensor-op-dmma = FP64 矩阵乘
kernel-pipe-tensor-op-gmma = warp group 的矩阵乘（wgmma）
kernel-pipe-tensor-op-hmma = FP16、BF16、TF32 矩阵乘，以及 HFMA2 指令
kernel-pipe-tensor-op-imma = 整数矩阵乘
