# 阅读表格时需要知道的、行之外的信息。

## 表格为什么为空

note-no-rows = 没有行：所选范围内没有这类事件
note-table-failed = 没有行：{ $what } 计算失败，这是 stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题
note-no-rows-because = 没有行：{ $reason }
note-no-rows-unread = 没有行：{ $files } 无法读取，见 health
note-no-rows-unreadable = 没有行：{ $name } 无法读取：{ $reason }
note-no-rows-cut = 没有行：到截断处为止，记录中{ $lack }
note-lack-cut = 到截断处为止{ $lack }
note-no-rows-not-recorded = 没有行：记录中{ $lack }；请用 { $option } 采集
note-no-rows-not-recorded-with = 没有行：记录中{ $lack }；{ $option ->
        [none] stepscope 不从 { $recorder } 的记录中读取这部分
       *[other] { $ascend ->
            [yes] 在昇腾上
           *[no] {""}
        }{ $profiler } 用 { $option } 采集
    }
note-no-rows-not-recorded-by = 没有行：记录中{ $lack }；它由 { $recorder } 写出，torch.profiler 用 { $option } 采集
note-no-rows-apart = 没有行：只有 { $name }{ $more ->
        [0] {""}
       *[other] {" "}等 { $more } 个记录
    } 含有此类数据，但没有表格显示它（{ $note }）；可以单独打开它
note-no-rows-none-used = 没有行：记录中{ $lack }：采集期间程序没有使用 GPU
note-of-rank = rank { LABEL($rank) }：{ $note }
note-unattributed = （未归属）
note-share = { $name } { PCT($share_pct, digits: 1) }

## 迭代

note-trace-none = 没有行：记录中既没有算子，也没有带下发记录的 GPU 活动
note-trace-unmarked = 没有标记迭代，整个跟踪文件作为一次迭代划分{ $by_profiler ->
    [yes] ；请调用 prof.step() 或使用 schedule
   *[no] { "" }
}
note-trace-host-clock = 没有 GPU 活动的迭代按主机时间划分
note-trace-no-model = 没有找到前向或反向传播：全部时间算作间隔
note-trace-no-backward = 没有找到反向传播（如推理）：从第一次计算到结束都算前向
note-trace-no-scopes = 没有算子位于 Gradients 作用域中，MindSpore 只在图模式下记录该作用域：无法区分前向与反向，全部计为前向
note-trace-backward-unrecorded = 优化器运行了，但没有记录其反向传播：无法区分前向与反向
note-trace-several-backward = 每次迭代有多次反向传播：其间的部分（包括数据加载）算作前向
note-trace-recorder = 迭代按采集工具给出的时间点划分；它不区分前向与反向，第一次迭代不计入平均
note-trace-uneven = rank { LABEL($rank) } 在前向之前等待 { TIME($interval_ns) }，比 { NUMBER($ranks) } 个 rank 的平均值（{ TIME($mean_ns) }）长 { PCT($more_pct) }：超过 { PCT($limit_pct) } 时 MindInsight 认为各卡不均衡。这占该 rank 一次迭代的 { PCT($share_pct, digits: 1) }
note-steps-cut = { $steps } 次迭代中有 { $cut } 次被采集窗口截断

## 空闲与等待

note-sync-none = 没有行：没有调用阻塞主机，这是正常的
note-sync-after-steps = { $calls } 次调用（占时间的 { PCT($share_pct) }）在最后一次迭代之后：是 profiler 停止时自身的调用
note-idle-per-step = 每次迭代的时间是 GPU 时间线上 { $steps ->
    [none] 各 rank 完整迭代
   *[other] { $steps } 次完整迭代
}的平均值；其他列涵盖所选的全部时间
note-idle-launch-lost = 空闲时间的 { PCT($share_pct) }：下一个活动的下发没有记录（在采集窗口之前，或已丢失）
note-idle-late-start = 空闲时间的 { PCT($share_pct) }：任务已下发，GPU 却开始得晚：被其他进程占用，或缺少活动
note-queue-before = 记录开始时已有 { $launches } 次下发在排队：队列深度不从零开始，实际可能更大
note-queue-streams = 另有 { $streams } 个下发较少的流未列出：每个 rank 只列出下发最多的 { $most } 个
note-launches-no-activity = { $calls } 次调用没有记录到活动：在采集窗口之外运行，或已丢失
note-launches-no-call = { $activities } 个活动没有记录到调用，多在采集窗口之前下发

