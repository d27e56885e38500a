### 两组记录的对比：`stepscope diff`。

diff-cannot-compare = 无法对比 { $path }
diff-no-trace = 它不是 trace
diff-no-steps = 其中没有找到迭代
diff-record-steps = 请记录若干次迭代，每次之后调用 prof.step()
diff-no-side = 有一侧没有记录
diff-name-sides = 请写 stepscope diff BASE NEW，或 --base A --base B --new C --new D
diff-both-ways = 记录既写成参数，又用 --base 或 --new 给出
diff-ranks-apart = 两侧没有共同的 rank

diff-step-changed = 迭代{ $longer ->
    [yes] 变慢
   *[no] 变快
} { TIME($size_ns) }，{ PCT($size_pct) }（{ TIME($base_ns) } -> { TIME($new_ns) }）{ $cause ->
    [none] 。
   *[other] ：{ $cause }。
}
diff-step-same = 迭代时间没有变化：{ TIME($base_ns) } -> { TIME($new_ns) }{ $cause ->
    [none] 。
   *[other] 。最大的差异：{ $cause }。
}
diff-step-unknown = 无法判断迭代时间是否改变：{ TIME($base_ns) } -> { TIME($new_ns) }。小于 { TIME($smallest_ns) } 的变化无法从这些记录的噪声中分辨出来。{ $cause ->
    [none] { "" }
   *[other] 最大的差异：{ $cause }。
}
diff-step-range = { $factored ->
    [yes] 扣除主机快慢的影响后，
   *[no] 未扣除主机快慢的影响，
}{ $longer ->
    [yes] 变慢
   *[no] 变快
} { RANGE(TIME($low_ns), TIME($high_ns)) }（95 % 区间）。
diff-step-around-zero = { $factored ->
    [yes] 扣除主机快慢的影响后，
   *[no] 未扣除主机快慢的影响，
}介于变快 { TIME($low_ns) } 与变慢 { TIME($high_ns) } 之间（95 % 区间）。
diff-unprofiled = 不开 profiler 时，同一次运行中实测：{ TIME($base_ns) }（{ RANGE(TIME($base_low_ns), TIME($base_high_ns)) }）-> { TIME($new_ns) }（{ RANGE(TIME($new_low_ns), TIME($new_high_ns)) }）。
diff-other-work = 只对比两侧工作相同的迭代。因下发次数或输入形状不同而不计入的迭代：{ $base ->
    [none] { "" }
   *[other] 基准的 { $base }
}{ $base ->
    [none] { "" }
   *[other] { $new ->
        [none] { "" }
       *[other] 、
    }
}{ $new ->
    [none] { "" }
   *[other] 新一侧的 { $new }
}。计入这些迭代时，迭代平均为 { TIME($base_ns) } -> { TIME($new_ns) }。
diff-identical = 没有差异：两侧是同一份记录，或逐纳秒相等。

diff-host = 在新{ $recordings ->
    [one] 记录
   *[other] 记录
}中，主机整体{ $slower ->
    [yes] 慢
   *[no] 快
} { PCT($size_pct) }，使迭代{ $slower ->
    [yes] 延长
   *[no] 缩短
} { TIME($size_ns) }：这来自机器或采集，与程序无关。
diff-host-hidden = 在新{ $recordings ->
    [one] 记录
   *[other] 记录
}中，主机整体{ $slower ->
    [yes] 慢
   *[no] 快
} { PCT($size_pct) }，可不计：迭代时间不受其影响。
diff-host-unknown = 无法得知主机整体是快了还是慢了：两侧调用次数相同的函数和算子太少。

diff-hidden-sentence = GPU 的工作每次迭代变化了 { TIME($size_ns) }，但在这些记录中迭代时间不受其影响：{ $cause }。
diff-no-cause = 没有函数、区间或算子能解释迭代时间的 0.5 % 以上。
diff-gone = { $place ->
    [none] { "" }
   *[other] { $place } 中{" "}
}不再调用 { $gone }
diff-new = { $place ->
    [none] { "" }
   *[other] { $place } 中{" "}
}新增 { $new }
diff-replaced = { $place ->
    [none] { "" }
   *[other] { $place } 中{" "}
}{ $gone } 换成了 { $new }
diff-work = { $within ->
    [none] { "" }
   *[other] { $within } 中{" "}
}{ $name } 的工作{ $more ->
    [yes] 增加
   *[no] 减少
}
diff-untraced = { $after ->
    [none] { "" }
   *[other] { $after } 之后{" "}
}未采集的 CPU 时间{ $more ->
    [yes] 增加
   *[no] 减少
}
diff-untraced-elsewhere = { $gone ->
    [none] 新增 { $new } 之后未采集的 CPU 时间
   *[other] { $new ->
        [none] { $gone } 之后未采集的 CPU 时间消失
       *[other] { $gone } 之后未采集的 CPU 时间换成了 { $new } 之后的
    }
}
diff-names-more = { $names } 及另外 { $count } 项
diff-top-level = 最外层

