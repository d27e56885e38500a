# 对记录的检查：发现了什么，意味着什么。

## 发现

check-count = { $count }
check-share = { PCT($share_pct, digits: 2) }
check-time = { TIME($time_ns) }
check-of = { $whole } 中的 { $part }
check-yes = 是
check-no = 否
check-none = 无
check-recorded = 已记录
check-none-happened = 没有发生此类事件
check-not-recorded = 未记录
check-cut-off = 被截断
check-sentences = { $sentences }
check-more = 另外 { $count } 个

## 文件

check-events = JSON 共 { BYTES($json_bytes) }
check-events-recorder = 由 { $recorder } 记录
check-nsys-diagnostics = Nsight Systems 对本次采集报告了 { NUMBER($warnings) } 个警告和 { NUMBER($errors) } 个错误；其内容见它自己的窗口或 nsys export
check-nsys-foreign = 不读取被采集程序以外的其他程序的采样与上下文切换
check-nsys-graphs = { NUMBER($graphs) } 次 CUDA 图下发只采集了整体，没有其中的内核：请用 nsys profile --cuda-graph-trace=node 重新采集
check-complete = 文件完整结束
check-failed = { $what } 失败
check-incomplete = { $reason }；截断之后的事件缺失（丢弃了未完成事件的 { BYTES($lost_bytes) }）
check-incomplete-events = { $reason }；截断之后的事件缺失
check-damaged-none = 每个事件都是有效的 JSON
check-damaged-no-events = 每个事件都可读取
check-damaged = 已跳过：{ $events } 个 JSON 损坏的事件，{ $entries } 个不是事件的条目
check-damaged-events = 已跳过：{ $events } 个损坏的事件
check-damaged-events-in = 已跳过：{ $files } 中 { $events } 行损坏的数据
check-files-lost = { $files }：表中缺少其中缺失的数据
check-file-unread = { $file } 无法读取
check-file-cut = { $file } 在某一行中间被截断
check-beside = { $found }
check-beside-one = { $name }：{ $found }
check-damaged-kernel = 内核 { LABEL($kernel) }{ $name ->
        [none] {""}
       *[other] （{ $name }）
    }
check-damaged-kernels = { $file ->
        [none] {""}
       *[other] { $file } 中的
    }{ $kernels }{ $more ->
        [0] {""}
       *[other] 以及另外 { $more } 个部分
    }无法读取：时间与占比均不含{ $count ->
       *[other] 这部分
    }
check-doubled = { $events } 个事件的某个键出现两次：以最后的值为准；出现两个 args 时，两者的参数都保留
check-broken-none = 每个计时事件都有开始时间和时长
check-broken = 不计入任何时间：{ $reasons }
check-broken-start = { $events } 个没有有效的开始时间
check-broken-duration = { $events } 个没有有效的时长
check-broken-negative = { $events } 个时长为负
check-clock-good = 没有活动早于其下发
check-clock-whole = 整数 ns
check-clock-rounded-value = { $times } 个取整
check-clock-rounded = { $times } 个细于 1 ns 的时间戳被取整
check-clock-negative = { $events } 个事件早于时间零点
check-clock-early-value = { $activities } 个早于下发
check-clock-early = { $activities } 个活动早于其下发，最多早 { TIME($worst_ns) }：主机与 GPU 的时钟不一致
check-stream-overlaps = { $activities } 个活动越过同一流上后续活动超过 { TIME($tolerance_ns) }：记录的结束时间已损坏。共 { TIME($cut_ns) } 的记录时长不计入，各活动截止于同一流上下一活动的开始。最长者：{ $example }，记录 { TIME($recorded_ns) }，计入 { TIME($kept_ns) }
check-graph-captures = 的 CUDA 图回放时间已有算子，依据 { $folder } 中的图捕获采集
check-graph-edges = CUDA 图节点之间的依赖；关键路径沿用其中活动之间的依赖{ $rest ->
        [0] {""}
       *[other] ；{ $rest } 个连接的节点不是活动，例如事件记录或主机函数
    }