## 关键路径

note-path-none = 没有行：所选迭代没有时长
note-path-inferred = 路径上对其他流事件的 { $waits } 次等待中有 { $inferred } 次由时间戳推断{ $option ->
        [none] {""}
       *[other] ：请用 { $option } 采集 CUDA 同步事件
    }
note-path-untraced = 路径的 { PCT($share_pct) } 是主机上任何算子或调用之外的时间{ $option ->
        [none] {""}
       *[other] ：请用 { $option } 采集，以查看 Python 在做什么
    }
note-path-unknown = 路径的 { PCT($share_pct, digits: 1) } 未知：它等待的任务没有下发记录

## 屋顶线与利用率

note-mfu-no-shapes = 没有 FLOPs：没有记录输入形状{ $option ->
        [none] {""}
       *[other] ；请用 { $option } 采集
    }
note-mfu-no-matrix-kernel = 没有 FLOPs：迭代内没有下发矩阵乘、卷积或注意力内核
note-mfu-no-matrix-operator = 没有 FLOPs：迭代内没有带形状的矩阵乘下发任务（CUDA 图隐藏了算子）
note-mfu-partly = 迭代的矩阵内核时间只有 { PCT($modelled_pct) } 有 FLOPs 模型：实际利用率更高{ $hidden ->
        [yes] ，低于一半时不显示
       *[no] {""}
    }
note-roofline-no-shapes = 模型覆盖 { PCT($share_pct, digits: 2) } 的 GPU 时间（不计通信及与主机间的拷贝）：没有记录输入形状{ $option ->
        [none] {""}
       *[other] ；请用 { $option } 采集
    }
note-roofline-coverage = 模型覆盖 { PCT($share_pct, digits: 2) } 的 GPU 时间（不计通信及与主机间的拷贝）
note-roofline-coverage-without = 模型覆盖 { PCT($share_pct, digits: 2) } 的 GPU 时间（不计通信及与主机间的拷贝）；未覆盖：{ $operators }
note-roofline-no-peaks = 没有屋顶线：{ $reason }；请用 --peak bf16=989e12 --peak memory=3.35e12 或 --peaks FILE 给出峰值
note-roofline-peaks = { $device ->
        [none] 设备
       *[other] { $device }{" "}
    }的稠密峰值：{ $rates }（{ $source }）
note-roofline-cache = 受限于缓存的行（占 GPU 时间的 { PCT($share_pct, digits: 1) }）超过显存带宽：其数据仍在缓存中
note-roofline-above = { $what } 达到 { $peak } 峰值的 { PCT($roof_pct) }：设备运行频率高于数据手册，或模型、峰值不适用
note-peak-compute = { $dtype } { RATE($rate, unit: "FLOP/s") }
note-peak-memory = 显存 { RATE($rate, unit: "B/s") }
note-peaks-computed = 多处理器数 × 单元数 × 频率，按记录计算
note-peaks-no-device = 记录没有说明是哪种设备
note-peaks-unnamed = 记录没有设备名称
note-peaks-unknown = “{ $device }”的峰值未知
note-peaks-by-make = { $source }；由计算单元数和显存识别，未记录型号
note-peaks-halved = { $source }，按稀疏给出的已减半
note-peaks-divided = { $source }，按稀疏给出的已减半，并除以 GPU 数
note-peaks-given = 给定：{ $given }{ $rest ->
        [none] {""}
       *[other] ；其余：{ $rest }
    }

