### 文本报告各节的标题与行。

section-after = 在 { $name } 之后
section-breakdown = 迭代时间分解
section-breakdown-note = { $ranges ->
    [1] CPU 区间
   *[other] { $ranges } 个 CPU 区间的平均值
}
section-communication = 通信
section-communication-matched = 等待：等待最后到达的 rank；总线：传输期间的 GB/s
section-communication-unmatched = 含等待
section-compute = GPU 计算
section-counters = { $ranges } 个性能分析范围，{ $counters } 个计数器
section-critical-path = 关键路径
section-critical-path-note = { $steps } 次迭代：每一时刻恰有一项处于关键路径
section-data-loading = 数据加载
section-detailed = 以下细节仅涉及 rank { $ranks }（最慢、最快和第一个）；其他 rank 请用 --rank N
section-elsewhere = { $gpu ->
    [yes] GPU 空闲，CPU 在其他代码中（Python 等）
   *[no] CPU 在其他代码中（Python 等）
}
section-events = { $events } 个事件
section-exposed-communication = 未掩盖的通信
section-exposed-memcpy = 未掩盖的内存拷贝
section-exposed-memset = 未掩盖的 memset
section-fusion = 可融合的内核序列
section-fusion-note = 可由一个内核取代的连续内核；估计节省的 GPU 时间
section-gemm = 每次迭代的 GEMM 吞吐：{ $rate }{ $peak ->
    [none] { "" }
   *[other] ，{ $peak }
}{ $recomputed ->
    [yes] ；不含检查点重计算时为 { PCT($mfu_pct, digits: 1) }
   *[no] { "" }
}；模型覆盖 GEMM 内核时间的 { PCT($modelled_pct, digits: 1) }。
section-gemm-unknown = 无法得知每次迭代的 GEMM 吞吐：模型仅覆盖 GEMM 内核时间的 { PCT($modelled_pct, digits: 1) }。
section-gpu-time = GPU 时间
section-gpu-time-note = 从第一个活动到最后一个活动
section-health = 记录质量
section-not-recorded = { $cut ->
    [yes] 没有记录，或随文件末尾丢失：{ $checks }
   *[no] 未记录：{ $checks }（stepscope show health 说明由哪个选项记录）
}
section-on-rank = { $every ->
    [yes] 每个 rank，例如 rank
   *[no] rank
} { LABEL($rank) }：
section-healthy = 正常：没有丢失、损坏或未关联的事件
section-idle = GPU 空闲原因
section-idle-note = 占首末活动之间时间的 { PCT($idle_pct, digits: 1) }{ $per_step ->
    [yes] ；每次迭代：{ $steps ->
        [none] 各完整迭代
       *[other] { $steps } 次迭代
    }的平均值
   *[no] { "" }
}
section-in-operators = { $gpu ->
    [yes] GPU 空闲，CPU 在算子中
   *[no] CPU 在算子中
}
section-kernels = 最耗时的内核
section-launches = 内核下发
section-gpu-unnamed = GPU 型号未记录
section-launches-note = 中位数；下发时延：从调用到在空闲流上开始；排队：等待先前的任务
section-loader = { $gpu ->
    [yes] GPU 空闲，CPU 等待数据加载器
   *[no] CPU 等待数据加载器
}
section-memcpy = 内存拷贝
section-memory = 显存
section-memory-note = PyTorch 已分配峰值，以及当时存活的内存
section-modules = 模块
section-modules-note = 含其调用的内容；stepscope show modules --by class 显示全部
section-more = 另有 { $count } 行（{ $command }）
section-failed = 缺少 { $section } 一节：这是 stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题
section-more-time = 另有 { $count } 行，共 { TIME($rest_ns) } 的 { $gpu ->
    [yes] GPU
   *[no] CPU
} 时间（{ $command }）
section-next = 下一步：{ $command }
section-no-gpu = 未记录 GPU
section-of-rank = rank { LABEL($rank) } · {""}
section-of-ranks = { $every ->
    [yes] 每个 rank
   *[no] rank { $ranks }
}{ $differ ->
    [yes] ，例如 rank { LABEL($rank) }
   *[no] {""}
} · {""}
section-operators = 最耗时的算子
section-operators-note = 自身时间：不含其调用的算子
section-outside-modules = 模块之外
section-peak = 为峰值的 { PCT($share_pct, digits: 1) }（{ $type }：{ $peak }）
section-peaks = 为适用峰值的 { PCT($share_pct, digits: 1) }（{ $together ->
    [none] 多种类型
   *[other] 合计 { $together }，主要为 { $type }
}）
section-ranges = 标注范围
section-ranges-note = 其中下发的 GPU 时间，以及其中所调用算子的反向时间
section-ranks = { $ranks } 个 rank{ $world ->
    [0] { "" }
   *[other] （共 { $world } 个）
}
section-roofline = 屋顶线与 MFU
section-roofline-note = 高于屋顶线时间最多者在前
section-runtime = { $gpu ->
    [yes] GPU 空闲，CPU 在运行时调用中
   *[no] CPU 在运行时调用中
}
section-short-kernels = 短内核
section-short-kernels-note = 短于 10 us：在 CPU 下发下一个之前就已完成
section-slowest = { $ranks } 个 rank 中最慢的 { $shown } 个
section-step-count = { $steps } 次迭代
section-step-trace = 迭代轨迹
section-step-trace-note = { $steady ->
    [yes] 稳定
   *[no] 全部
}迭代的平均值，{ $clock ->
    [gpu] 基于 GPU 时间线
    [recorder] 按采集工具的划分
   *[other] 基于 CPU 时间线
}
section-steps = 迭代
section-steps-each = 各 { $steps } 次迭代
section-steps-note = CPU：其区间；GPU：从上一次迭代的任务结束到本次任务结束
section-sync = 阻塞（同步）调用
section-sync-note = 直到 GPU、拷贝或内存就绪
section-tail = 剩余的归约、优化器
section-total = 总计
section-backward-passes = { $passes } 次反向传播，其间为前向
section-until = 直到 { $name }
section-until-compute = 直到第一个计算
section-utilization = GPU 利用率
section-utilization-note = 占 GPU 时间线上迭代时间的比例
section-verdict = 结论
section-cpu-ahead = CPU 领先于 GPU：应以 GPU 周期作为迭代时间
section-whole-report = 完整报告