check-nested = 主机事件嵌套正确
check-overlapping = 主机事件晚于其外层事件结束（{ $parts }）；保留完整时长，自身时间不重复计算
check-overlapping-in = 表 { $table } 中 { $events } 个
check-categories-known = 每个计时事件都属于已知类别
check-categories = 计时事件已保留但未分析，类别为 { $categories }，例如 { $example }
check-unread = X 以外种类的事件已保留但未分析，phase 为 { $phases }，例如 { $example }
check-assumed-times = 各行没有时间：按 dcgmi 的默认值，假定采样间隔为 { TIME($interval_ns) }；请用 dcgmi dmon ... | ts "%Y-%m-%dT%H:%M:%.S" 采集
check-counters = { $counters } 个随时间采样的计数器{ $gpus ->
        [0] {""}
       *[other] ，来自 { $gpus } 个 GPU
    }（见表 telemetry 与时间线）
check-counters-refused = { $counters } 个计数器无法采样，例如 { $example }：{ $reason }
check-counters-missing = { $samples } 个采样没有有限数值（例如 { $example }）：视为缺失，而不是 0
check-counters-unplaced = { $events } 个采样没有有效时间或没有任何数值，不计入任何表
check-counters-clocks = 采样 SM 与显存活跃度可能锁定 GPU 频率，因此内核耗时可能与不采样时不同
check-overhead-none = 没有采集自身开销的事件；每次调用的采集开销仍包含在主机时间中{ $waits ->
        [0] {""}
       *[other] ；等待下发队列空位 { $waits } 次（{ $event }）
    }
check-overhead = { $events } 个采集自身开销的事件：{ $kinds }{ $more ->
        [0] {""}
       *[other] ，以及另外 { $more } 种
    }{ $waits ->
        [0] {""}
       *[other] ；等待下发队列空位 { $waits } 次（{ $event }）
    }
check-times = { $found }：时间戳损坏或来自两个时钟，其总和也不可信
check-times-long = { $events } 个事件超过一天
check-times-span = 首末事件相隔 { FIXED($days, digits: 1) } 天
check-times-span-value = 跨度
check-kernel-details = { $occupancy ->
        [0] {""}
       *[other] { $occupancy } 个内核的占用率不在 0 至 100 % 之间，不予计入{ $registers ->
            [0] {""}
           *[other] ；
        }
    }{ $registers ->
        [0] {""}
       *[other] { $registers } 个内核的寄存器数为负
    }

## GPU 活动

check-gpu-activity = 内核、内存拷贝与 memset
check-gpu-cut-off = 文件在任何 GPU 事件之前被截断：无法得知 GPU 的活动
check-gpu-calls-only = { $launches } 次调用向 GPU 下发了任务，但没有记录到 GPU 活动：{ $recorder ->
    [rocprofv3] 没有要求 rocprofv3 采集它（--kernel-trace --memory-copy-trace），或其文件不在此处
   *[other] 另一个 profiler 占用了 CUPTI，或采集窗口太短
}
check-gpu-foreign = 没有属于 torch.profiler 类别的事件
check-gpu-mindspore = 目录中既没有内核（activity_execute_timestamp）也没有算子（op_execute_timestamp）
check-host-only = 只记录了 CPU{ $kineto ->
    [yes] ；使用 GPU 时请把 ProfilerActivity.CUDA 加入 activities
   *[no] {""}
}
check-host-only-no-gpu = 只记录了 CPU：程序没有可见的 GPU
check-host-only-unused = { $recorded ->
    [yes] 记录了 GPU，但它在这些迭代中没有任何活动
   *[no] 只记录了 CPU：采集开始时，程序尚未使用其可见的 { $gpus } 个 GPU
}
check-linked-all = 每个活动都有其下发{ $by_flow ->
        [0] {""}
       *[other] ，其中 { $by_flow } 个通过流箭头关联
    }