## GPU

note-utilization-no-steps = 记录中没有迭代：占比按整个跟踪文件计算，从第一个事件到最后一个
note-utilization-no-details = 没有 SM 效率和占用率：内核既没有每 SM 的块数，也没有估计的占用率（ROCm 的 profiler 不记录）
note-utilization-no-sm = 没有 SM 效率：内核没有每 SM 的块数（Nsight Systems 不记录）
note-utilization-no-blocks = 至多 { PCT($most_pct, digits: 1) } 的计算内核时间没有每 SM 的块数，在 sm_efficiency 中按零计：请视为下限
note-utilization-no-occupancy = 至多 { PCT($most_pct, digits: 1) } 的计算内核时间没有估计的占用率，不计入均值
note-activity-cut = { $activities } 个活动越过同一流上的后续活动：{ TIME($cut_ns) } 的记录时长不计入，见 health 的 stream_overlaps
note-kernels-of-one = 没有行：这些数据只对单个内核测量，而报告中只有内核区间；请用 ncu --replay-mode kernel 采集
note-kernels-page = 没有行：CSV 页不含这些内容；请直接打开报告（.ncu-rep）
note-kernels-not-collected = 没有行：没有采集这些指标；请用 { $option } 采集
note-kernels-no-rules = 没有行：Nsight Compute 的规则没有对这些内核给出意见；{ $option } 会应用全部规则
note-kernels-other = 内核时间的 { PCT($share_pct, digits: 1) } 属于其他类：{ $names } 个内核名称没有匹配的规则
note-short-kernels = { $kernels } 个内核（占 { PCT($kernels_pct, digits: 1) }）短于 { TIME($short_ns) }，共占内核时间的 { PCT($time_pct, digits: 1) }；其中 { $shorter } 个比下发它的调用耗时还短{ $graphs ->
        [0] {""}
       *[other] ；{ $graphs } 个由 CUDA 图下发
    }
note-fusion-none = 没有行：没有 { $least } 个以上逐个下发、前后相接的逐元素、归一化、归约或类型转换内核
note-fusion-estimate = 若每个序列融合为一个内核、耗时等于其中最长的内核（归一化与归约合计更长时等于它们），可省 { PCT($saving_pct, digits: 1) } 的 GPU 时间；此处不检查这些内核能否融合，以及迭代是否真的在等 GPU（见 critical_path）
note-counters-unpaired = rank { LABEL($rank) }：{ $ranges } 个采集区间、{ $launches } 次内核下发：无法配对，因此区间没有算子
note-telemetry-no-sample = { $rows } 行没有采样（例如 { $counters }）：所选范围短于采样间隔，或在采样范围之外
note-eager-captures = 该 eager 跟踪文件是旁边 { $folder } 中的图捕获采集
note-eager-none = 所选范围内没有运行 CUDA 图：无需对应到 eager 跟踪文件
note-eager-matched = CUDA 图和没有下发记录的任务的时间中，{ PCT($matched_pct, digits: 2) } 已对应到 eager 跟踪文件中下发相同内核的算子{ $all ->
        [yes] {""}
       *[no] ；其余在那里不同，或没有算子，保持原样
    }
note-iterations-unseen = { $count } 次迭代的时间未知：其中 GPU 等待此文件之外的工作
note-iterations-none = 没有行：没有推理服务（vLLM、SGLang）标记其迭代
note-graphs-none = 没有行：所选范围内没有下发 CUDA 图
note-graphs-share = CUDA 图运行了全部 GPU 时间的 { PCT($share_pct, digits: 2) }
note-graphs-lost = { $launches } 次图下发中有 { $lost } 次在记录中没有活动
note-graphs-unnumbered = 没有记录图的编号：以相同顺序运行相同内核的图合为一行
note-sequences-none = 没有行：没有一次调用下发两个以上内核，也没有重复的序列；内核时间的 { PCT($outside_pct, digits: 1) } 在算子之外下发
note-sequences-outside = 内核时间的 { PCT($outside_pct, digits: 1) } 在算子之外下发

