### 单个 rank 的结论。$unit 为 `step`；没有记录到迭代时为 `trace`。

verdict-incomplete = 记录不完整
verdict-cut-off = 跟踪文件{ $json_bytes ->
    [none] { "" }
   *[other] 在 JSON 的 { BYTES($json_bytes) } 处
}被截断：{ $until_ns ->
    [none] 缺少 GPU 事件（若有）
   *[other] 缺少 { TIME($until_ns) } 之后的 GPU 事件{ $calls ->
        [yes] {""}
       *[no] 以及全部下发调用
    }
}。
verdict-cut-off-host = 已读取 { NUMBER($events) } 个事件。各项数值仅反映 CPU。
verdict-cut-off-events = 已读取 { NUMBER($events) } 个事件。各项数值仅对截断之前有效。
verdict-cut-off-steps = 已读取 { NUMBER($events) } 个事件。{ $count ->
    [0] 没有完整的迭代，各项数值仅反映已读取的部分：请重新采集
   *[other] 各项数值仅对迭代 { $steps } 有效
}。
verdict-straggler = 慢 rank，每次迭代使其他 rank 多等 { TIME($delay_ns) }（占作业迭代的 { PCT($delay_pct) }）。
verdict-waits-for = 每次迭代等待 { TIME($wait_ns) }（占作业迭代的 { PCT($wait_pct) }），主要等待 rank { LABEL($rank) }。
verdict-host-bound = 主机受限：内核下发不及时，GPU 忙碌时间仅占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($busy_pct, digits: 1) }。
verdict-host-and-input-bound = 主机受限：GPU 等待 CPU，既等内核下发也等数据加载（GPU 忙碌时间占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($busy_pct, digits: 1) }）。
verdict-input-bound = 数据加载受限：GPU 有 { PCT($loading_pct) } 的{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}时间在等待数据加载器（GPU 忙碌占比 { PCT($busy_pct, digits: 1) }）。
verdict-communication-bound = 通信受限：未掩盖的通信占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($exposed_pct) }。
verdict-gpu-bound = GPU 受限：GPU 忙碌时间占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($busy_pct, digits: 1) }，只有减少或加快 GPU 上的工作才能缩短它。
verdict-gpu-bound-unprofiled = GPU 受限：扣除采集开销后，只有减少或加快 GPU 工作才能缩短{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}（记录中 GPU 忙碌占其 { PCT($busy_pct, digits: 1) }）。
verdict-copies-bound = 拷贝受限：没有内核掩盖的内存拷贝和 memset 占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($exposed_pct) }（GPU 忙碌占比 { PCT($busy_pct, digits: 1) }）。
verdict-two-bounds = 两个瓶颈：{ $sides }对{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的限制程度相近（GPU 忙碌占比 { PCT($busy_pct, digits: 1) }）。
verdict-initialization-bound = 受一次性初始化限制：{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}的 { PCT($share_pct) } 是 GPU 运行时在首次需要时加载内核、初始化各个库的调用，单次最长 { TIME($longest_ns) }。请先预热再采集，以了解稳定迭代的情况。
verdict-initialization = 一次性初始化占{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}的 { PCT($share_pct) }：GPU 运行时在首次需要时加载内核、初始化各个库，单次调用最长 { TIME($longest_ns) }。请先预热再采集，以了解稳定迭代的情况。
verdict-unclear-queued = 瓶颈不明确：已有任务排队，GPU 却空闲。其空闲时间的 { PCT($share_pct) } 出现在下发调用早已返回的任务之前。
verdict-unclear-cause = 瓶颈不明确：GPU 空闲时间的 { PCT($share_pct) } 没有记录到原因。
verdict-unclear-unrecorded = 瓶颈不明确：CPU 在 { $call } 中等待了 { TIME($wait_ns) }，期间 GPU 没有任何被记录的任务：可能是更早的批次、其他进程或一次性初始化。
verdict-unclear-delays = 瓶颈不明确：迭代时间的 { PCT($share_pct) } 为记录中没有原因的延迟。
verdict-no-whole-step = 瓶颈不明确：没有任何迭代的 GPU 任务是完整的。
verdict-no-host = 瓶颈不明确：没有记录 CPU 事件。
verdict-several-threads = 瓶颈不明：多个线程同时启动工作（例如推理服务），无法模拟其中一个线程的迭代。
verdict-gpu-cut-off = GPU 的活动未知：文件在其事件之前被截断。
verdict-no-gpu = 没有记录到 GPU 活动。
verdict-cpu-only = 仅有 CPU：{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}时间有 { $part }。
verdict-no-gpu-input-bound = 数据加载受限：CPU 有 { PCT($loading_pct) } 的{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}时间在等待数据加载器（没有记录到 GPU 活动）。
verdict-no-gpu-launched = 没有记录到 GPU 活动，但有 { $launches } 次调用向 GPU 下发了任务：任务耗时多少、CPU 是否等待它都无从得知。
verdict-nothing-timed = 记录中没有 GPU 活动、标注区间与 CUDA 调用：只能显示其时间线与主机的表格。
verdict-step-interval = 迭代开始晚了 { TIME($interval_ns) }，占其时间的 { PCT($share_pct) }：请查看输入流水线。
verdict-step-points = 平均每次迭代 { TIME($step_ns) }（{ $steps } 次迭代{ $without_first ->
    [yes] ，不含第一个
   *[no] { "" }
}）：前向之前 { TIME($interval_ns) }，前向与反向 { TIME($forward_backward_ns) }，其后 { TIME($tail_ns) }。
verdict-foreign = 没有任何事件属于 torch.profiler 写出的类别：如果这是其他工具的 Chrome trace，则只能显示其时间线。
verdict-no-length = 记录的{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}时长为零，无法计算占比。

verdict-step-time = { $unit ->
    [trace] 跟踪时长
   *[step] 迭代时间
}：记录为 { TIME($step_ns) }{ $steps ->
    [0] { "" }
    [1] { "" }
   *[other] （{ $steps } 次的{ $averaged ->
        [mean] 平均值
       *[median] 中位数
    }{ $median_ns ->
        [none] { "" }
       *[other] ，中位数 { TIME($median_ns) }
    }）
}{ $without_profiler ->
    [yes] { $is_measured ->
        [yes] ，未开启 profiler 时实测 { TIME($unprofiled_ns) }（{ RANGE(TIME($unprofiled_low_ns), TIME($unprofiled_high_ns)) }）
       *[no] ，扣除采集开销后{ $is_same ->
            [yes] 基本不变
           *[no] 约 { TIME($unprofiled_ns) }
        }（{ RANGE(TIME($unprofiled_low_ns), TIME($unprofiled_high_ns)) }）
    }
   *[no] { "" }
}。
verdict-gpu-clock = 在 GPU 时间线上，一次迭代为 { TIME($gpu_ns) }；GPU 忙碌占比以此为准。
verdict-gpu-clock-single = GPU 忙碌是指 { TIME($gpu_ns) } 内：从 GPU 完成先前的工作到本次迭代的工作结束。
verdict-cpu-time = 其中 CPU 时间：{ $parts }。
verdict-while-idle = GPU 空闲期间，CPU 的时间分布为：{ $parts }（占按 CPU 时钟的{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}时间的比例，其间 GPU 忙碌 { PCT($busy_pct) }）。
verdict-lead-in = GPU 的首个任务在{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}开始 { TIME($lead_ns) } 后才开始；空闲时间表只计入活动之间的间隙。
verdict-exposed-communication = 未掩盖的通信：占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($exposed_pct) }。
verdict-exposed-memory = 未掩盖的内存拷贝和 memset：占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($exposed_pct) }。
verdict-cpu-ahead = CPU 领先于 GPU：应以 GPU 周期而非 CPU 区间作为迭代时间。
verdict-gaps = GPU 空闲占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($idle_pct) }，大多在已排队的任务之前。
verdict-only-profiled = 记录中 GPU 也在等待 CPU，但这只是采集开销造成的。
verdict-tensor-cores = { PCT($eligible_pct) } 的内核时间可以使用 Tensor Core，实际只有 { PCT($used_pct) }：请启用{ $tf32 ->
    [yes] { " " }TF32（float32 matmul precision）或 autocast
   *[no] { " " }float16 的 autocast
}。