check-unlinked = { $activities } 个活动（占 GPU 时间的 { PCT($time_pct, digits: 2) }）在跟踪文件中没有下发记录{ $cut ->
        [yes] ：文件在其下发调用之前被截断
       *[no] { $before ->
            [0] {""}
           *[other] ；其中 { $before } 个早于此处下发的任何活动：是采集开始前排队的任务
        }
    }
check-launches-all = 每次下发调用都有其活动
check-launches-lost = { $calls } 次下发调用中有 { $lost } 次没有活动：记录结束时仍在排队、被 profiler 丢弃、被捕获进 CUDA 图，或由主机完成拷贝
check-attributed-all = 全部 GPU 时间都在算子内下发
check-attributed = 在算子内下发的 GPU 时间占比；{ $outside ->
        [0] {""}
       *[other] { $outside } 个活动在算子之外下发{ $graphs ->
            [0] {""}
           *[other] ，其中 { $graphs } 个由 CUDA 图重放产生（不记录算子）
        }{ $unlinked ->
            [0] {""}
           *[other] ；
        }
    }{ $unlinked ->
        [0] {""}
       *[other] { $unlinked } 个在跟踪文件中没有下发记录
    }
check-communication-all = 全部 { $kernels } 个通信内核都带有集合通信的名称和大小
check-communication = { $kernels } 个通信内核中有 { $named } 个带有集合通信的名称和大小；其余按算子或名称识别

## 迭代

check-steps-profiler = ProfilerStep 区间
check-steps-unreadable = ProfilerStep 区间的编号无法识别（“{ $name }”）：按时间顺序从 0 编号
check-steps-optimizer = 没有 ProfilerStep 区间；按 { $name } 的结束时间切分
check-steps-annotation = 没有 ProfilerStep 区间；每个“{ $name }”视为一次迭代
check-steps-serving = 推理服务的每次迭代（“{ $name }”）是一步
check-steps-whole-served = 没有推理服务的迭代区间：整个跟踪文件视为一次迭代
check-steps-foreign = 不知道迭代：整个跟踪文件视为一次迭代
check-steps-snapshot = 历史中没有 ProfilerStep#N 或 Optimizer.step 范围：全部视为一次迭代；请用 record_function("ProfilerStep#0") 包住每次迭代
check-steps-whole-recorder = 没有重复的顶层区间：整个记录视为一次迭代；请为每次迭代加上区间（torch.cuda.nvtx.range("step")）
check-steps-whole-mindspore = MindSpore 的时间线在 CPU 上不标记迭代：整个记录视为一次迭代
check-steps-no-timeline = { $file ->
    [none] 记录中没有时间线，因此迭代及其时间未知
   *[other] 缺少 { $file }，因此迭代及其时间未知：请一并复制，或重新导出（torch_npu.profiler.profiler.analyse）
}
check-steps-unknown-category = 重复出现的区间属于未分析的类别：把整个记录视为一次迭代
check-steps-points = MindSpore profiler 记录的时间点
check-steps-whole = 没有 ProfilerStep 区间、优化器迭代或重复的区间：整个跟踪文件视为一次迭代；请在循环中调用 profiler.step()
check-steps-repeated = { $count } 个重复
check-steps-repeated-detail = 迭代 { $steps } 出现多次：选择时全部包括
check-steps-none = { $kind ->
    [kernel_report] 内核报告
    [flight_recorder] 飞行记录器转储
    [communication_log] NCCL Inspector 日志
    [compile_log] torch.compile 日志
    [host_samples] 主机采样
    [input_pipeline] 数据流水线的记录
   *[telemetry] 机器采样
}中没有迭代；程序的跟踪文件中才有
check-steps-whole-all = 没有迭代被采集窗口截断
check-window-steps = 迭代 { $first }{ $single ->
    [yes] { "" }
   *[no] { " " }至 { $last }
}
check-window-budget = 窗口提前结束：否则事件数会超过 --max-events
check-window-foreign = 窗口被提前中断：程序启动了自己的 profiler
check-window-ended = 进程在窗口之内结束（{ $how }）：只有此前记录的内容
check-steps-cut = 迭代 { $steps } 不完整，共 { $count } 次；{ $every ->
        [yes] 没有完整的迭代，均值仅反映已读取的部分
       *[no] 均值不计入
    }