## 主机

note-operators-outside = { PCT($outside_pct, digits: 2) } 的 GPU 时间不是由记录中的算子下发
note-operators-backward = 反向传播的 CPU 时间中未计入“反向 CPU”列的部分：{ $parts }
note-backward-recompute = 重计算的前向 { PCT($share_pct, digits: 2) }
note-backward-hook = 函数之前的钩子 { PCT($share_pct, digits: 2) }
note-backward-communication = 已就绪梯度的通信 { PCT($share_pct, digits: 2) }
note-backward-unknown = 前向算子未记录 { PCT($share_pct, digits: 2) }
note-operators-no-stack = 调用栈未知：记录中没有 Python 调用栈；请用 { $option } 采集
note-operators-no-module = 模块未知：记录中没有 nn.Module 调用；请用 { $option } 采集
note-operators-no-source = 源代码行未知：记录中没有 Python 调用栈；请用 { $option } 采集
note-operators-no-shape = 形状未知：记录中没有输入形状；请用 { $option } 采集
note-operators-no-dtype = 数据类型未知：记录中没有输入类型；请用 { $option } 采集
note-modules-annotated = { PCT($share_pct, digits: 1) } 的 GPU 时间按 CUDA 图的标注（module_fqn）归属模块
note-modules-none = 没有行：记录中没有调用 nn.Module
note-modules-outside = { PCT($outside_pct, digits: 2) } 的 GPU 时间不属于任何模块：{ $parts }
note-modules-unlinked = 没有下发记录 { PCT($share_pct, digits: 2) }
note-modules-backward = 模块之外算子的反向 { PCT($share_pct, digits: 2) }
note-modules-optimizer = 优化器 { PCT($share_pct, digits: 2) }
note-modules-other = 模块之外的其他代码 { PCT($share_pct, digits: 2) }
note-flame-graph-no-stacks = 未记录 Python 调用栈{ $option ->
        [none] {""}
       *[other] （{ $option }）
    }，栈帧为算子与标注区间
note-flame-graph-outside = { PCT($outside_pct, digits: 1) } 的 GPU 时间不属于任何栈帧：在所有栈帧之外下发，或未记录其下发
note-instances-none = 没有行：没有该名称的事件；名称与 kernels、operators、annotations 各表一致
note-instances-few = 少于 { $least } 个实例的名称不标记离群值
note-annotations-none = 没有记录标注区间{ $by_torch ->
        [yes] ：请用 torch.profiler.record_function 标记程序的各部分
       *[no] {""}
    }
note-annotations-outside = { PCT($outside_pct, digits: 1) } 的 GPU 时间不在任何标注区间内；区间包含本线程下发的任务，以及该线程等待期间 autograd 引擎下发的任务
note-annotations-outside-unlinked = { PCT($outside_pct, digits: 1) } 的 GPU 时间不在任何标注区间内（其中 { PCT($unlinked_pct, digits: 1) } 没有下发记录）；区间包含本线程下发的任务，以及该线程等待期间 autograd 引擎下发的任务

## 数据加载

note-loading-fine = 数据加载不是瓶颈：等待批次占迭代的 { PCT($waits_pct, digits: 1) }，未掩盖的向 GPU 拷贝占 { PCT($copies_pct, digits: 1) }（阈值 { PCT($threshold_pct) }）
note-loading-fine-waits = 数据加载不是瓶颈：等待批次占迭代的 { PCT($waits_pct, digits: 1) }（阈值 { PCT($threshold_pct) }）
note-loading-fine-copies = 数据加载不是瓶颈：未掩盖的向 GPU 拷贝占迭代的 { PCT($copies_pct, digits: 1) }（阈值 { PCT($threshold_pct) }）
note-loading-fine-no-fetch = 数据加载不是瓶颈：没有取批次（阈值 { PCT($threshold_pct) }）
note-loading-transfer = 向 GPU 拷贝拖慢了迭代：{ $steps ->
        [1] 总共
       *[other] 每次迭代
    } { TIME($step_ns) } 中有 { TIME($lost_ns) }（{ PCT($lost_pct) }）在拷贝而没有计算{ $pageable ->
        [none] {""}
       *[other] ；{ $pageable }
    }