verdict-path-profiled = 记录的关键路径以{ $lead }为主（{ PCT($share_pct) }），但这只是采集开销所致。
verdict-path-overlap = 记录的关键路径以{ $lead }为主（{ PCT($share_pct) }）：每次迭代的路径以它结束。连续的迭代相互重叠，因此受{ $bound }限制。
verdict-lead-gpu = GPU 工作
verdict-lead-communication = 通信
verdict-lead-loader = 数据加载
verdict-lead-host = CPU 工作

verdict-part-runtime = { PCT($share_pct) } 在 GPU 运行时调用中
verdict-part-loader = { PCT($share_pct) } 在等待数据加载器
verdict-part-operators = { PCT($share_pct) } 在算子及其调用的代码中
verdict-part-unrecorded = { PCT($share_pct) } 在 GPU 运行时调用之外（未记录算子）
verdict-part-other = { PCT($share_pct) } 在算子之外的 Python 和其他代码中
verdict-mostly-gpu-bound = GPU 受限，但不仅如此（GPU 忙碌时间占{ $unit ->
    [trace] 整个跟踪
   *[step] 迭代
}的 { PCT($busy_pct, digits: 1) }）。
verdict-captured = 正在捕获 CUDA 图：{ $launches } 次下发中有 { $captured } 次没有执行。这份记录说明图里有什么，而不是一次迭代要多久；后者请采集图的重放。
verdict-failed = 没有结论：这是 stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题。
verdict-bound-by = 扣除采集开销后（模拟），{ $unit ->
    [trace] 跟踪
   *[step] 迭代
}时间的决定因素：{ $parts }。
verdict-bound-by-recorded = { $unit ->
    [trace] 跟踪
   *[step] 迭代
}时间的决定因素（模拟）：{ $parts }。
verdict-side-host = { PCT($share_pct) } 为 CPU 工作
verdict-side-loader = { PCT($share_pct) } 为数据加载器
verdict-side-compute = { PCT($share_pct) } 为 GPU 内核
verdict-side-communication = { PCT($share_pct) } 为通信
verdict-side-copies = { PCT($share_pct) } 为内存拷贝与 memset
verdict-side-unknown = { PCT($share_pct) } 为原因不明的延迟