check-inside-steps-all = 全部 GPU 时间都在迭代内下发
check-inside-steps = 在迭代内下发的 GPU 时间占比；{ $outside } 个活动在迭代之外下发，或下发未知
check-host-ahead-not = GPU 在每次迭代之内完成该迭代的任务
check-host-ahead-steps = { $steps } 次迭代中的 { $late } 次
check-host-ahead = 迭代 { LABEL($step) } 中 GPU 比主机的 { TIME($range_ns) } 区间晚结束 { TIME($lag_ns) }：主机领先，因此迭代时长是 GPU 周期（period_ns），而不是 CPU 上的时长（duration_ns）

## 记录内容

check-cannot-show-cut = 无法显示{ $views }：可能随文件末尾丢失
check-cannot-show = 无法显示{ $views }；请用 { $option } 采集
check-cannot-show-with = 无法显示{ $views }：{ $option ->
        [none] stepscope 不从 { $recorder } 的记录中读取这部分
       *[other] { $ascend ->
            [yes] 在昇腾上
           *[no] {""}
        }{ $profiler } 用 { $option } 采集
    }
check-cannot-show-by = 无法显示{ $views }：此记录由 { $recorder } 写出；torch.profiler 用 { $option } 采集

## 多个 rank

check-skipped = 未读取：{ $files }
check-skipped-file = { $file }（{ $reason }）
check-spans-value = { $span } / { $spans }
check-spans-several = 多个
check-spans = { $processes } 个进程先后留下了多个区间；当前显示：{ $files }；用 --span N 选择其他区间
check-joined-value = 已关联 { $count } 个
check-joined = { $files }
check-joined-one = { $file }：{ $note }
check-recordings-value = { $count } 个未显示
check-recordings-both = { $beside }；{ $alone }
check-recordings-beside = 除各表所示的记录外，{ $count ->
   *[other] rank { $ranks }
} 还有 { $files }
check-recordings-no-rank = 不属于任何 rank：{ $files }
check-processes-value = { $files } 个文件中有 { $processes } 个
check-processes = { $ranks } 个是 rank{ $together ->
        [0] { "" }
       *[other] ；{ $together } 个没有 GPU 工作，与该 rank 一同显示
    }{ $apart ->
        [0] { "" }
       *[other] ；{ $apart } 个没有 GPU 工作，不显示，仅列于 recordings
    }
check-ranks = { $ranks } 个 rank
check-ranks-named = 与记录或文件名一致
check-ranks-guessed = { $ranks } 个中有 { $guessed } 个按顺序编号
check-ranks-guessed-detail = 这些文件没有 rank 编号或编号重复：它们属于同一次运行吗？请逐个比较各次运行；按顺序编号的有 { $files }
check-ranks-by-process = 按进程号的顺序编号：记录中没有 rank 编号（MPI_RANKS）。由 torchrun 启动的进程通常就是这个顺序
check-ranks-missing = 缺少{ $count ->
       *[other] {" "}rank
    } { $missing } 的{ $dumps ->
        [yes] 转储：不知道它们当时在做什么
       *[no] 文件：无法区分等待它们与传输
    }
check-ranks-more = 作业的其他 rank 不在其中：无法区分等待它们与传输
check-run-one = 文件中没有相反的信息
check-run-doubtful = 存疑
check-run-doubtful-detail = 这些文件不像同一次运行：{ $found }；{ $certain ->
        [yes] 请分别打开每次运行
       *[no] 要么是两次运行，要么时钟不准
    }