note-loading-pageable = { PCT($share_pct) } 的字节来自可分页内存
note-loading-handover = 从工作进程移交批次拖慢了迭代：{ $steps ->
        [1] 总共
       *[other] 每次迭代
    } { TIME($step_ns) } 中有 { TIME($lost_ns) }（{ PCT($lost_pct) }）{ $gpu ->
        [yes] GPU 空闲
       *[no] 程序在等待
    }，尽管{ $seen ->
        [yes] 批次已经准备好
       *[no] 取批次很快，说明批次已经准备好
    }
note-loading-processing = 数据处理拖慢了迭代：{ $steps ->
        [1] 总共
       *[other] 每次迭代
    } { TIME($step_ns) } 中有 { TIME($lost_ns) }（{ PCT($lost_pct) }）{ $gpu ->
        [yes] GPU 空闲
       *[no] 程序在等待
    }，因为下一批次还没有准备好{ $single_process ->
        [yes] ：主进程自己制作批次（num_workers=0）
       *[no] ：{ $fetches } 次取批次中有 { $empty } 次没有现成的
    }
note-loading-epochs = { $epochs } 次 epoch 切换，每次 { TIME($epoch_ns) }；结论不计入这段时间
note-loading-unsure = 请用 { $option } 采集，以区分工作进程慢还是移交批次慢
note-loading-no-gpu = 没有记录 GPU 活动，因此全部等待都算作未掩盖
note-loading-no-loader = 记录中没有找到数据加载器（查找过 enumerate(DataLoader)#...、data_loading 或 get_batch 之类的标注、已知加载器的调用帧）
note-loading-by-name = 按名称识别为数据加载器：{ $names }
note-loading-elsewhere = 加载器的区间在其他线程上或在迭代之外：没有迭代在等待它们

## 显存

note-memory-device-of-rank = rank { LABEL($rank) } { $device }
note-memory-peak = { $device }：峰值 { $peak }{ $step ->
        [none] {""}
       *[other] ，在迭代 { LABEL($step) } 中
    }{ $reserved ->
        [none] {""}
       *[other] ；{ $reserved }
    }
note-memory-peak-bytes = { BYTES($peak_bytes) }
note-memory-peak-of-device = { BYTES($peak_bytes) }，占设备 { BYTES($capacity_bytes) } 的 { PCT($capacity_pct, digits: 1) }
note-memory-reserved = 分配器最多预留 { BYTES($reserved_bytes) }
note-memory-grows = { $device }：每次迭代增长 { BYTES($step_bytes) }，{ $steps } 次迭代皆如此
note-memory-grows-by = { $device }：每次迭代增长 { BYTES($step_bytes) }，{ $steps } 次迭代皆如此；留存的 { BYTES($kept_bytes) } 大多由 { $operator } 分配{ $source ->
        [none] {""}
       *[other] ，位于 { $source }
    }
note-memory-no-totals = { $device }：记录中没有总量，因此由事件累计：是下限
note-memory-long = { $changes } 次变化；--by slice 显示 100 个时间区间，--by step 每次迭代一行
note-memory-no-addresses = 事件没有地址：无法得知哪次释放对应哪次分配
note-memory-outside = { PCT($outside_pct, digits: 1) } 的字节在算子之外分配：由 Python 代码，或在没有算子的线程上

## 多 rank 与通信