diff-unlike = 两份记录几乎没有相同的工作：像是两个不同的程序。
diff-fact-device = 设备不同：{ $base } -> { $new }。
diff-fact-torch = PyTorch 版本不同：{ $base } -> { $new }。
diff-fact-cuda = CUDA 或 ROCm 版本不同：{ $base } -> { $new }。
diff-fact-driver = 驱动不同：{ $base } -> { $new }。
diff-fact-recorder = 采集工具不同：{ $base } -> { $new }。
diff-fact-stacks = 只有一侧记录了调用栈（{ $base } -> { $new }）：主机时间不可比较。
diff-fact-shapes = 只有一侧记录了形状（{ $base } -> { $new }）：主机时间不可比较。
diff-fact-memory = 只有一侧记录了内存（{ $base } -> { $new }）：主机时间不可比较。
diff-fact-unknown = 未知

diff-side-base = 基准
diff-side-new = 新
diff-recording = { $path }，{ $count } 次迭代{ $left_out ->
    [0] { "" }
   *[other] （共 { $recorded } 次）
}{ $rank ->
    [none] { "" }
   *[other] ，rank { LABEL($rank) }
}
diff-left-out-why = 未计入：第一次迭代（其开头未知），以及被记录截断的迭代。

diff-section-causes = 差异的来源
diff-section-causes-says = 对迭代时间的影响，由模拟得出
diff-section-gpu = 发生变化的 GPU 工作
diff-section-gpu-says = 迭代时间并不完全取决于它
diff-section-step = 迭代
diff-section-step-says = 各部分之和等于迭代时间
diff-section-counts = 每次迭代的计数
diff-section-counts-says = 精确值
diff-section-rows = 发生变化的行
diff-section-alone = 仅一侧有
diff-section-alone-says = 最常见的在前
diff-alone-more = 另有 { $count } 行：--format json
diff-set-kernel_names = 内核
diff-set-operator_shapes = 算子与形状
diff-set-operator_types = 算子与类型
diff-set-compiled_regions = 编译区域
diff-set-breaking_functions = 图中断
diff-unrecorded-operator_shapes = 未比较输入形状：有记录不含这些。
diff-unrecorded-operator_types = 未比较输入类型：有记录不含这些。
diff-title-side = 侧
diff-title-effect = 影响
diff-title-cause = 原因
diff-title-host = 主机
diff-title-gpu = GPU
diff-title-part = 部分
diff-title-what = 计数项
diff-title-base = 基准
diff-title-new = 新
diff-title-delta = 差值
diff-title-outcome = 结论
diff-title-name = 名称
diff-title-level = 类别
diff-title-calls = 调用次数
diff-counts-equal = { $count ->
    [0] 所有计数都不同。
   *[other] 其余 { $count } 项计数相同。
}
diff-counts-all-equal = 全部 { $count } 项计数都相同。
diff-explained = { $causes ->
    [1] 它
   *[other] 合计
}解释了 { TIME($delta_ns) } 差异中的 { TIME($explained_ns) }{ $host_ns ->
    [0] 。
   *[other] ；主机快慢解释 { TIME($host_ns) }。
}
diff-rows-rest = { $count } 行中有 { $same } 行在本行 5 % 或迭代 0.5 % 以内相同；{ $unknown } 行无法判断。
diff-rows-more = 还有 { $count } 行：--all
diff-rows-none = 没有函数、算子或内核的差异同时超过本行的 5 % 与迭代的 0.5 %。
diff-advice-repeat = 每侧只有一份记录时，主机时间只有很大的变化才能与噪声区分。每侧多份记录可以看出更小的变化：stepscope diff --base A1 --base A2 --new B1 --new B2。

diff-whole = 完整对比

diff-outcome-changed = 改变
diff-outcome-same = 相同
diff-outcome-unknown = 无法判断
diff-outcome-new = 新增
diff-outcome-gone = 消失

diff-level-module = 模块
diff-level-function = 函数
diff-level-range = 区间
diff-level-operator = 算子
diff-level-call = API 调用
diff-level-kernel = 内核
diff-level-collective = 集合通信
diff-of-host = 主机
diff-of-gpu = GPU
diff-of-wait = 等待

diff-part-compute = 计算
diff-part-communication = 通信
diff-part-memcpy = 内存拷贝
diff-part-memset = memset
diff-part-runtime = 运行时
diff-part-data_loading = 数据加载
diff-part-cpu = CPU
diff-part-other = 其他
diff-part-step = 迭代
diff-part-interval = 间隔
diff-part-forward = 前向
diff-part-backward = 反向
diff-part-forward_backward = 前向与反向
diff-part-tail = 拖尾
diff-part-host_late = 下发过晚
diff-part-launch_latency = 下发时延
diff-part-sync = 同步等待
diff-part-memory_copy = 内存拷贝
diff-part-communication_wait = 等待通信
diff-part-dependency = 内核间隙
diff-part-unknown = 未知