## 显存快照

verdict-oom = 显存不足：请求 { BYTES($requested_bytes) }{ $source ->
    [none] {""}
   *[other] （{ $source }）
}；{ $reason }。
verdict-oom-fragmentation = 原因是碎片：零散空闲 { BYTES($hole_bytes) }，其中最大的一片为 { BYTES($largest_bytes) }
verdict-oom-limit = 原因是设定的上限：上限不低于 { BYTES($low_bytes) } 且低于 { BYTES($high_bytes) }，已预留 { BYTES($reserved_bytes) }，而设备还有 { BYTES($free_bytes) } 空闲
verdict-oom-capacity = 原因是容量：已预留 { BYTES($reserved_bytes) }{ $free_bytes ->
    [none] {""}
   *[other] ，设备空闲 { BYTES($free_bytes) }
}
verdict-oom-others = 原因是其他进程：本进程已预留 { BYTES($reserved_bytes) }，设备空闲 { BYTES($free_bytes) }
verdict-oom-largest = 当时占用最多的：{ $largest }。
verdict-oom-evict = 若少占用相邻的 { $blocks } 个块共 { BYTES($evict_bytes) }，就能满足该请求。
verdict-memory-peak = { $device } 的峰值：{ BYTES($peak_bytes) }{ $parts ->
    [none] {""}
   *[other] ：{ $parts }
}。
verdict-memory-end = 快照时 { $device } 已分配：{ BYTES($peak_bytes) }{ $parts ->
    [none] {""}
   *[other] ：{ $parts }
}。没有记录历史，峰值无从得知。
verdict-memory-part = { $category } { PCT($share_pct, digits: 0) }
verdict-memory-grows = 显存{ $step_bytes ->
    [none] 持续增长
   *[other] 每次迭代增长 { BYTES($step_bytes) }
}{ $source ->
    [none] {""}
   *[other] （{ $source }）
}：{ $blocks } 个块共 { BYTES($alive_bytes) } 从未释放{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个调用栈在增长
}。
verdict-memory-holes = 碎片：使用中的块之间空闲 { BYTES($hole_bytes) }，占预留显存的 { PCT($share_pct, digits: 0) }。

