### 假设分析的更改：含义（description）、记录中看不出的内容（unknown）、影响范围。

change-no-straggler-description = 慢 rank 与其他 rank 一样快：作业的迭代不再等待它
change-no-straggler-unknown = 该 rank 能否去掉这些工作，或与其他 rank 分担
change-affects-straggler = 每次迭代 { TIME($wait_ns) }，其间其他 rank 等待 rank { LABEL($rank) }
change-op-description = 一个算子的 CPU 与 GPU 时间，包括它调用的全部内容
change-op-unknown = 该算子能否达到这样的速度
change-kernel-description = 按名称选择的内核、拷贝与 memset 的时间
change-kernel-unknown = 这些内核能否达到这样的速度
change-host-description = 按名称选择的算子、Python 帧或标注区间内的 CPU 时间
change-host-unknown = CPU 代码能否达到这样的速度
change-no-python-description = 去掉一个文件自身 Python 代码的 CPU 时间
change-no-python-unknown = 迭代能否不用这些代码
change-no-sync-description = 没有调用等待 GPU（无同步）
change-no-sync-unknown = 程序能否不用它所等待的值
change-no-data-wait-description = 下一批次总是就绪
change-no-data-wait-unknown = 足够多的工作进程能否跟上：工作进程没有记录
change-overlap-communication-description = 通信与其他一切重叠；最好情况
change-overlap-communication-unknown = 内核与通信重叠时相互拖慢多少
change-tensor-cores-description = 矩阵乘（GEMM）在 Tensor Core 上执行
change-tensor-cores-unknown = 低精度类型的精度对该模型是否足够
change-cuda-graph-description = 一次迭代的内核下发合并为一次 CUDA 图启动
change-cuda-graph-unknown = 能否使用 CUDA 图：形状固定、没有同步、没有依赖数据的分支
change-gpu-description = 换一种 GPU，按两者的峰值缩放
change-gpu-unknown = 另一种 GPU 的内核能多接近其峰值，以及其主机有多快
change-kernel-report-description = 采集过的内核不再受其报告所示因素限制；最好情况
change-kernel-report-unknown = 限制内核的因素能消除多少：其报告只给出上限
change-fix-description = 某个诊断结论的修复，用其 id 指定
change-fix-unknown = 该优化在此程序中是否可行（见对应的优化建议）
change-no-such-report = 该跟踪旁的内核报告中，没有该函数可消除的原因
change-no-such-profiled = 这些迭代中没有与所采集的网格和线程块相同的内核
change-take-report = 从 stepscope show kernel_reports 中取一个有下发次数且有节省的函数。
change-no-such-finding = 这些迭代没有此 id 的结论
change-take-finding = 从 stepscope show findings --columns id 中选取 id
change-affects-fix = 每次迭代 { TIME($host_ns) } CPU 时间和 { TIME($gpu_ns) } GPU 时间，修复后可省去

change-affects-both = 每次迭代 CPU 时间 { TIME($host_ns) }、GPU 时间 { TIME($gpu_ns) }，共 { $activities } 个活动
change-affects-gpu = 每次迭代 GPU 时间 { TIME($gpu_ns) }，共 { $activities } 个活动
change-affects-host = 每次迭代 CPU 时间 { TIME($host_ns) }，共 { NUMBER($ranges, maximumFractionDigits: 1) } 个区间
change-affects-launches = 每次迭代 { $launches } 次内核下发
change-affects-waits = 每次迭代 { NUMBER($waits, maximumFractionDigits: 1) } 次等待
change-affects-data-loading = 每次迭代等待 { NUMBER($batches, maximumFractionDigits: 1) } 个批次，共 { TIME($wait_ns) }

change-nothing-such = 这些迭代中没有
change-no-launches = 这些迭代没有下发任务
change-all-in-graphs = 这些迭代的 GPU 工作已全部在 CUDA 图中
change-all-on-tensor-cores = 已全部在 Tensor Core 上运行
change-no-gain-on-tensor-cores = 未使用 Tensor Core 的 GEMM 中，没有已知会变快的
change-unknown-tensor-core-peaks = 该设备的 Tensor Core 峰值未知
change-unknown-peaks = 所记录设备的峰值未知

### 无法进行的更改

change-cannot = 无法更改 { $text }
change-no-such-change = 没有这种更改
change-changes = 可用的更改：{ $changes }。
change-incomplete = 它不完整，或部分过多
change-write-as = 请写成 { $asked }。
change-factor-too-large = 其系数大于 { $most }
change-take-smaller = 请取更小的值。
change-empty-pattern = 其模式为空
change-write-pattern = 请写出模式，或给出名称。
change-invalid-pattern = 其模式不是有效的正则表达式
change-correct-pattern = 请更正，或给出名称。
change-no-such-operator = 这些迭代中没有此名称的算子
change-no-such-kernel = 这些迭代中没有此名称的 kernel、memcpy 或 memset
change-no-such-range = 这些迭代中没有此名称的算子、Python 栈帧或区间
change-no-such-frame = 这些迭代中没有录到此名称的 Python 栈帧
change-take-name = 名称请取自 stepscope show，或在两个斜杠之间写模式。
change-name-file = 请按其栈帧中的名称书写，不带文件夹，例如 no-python:train.py；并以 with_stack=True 采集。
change-leave-out = 请去掉此更改。
change-cannot-use-graph = 无法使用 CUDA graph
change-cannot-overlap = 无法重叠通信
change-cannot-use-tensor-cores = 无法使用 Tensor Core
change-give-tensor-core-peaks = 请用 --peak tf32=... 和 --peak memory=... 给出。
change-cannot-change-gpu = 无法把 GPU 换成 { $name }
change-unknown-peaks-of = { $name } 的峰值未知
change-see-peak = 参见 --peak。
change-no-such-straggler = 在所选的 rank 与迭代中，该 rank 不是慢 rank
change-take-straggler = 请选取 stepscope show stragglers 判定为慢 rank 的 rank。
change-select-ranks = 需要多个 rank 的记录：请选择多个或全部 rank。
change-no-such-rank = 可模拟的 rank 中没有它
change-take-rank = 请选取有 CPU 事件的已选 rank。