check-run-sizes = 作业规模 { $kinds }
check-run-versions = { $software } 版本 { $kinds }
check-run-kind = { $value }（{ $count ->
   *[other] rank { $ranks }
}）
check-run-beyond = { $size } 个 rank 的作业没有 { $count ->
   *[other] rank { $ranks }
}
check-run-apart = 按时钟，{ $later_count ->
   *[other] rank { $later }
} 在 { $earlier_count ->
   *[other] rank { $earlier }
} 结束 { TIME($gap_ns) } 后才开始
check-steps-are = { $steps ->
        [none] 没有编号
       *[other] { $steps }
    }
check-steps-same = 所有 rank 的迭代相同
check-steps-as-many = { $count ->
    [0] 所有 rank 都没有迭代
   *[other] 所有 rank 的迭代数相同：{ NUMBER($count) }
}
check-steps-counts = 迭代没有编号，且各 rank 的迭代数不同：{ $counts }
check-steps-count-of = { NUMBER($count) } 次（{ $several ->
   *[other] rank { $ranks }
}）
check-steps-differ = { $ranks } 个 rank 中有 { $differing } 个不同
check-steps-differ-detail = 多数 rank { $steps ->
        [none] 没有带编号的迭代
       *[other] 的迭代为 { $steps }
    }；{ $others }；每次迭代只在有该迭代的 rank 之间比较
check-steps-of-rank = { $count ->
   *[other] rank { $ranks }
} { $steps ->
        [none] 没有带编号的迭代
       *[other] 的迭代为 { $steps }
    }
check-matched-share = { PCT($share_pct, digits: 1) }
check-matched = { $calls } 个通信内核中有 { $lost } 个在其他 rank 上没有对应的内核{ $partly ->
        [0] {""}
       *[other] ，{ $partly } 个缺少组内部分 rank 的对应内核
    }
check-clock-offsets = 偏移最多 { TIME($offset_ns) }
check-clock-one = 同一时钟
check-clock-apart = 未关联
check-clock-wall = 各主机的系统时钟
check-clock-wall-detail = 转储中的时间自 1970 年起计，取自各 rank 所在主机：同一主机的 rank 共用一个时钟，不同主机之间则取决于其时钟的一致程度；未作校正
check-clock-detail = { $corrected ->
        [yes] 比较各 rank 时已校正；
       *[no] {""}
    }误差在 { TIME($unsure_ns) } 以内，由 { $collectives } 次集合通信的结束时间得出{ $apart ->
        [none] {""}
       *[other] ；没有集合通信把 { $apart_count ->
           *[other] rank { $apart }
        } 与其他 rank 关联起来
    }{ $contradicted ->
        [none] {""}
       *[other] ；其中 { $contradicted } 次有 rank 在另一 rank 到达之前离开：该处的匹配或时钟有误
    }{ $far ->
        [yes] ；机器时钟很少相差这么多：这些 rank 属于同一次运行吗？
       *[no] {""}
    }

## 显存快照

check-snapshot-no-history = 无法显示过程，只有结束时的段和块；请用 torch.cuda.memory._record_memory_history() 记录
check-snapshot-contradicts = 与结束状态矛盾
check-snapshot-negative = 历史中的分配比结束时多出 { BYTES($before_bytes) }：历史缺少释放记录
check-snapshot-late = 此前 { BYTES($before_bytes) }
check-snapshot-before = 历史开始之前已分配这么多；所有数值都已包含
check-snapshot-whole = 历史从第一次分配之前开始
check-snapshot-no-stacks = 无法显示源码行和类别；请用 torch.cuda.memory._record_memory_history(stacks="python") 记录
check-snapshot-stacks = 的分配带有调用栈
check-snapshot-lost = 个分配所在的地址此前没有释放：缺少释放记录
check-snapshot-paired = 每个分配都有对应的释放，或在结束时仍存在
check-snapshot-read = 文件内容已全部读取
check-snapshot-keys = 未读取：{ $keys }
check-snapshot-odd = { $values } 个值的类型与预期不同，按缺失处理：{ $keys }
check-snapshot-segments-twice = 文件中列出两次的 { $count } 个段只计一次
check-snapshot-blocks-twice = 文件中在两个段里列出的 { $count } 个块只计一次
check-snapshot-in-part = 部分
check-snapshot-part = 按 --between 只读取了历史中 { RANGE(TIME($begin_ns), TIME($end_ns)) } 存活的内容；略去 { $entries } 个条目
check-snapshot-stray = pickle 之后还有内容，未读取