verdict-kernel-reports = Nsight Compute 采集了{ $kernels ->
    [0] { "" }
   *[other] { " " }{ NUMBER($kernels) } 个内核
}{ $kinds ->
    [both] 和
   *[one] { "" }
}{ $ranges ->
    [0] { "" }
   *[other] { " " }{ NUMBER($ranges) } 个内核区间
}，共 { TIME($total_ns) }{ $kernel ->
    [none] 。
   *[other] ，其中 { PCT($share_pct) } 在 { $kernel }。
}
verdict-kernel = { $kernel }{ $duration_ns ->
    [none] { "" }
   *[other] （{ $launches ->
            [1] { "" }
           *[other] { NUMBER($launches) } 次启动，
        }{ TIME($duration_ns) }，{ PCT($share_pct) }）
}：{ $says }{ $bound_pct ->
    [none] { "" }
   *[other] ；最多可节省其时间的 { PCT($bound_pct) }
}{ $place ->
    [none] 。
   *[other] 。其采样的 { PCT($place_pct) } 在 { $place }。
}
verdict-kernels-others = 其余 { NUMBER($kernels) } 个内核共 { TIME($duration_ns) }（{ PCT($share_pct) }）。
verdict-telemetry = { $gpus ->
    [0] 主机
   *[other] { NUMBER($gpus) } 个 GPU{" "}
}的监控数据，时长 { TIME($span_ns) }：{ NUMBER($counters) } 个计数器。
verdict-telemetry-power = GPU { $gpu } 平均功率 { NUMBER($mean_watt) } W，最高 { NUMBER($most_watt) } W。
verdict-host = CPU 核平均忙碌 { PCT($busy_pct) }{ $waited ->
    [yes] ，{ PCT($waited_pct) } 的时间内有进程在等待 CPU 核
   *[no] {""}
}{ $limited ->
    [yes] ；容器有 { PCT($throttled_pct) } 的时间因 CPU 核数上限被限速
   *[no] {""}
}。
verdict-throttled-power-cap = GPU { $gpu } 在 { NUMBER($samples) } 个采样的 { PCT($share_pct) } 中因功率上限而降频。
verdict-throttled-hardware = GPU { $gpu } 在 { NUMBER($samples) } 个采样的 { PCT($share_pct) } 中被硬件降速（功率或温度）。
verdict-throttled-thermal = GPU { $gpu } 在 { NUMBER($samples) } 个采样的 { PCT($share_pct) } 中因温度而降频。
verdict-throttled-power-brake = GPU { $gpu } 在 { NUMBER($samples) } 个采样的 { PCT($share_pct) } 中因机器的功率制动而降频。
verdict-energy = 每次迭代在 { NUMBER($gpus) } 个 GPU 上耗能 { FIXED($joule) } J（{ NUMBER($steps) } 次迭代的平均，每次 { FIXED($samples) } 个采样）。
verdict-pcie-full = GPU { $gpu } 的 PCIe 链路已饱和：达到单向带宽的 { PCT($share_pct) }（{ NUMBER($samples) } 个采样的第 95 百分位）。
verdict-uneven-utilization = { $rank ->
    [none] {""}
   *[other] rank { $rank } 的{" "}
}GPU { $gpu } 的利用率为 { PCT($own) }，其余 GPU（总共 { NUMBER($gpus) } 个）的中位数为 { PCT($usual) }：负载不均衡。
verdict-uneven-clock = { $rank ->
    [none] {""}
   *[other] rank { $rank } 的{" "}
}GPU { $gpu } 平均频率 { NUMBER($own) } MHz，其余 GPU 的中位数为 { NUMBER($usual) } MHz。
verdict-uneven-power = { $rank ->
    [none] {""}
   *[other] rank { $rank } 的{" "}
}GPU { $gpu } 平均功率 { NUMBER($own) } W，其余 GPU 的中位数为 { NUMBER($usual) } W：它的工作可能较少。