diff-count-kernels = 内核
diff-count-collectives = 集合通信
diff-count-memcpy = 内存拷贝
diff-count-memset = memset
diff-count-memcpy_HtoD_bytes = 内存拷贝 HtoD 字节数
diff-count-memcpy_DtoH_bytes = 内存拷贝 DtoH 字节数
diff-count-memcpy_DtoD_bytes = 内存拷贝 DtoD 字节数
diff-count-memcpy_HtoH_bytes = 内存拷贝 HtoH 字节数
diff-count-memcpy_PtoP_bytes = 内存拷贝 PtoP 字节数
diff-count-memcpy_unknown_bytes = 方向未知的内存拷贝字节数
diff-count-graph_launches = CUDA graph 启动次数
diff-count-api_calls = API 调用
diff-count-synchronizing_calls = 等待 GPU 的调用
diff-count-memory_calls = 申请或释放显存的调用
diff-count-operators = 算子
diff-count-kernel_names = 仅此侧有的内核（按名称）
diff-count-operator_shapes = 仅此侧有的算子输入形状
diff-count-operator_types = 仅此侧有的算子输入类型
diff-count-compiled_regions = 仅此侧有的编译区域
diff-count-breaking_functions = 仅此侧有的造成图中断的函数（连同原因）
diff-count-compiled_calls = 编译区域的调用
diff-count-graph_breaks = 图中断（整个运行）
diff-count-memory_allocated_peak_bytes = 已分配显存峰值
diff-count-memory_reserved_peak_bytes = 预留显存峰值
diff-count-host_memory_allocated_peak_bytes = 已分配主机内存峰值
diff-count-host_memory_reserved_peak_bytes = 预留主机内存峰值
diff-take-tables = 请给出 trace，或指定两侧记录都有的表：stepscope diff BASE NEW --table TABLE
diff-take-snapshots = 显存快照请用：stepscope show memory_diff NEW --base BASE
diff-by-kernel-reports = Nsight Compute 报告没有迭代：按 --table kernel_reports 对比。
diff-take-kernel-reports = Nsight Compute 报告请用：stepscope diff BASE NEW --table kernel_reports
diff-cannot-compare-table = 无法对比表 { $table }
diff-table-own-names = 它的行以 { $column } 命名，两份记录之间无法对应
diff-table-no-figures = 其中没有数值
diff-table-compares = 它本身就是两份记录的对比
diff-take-base = 请用 stepscope show memory_diff NEW --base BASE
diff-table-which = 请给出行有名称的表，例如 kernels、memcpy、launches 或 communication
diff-table-heading = { $table }：基准 { $base } 行，新记录 { $new } 行
diff-table-rest = { $differing ->
    [0] 全部 { $same } 个数值都相同。
   *[other] { $differing } 个数值不同，{ $same } 个相同。
}
diff-table-untested = 数值是整份记录的总计，而不是每次迭代的值。计数与大小是精确的；时间与速率的差异是否超出噪声，此处不作检验。
diff-title-occurrence = 第几次
diff-outcome-untested = 未检验
diff-cause-effect = { $cause }（{ $longer ->
    [yes] +
   *[no] -
}{ TIME($size_ns) }）
diff-rank = 对比的是 { $count } 个 rank 中的 rank { LABEL($rank) }：扣除未重叠的通信后，它自身的时间变化最大（每次迭代 { $longer ->
    [yes] +
   *[no] -
}{ TIME($size_ns) }）。
diff-aligned-gpu = 对齐情况：两侧 GPU 工作的 { PCT($joined_pct) } 按模块、算子与内核对齐{ $by_sequence_pct ->
    [none] { "" }
   *[other] ，{ PCT($by_sequence_pct) } 按下发顺序对齐
}{ $by_name_pct ->
    [none] { "" }
   *[other] ，{ PCT($by_name_pct) } 只按内核名称对齐
}。
diff-aligned-host = 两侧主机工作的 { PCT($joined_pct) } 位于双方都有的函数、区间与算子中。
diff-section-ranks = 各 rank
diff-section-ranks-says = 自身：不含未重叠的通信
diff-title-rank = rank
diff-title-own-base = 自身，基准
diff-title-own-new = 自身，新
diff-title-own-delta = 自身，差值
diff-section-replaced = 被替换的内核
diff-section-replaced-says = 在同一模块内按下发顺序对齐
diff-title-place = 位于
diff-title-kernels = 内核
diff-section-phases = 阶段
diff-section-phases-says = 各阶段之和等于迭代时间
diff-section-idle = GPU 空闲
diff-section-idle-says = 按原因
diff-table-no-html = 表的对比只有文本、JSON 或 Markdown 格式