note-ranks-one-open = 只打开了一个 rank：无法得知哪个 rank 在等待哪个；请打开所有 rank 所在的文件夹
note-ranks-no-communication = 没有 rank 有通信内核
note-unmatched-alone = { $calls } 个通信内核中有 { $lost } 个在其他 rank 上没有对应的内核
note-unmatched-partly = { $matched } 个已匹配的内核中有 { $part } 个缺少组内部分 rank 的对应内核：最晚到达的 rank 可能未打开
note-unmatched-by-order = 没有记录元数据的内核按流、名称与顺序匹配
note-waits-none = 没有 rank 在等待其他 rank
note-job-own-time = 最快与最慢是不计等待其他 rank 的迭代时间；等待为各 rank 的平均
note-clocks-one-rank = 只打开了一个 rank：没有可比较的其他时钟
note-clocks-apart = rank { $ranks }（共 { $count } 个）：没有集合通信把其时钟与作业时钟关联起来，因此不校正
note-communication-none = 没有行：所选范围内没有通信内核运行
note-communication-with-waiting = 时长包含等待其他 rank 的时间：最短的一次调用等待最少
note-communication-unsized = { $calls } 次调用中有 { $unsized } 次没有记录大小：字节数不含它们
note-sizes-unsized = { $calls } 次调用中有 { $unsized } 次没有记录大小
note-sizes-small = 有大小的调用中 { PCT($calls_pct, digits: 1) } 小于 1 MiB
note-sizes-small-timed = 有大小的调用中 { PCT($calls_pct, digits: 1) } 小于 1 MiB；占传输时间的 { PCT($transfer_pct, digits: 1) }
note-sizes-small-merged = 有大小的调用中 { PCT($calls_pct, digits: 1) } 小于 1 MiB；占传输时间的 { PCT($transfer_pct, digits: 1) }；若达到同类较大调用的带宽，所有 rank 共可少传输 { TIME($saved_ns) }：这是合并它们最多能节省的
note-links-none = 没有行：没有仅两个 rank 之间的通信，无论是消息还是两个 rank 的进程组；更大的进程组无法区分各条链路
note-links-slow = { $links } 条链路中有 { $slow } 条慢：{ $named }
note-links-alone = { $links } 条链路中有 { $alone } 条可比较的同类链路少于 { $least } 条
note-pipeline-no-messages = 没有行：没有找到收发双方都有记录的 rank 间消息
note-pipeline-no-steps = 没有行：所选范围内没有带消息的 rank 的迭代
note-pipeline-one-way = 消息只朝一个方向：训练的流水线会有梯度返回
note-pipeline-no-stage = { $ranks } 个 rank 中有 { $unknown } 个的阶段未知：消息成环，如交错调度那样
note-experts-none = 没有行：所选范围内没有 all-to-all，因此没有专家交换 token
note-experts-even = 每次 all-to-all 都均衡：要么专家均衡，要么各 rank 把各部分填充到同一大小
note-experts-unmatched = 负载不含 { $calls } 次调用中的 { $lost } 次：没有找到其他 rank
note-metadata-none = 没有行：文件中只有事件，或没有可读取的元数据

## 显存快照

note-snapshot-no-history = { $file } 没有事件历史：请用 torch.cuda.memory._record_memory_history() 记录；这里显示的是结束时的状态
note-snapshot-before = 在 { $file } 的历史开始之前已分配了 { BYTES($before_bytes) }
note-snapshot-no-segments = { $file } 没有列出段，因此历史开始之前分配了多少无从得知
note-snapshot-beside = rank { LABEL($rank) } 的显存数据来自快照 { $file }，而不是来自其 trace
note-snapshot-clock = { $file } 的时钟与 trace 不同：时间无法对照，选择迭代对它不起作用
note-snapshot-unknown = 随时间统计的显存中有 { PCT($unknown_pct, digits: 0) } 类别未知
note-snapshot-alive = 每个时刻列出最大的 { $largest } 个调用栈，其余按类别合计
note-memory-diff-no-base = 没有可比较的记录：请用 --base PATH 指定修改之前的记录
note-memory-diff-peaks = { $device }：峰值之前 { BYTES($base_bytes) }，之后 { BYTES($new_bytes) }
note-memory-diff-alone = { $device }：只在{ $side ->
        [before] 之前
       *[other] 之后
    }的记录中