## 内核报告

check-kernels-unread = { $kinds }的结果未读取：只读取内核与内核区间的结果
check-kernels-command-list = 命令列表
check-kernels-graph = CUDA Graph
check-kernels-no-lines = 指令没有行号；编译时加入行号表：nvcc -lineinfo
check-kernels-no-source = 报告中没有这些行的源码；采集时使用 ncu --import-source yes
check-kernels-rounded = details 页的数值只保留两位小数；请打开报告本身或 raw 页
check-samples-doubled = 每个采样两次
check-kernels-of = { $of } 个内核中的 { $count } 个
check-kernels-some = 其余内核无法显示{ $views }；请用 { $option } 为全部内核采集
check-kernels-speed-of-light = 计算与访存单元的忙碌程度
check-kernels-occupancy = 占用率及其限制因素
check-kernels-memory-access = 未合并的访存
check-kernels-shared-memory = bank 冲突
check-kernels-warp-stalls = warp 在等待什么

check-flight-overwritten = 环形缓冲区中已不再保留的更早的集合通信（TORCH_FR_BUFFER_SIZE）
check-flight-stacks = 调用集合通信的代码行
check-flight-scheduled = 已调度或已退役
check-flight-states = 该后端不记录集合通信的开始：不再有人等待它时即视为完成
check-log-by-gpu = 全部时间由 GPU 测量
check-log-by-host = 这些时间由主机测量，包括主机察觉的延迟
check-log-left-out = 日志在其他调用之间缺少的调用：默认不记录较小的消息（8 KiB），缓冲区满时会丢弃
check-compile-payloads = 记录的文本与写入时的校验和不同：被截断、损坏或修改过；能读出的部分已显示
check-compile-times = 日志只有时刻而没有年份，因此其中的记录没有时间
check-compile-provenance = 内核按其图中节点的名称对应到源代码行；设置 INDUCTOR_PROVENANCE=1 后由 Inductor 直接给出
check-flight-active = 只有未完成的
check-flight-active-option = 没有包含已完成的集合通信（TORCH_INCLUDE_ONLY_ACTIVE=1）：没有记录的 rank 是否进入过可能无法得知

## Perfetto 跟踪

check-perfetto-lost = 写入方丢失数据包 { NUMBER($gaps) } 次，{ NUMBER($lost) } 个事件依赖已丢失的内容，{ NUMBER($archives) } 个压缩包已损坏：可能缺少事件；请加大采集缓冲区
check-perfetto-unpaired = { $unfinished ->
    [0] {""}
   *[other] { NUMBER($unfinished) } 个区间没有结束，视为持续到记录结束
}{ $alone ->
    [0] {""}
   *[other] { $unfinished ->
        [0] {""}
       *[other] ；
    }{ NUMBER($alone) } 个结束没有对应的开始，已略去
}
check-perfetto-unread = 未读取其他数据源（调度、调用栈采样、Android）的 { NUMBER($packets) } 个数据包；略去 { NUMBER($events) } 个没有时间或采用旧格式的事件
check-perfetto-clock = 这些事件所用的时钟与跟踪时钟没有对应关系：可能与其他事件不对齐
check-rocm-unread = 未读取的 rocprofv3 记录：计数器、分配、指令采样