## 显存快照

section-snapshot = 显存快照
section-memory-categories = 峰值时的显存，按类别
section-memory-categories-note = 由调用栈和存活时间推断
section-memory-ranks = 谁的峰值最高，用在哪里
section-memory-growth = 逐次迭代增长的显存
section-memory-oom = 显存不足
section-memory-fragmentation = 快照时的预留显存

section-telemetry = 随时间变化的计数器
section-kernel-report = 内核报告
section-profiled = { NUMBER($kernels) } 个采集的内核{ $ranges ->
    [0] { "" }
   *[other] 与区间
}
section-kernel-reports = 采集的内核
section-kernel-reports-note = 各自受什么限制，消除它最多节省多少时间
section-kernel-lines = 源码行
section-kernel-lines-note = 最长的内核的采样落在何处；全部：stepscope show kernel_lines
section-kernel-line = { PCT($share_pct) } 的采样在 { $place }{ $stall ->
    [none] { "" }
   *[other] ，多数处于 { $stall }
}
section-piped = 输入流水线
section-input-pipeline = 输入流水线
section-input-pipeline-note = 从消费者到数据源：队列为空时其消费者等待
section-measured = 监控数据
section-hangs = 挂起
section-hangs-note = 未结束的通信，以及它在等待的 rank
section-hang-ranks = 各 rank
section-hang-ranks-note = 各自第一个未完成的集合通信，否则为最后一个；时间为 UTC
section-dumps = 飞行记录器
section-collectives = { NUMBER($count) } 次记录的集合通信
section-bandwidths = 集合通信的带宽
section-bandwidths-note = 整个运行的中位数，不含等待最后到达的 rank 的时间；由 NCCL Inspector 测量
section-lateness = 最后到达的 rank
section-lateness-note = 迟到：在它最后到达的各次调用中，比倒数第二个晚多少
section-compilations = 编译
section-compilations-note = 由 torch.compile 进行；最长的在前
section-recompiles = 重新编译
section-recompiles-note = 以及失败的 guard；最长的在前
section-graph-breaks = 图中断
section-graph-breaks-note = 函数无法编译为一个图的位置
section-compiled-kernels = 生成的内核的源代码行
section-compiled-kernels-note = Inductor 由哪些代码生成各内核
section-compile-logs = { NUMBER($logs) } 个日志，{ NUMBER($count) } 次编译
section-host-samples = Python 采样
section-host-samples-note = 各调用栈的最内层函数；只有 py-spy --idle 才采样空闲线程
section-samples = { NUMBER($count) } 个 Python 调用栈采样
section-logs = { NUMBER($logs) } 个日志，{ NUMBER($count) } 次测量的集合通信
section-npu-steps = NPU 的 profiler 对迭代的划分
section-npu-steps-note = 旁边是 stepscope 测得的值；定义有差别，见 npu_steps
section-npu-memory = NPU 显存峰值
section-npu-memory-note = 占用最多的算子
section-npu-kernels = NPU 内核（按形状）
section-npu-kernels-note = cube、vector：该类核的时间中进行计算的比例