note-memory-ranks = rank { LABEL($rank) } 的峰值最高：{ $device } 上 { BYTES($peak_bytes) }{ $above_bytes ->
        [0] {""}
       *[other] ，比 { $ranks } 个的中位数多 { BYTES($above_bytes) }
    }{ $category ->
        [none] {""}
       *[other] ；{ $category } 比中位数多 { BYTES($category_bytes) }
    }
note-blocks-then = 历史第 { LABEL($event) } 个条目之后的段和块；此后已释放的块，其大小为申请大小向上取整到 512 字节
note-blocks-astray = { $blocks } 个分配不在当时已知的任何段中
note-snapshot-part = 只显示 { $file } 的历史中 { RANGE(TIME($begin_ns), TIME($end_ns)) } 存活的内容{ $entries ->
        [0] {""}
       *[other] ；略去 { $entries } 个条目
    }
note-snapshot-holes = 有 { BYTES($hole_bytes) }（占预留显存的 { PCT($hole_pct, digits: 1) }）空闲在使用中的块之间；{ BYTES($whole_free_bytes) } 是完整的空闲段，empty_cache() 可以归还
note-snapshot-few-steps = rank { LABEL($rank) }：历史太短，无法判断哪些在增长：至少需要三次迭代或 100 条记录
note-snapshot-few-whole-steps = rank { LABEL($rank) }：所示部分不足三次完整迭代，无法判断哪些在增长
note-snapshot-no-growth = rank { LABEL($rank) }：在历史的 { $steps } 个 step（或部分）中，没有调用栈几乎每次都增长
note-snapshot-growth-of-a-pass = rank { LABEL($rank) }：{ $stacks } 个参数、激活值、梯度或优化器状态的调用栈在增长，但没有已知的迭代：可能只是建立模型，或一次前向、反向或优化器步骤
note-snapshot-little-growth = rank { LABEL($rank) }：另有 { $stacks } 个调用栈在增长，但每次迭代不足 1 MiB 且不足峰值的 0.1 %
note-snapshot-no-oom = 历史中没有出现显存不足
note-snapshot-holders = { $holders }
note-snapshot-holder = { $category } { BYTES($size_bytes) }，{ $blocks } 个块{ $source ->
    [none] {""}
   *[other] ，位于 { $source }
}
note-snapshot-category = { $category ->
    [parameters] 参数
    [gradients] 梯度
    [activations] 激活值
    [temporaries] 临时数据
    [unknown] 未知类别
    [before] 采集开始前已分配
   *[other] 优化器状态
}
note-hardware-few-samples = 迭代中的采样少于 { $least } 个或未覆盖其大部分时，不给出每次迭代的能耗：GPU { $gpus }
note-cuda-memory-before = 从记录开始起累计：此前的分配若 Nsight Systems 未记下则缺失；不读取内存池保留的部分
note-cuda-memory-unread = { $rows } 行未计入：既非分配也非释放，或没有大小
note-npu-steps = profiler 取在迭代中开始的部分，累加整个区间；测得值取在迭代中下发的部分，为各流的并集；两者的空闲时间都包括拷贝、事件和主机的等待
note-npu-links = SDMA 是 HCCS、PCIE 与 SIO 之和：其字节与它们重复
note-npu-memory-peak = { $device }，{ $component }：峰值 { BYTES($peak_bytes) }{ $operator ->
        [none] {""}
       *[other] ；算子中 { $operator } 占用最多，{ BYTES($bytes) }
    }
note-npu-ai-cpu = { NUMBER($calls) } 个内核在 AI CPU 上执行，共 { TIME($total_ns) }，占内核时间的 { PCT($share_pct) }：{ $types }；AI CPU 是较慢的标量核，改用 AI Core 支持的数据类型、形状或算子会更快
