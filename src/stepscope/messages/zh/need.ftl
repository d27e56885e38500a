# 记录可能缺少的内容，以及因此无法显示的内容。

need-gpu-lack = 没有 GPU 活动
need-gpu-views = 任何与 GPU 有关的内容
need-runtime-lack = 没有 CUDA 或 HIP 调用
need-runtime-views = 内核下发
need-os-calls-lack = 没有 C 库调用
need-os-calls-views = 主机等待文件、锁与其他线程的调用
need-cpu-samples-lack = 没有 CPU 采样
need-cpu-samples-views = CPU 执行了哪些函数
need-thread-switches-lack = 没有上下文切换
need-thread-switches-views = 各线程在 CPU 上的时间
need-page-faults-lack = 没有统一内存的缺页
need-page-faults-views = 统一内存的缺页
need-operators-lack = 没有算子
need-operators-views = 自身时间和各算子的 GPU 时间
need-shapes-lack = 没有输入形状
need-shapes-views = 按形状区分的算子和 FLOPs
need-stacks-lack = 没有 Python 调用栈
need-stacks-views = 源代码行和模块
need-counters-lack = 没有硬件计数器
need-counters-views = 内核的硬件计数器
need-telemetry-lack = 没有随时间采样的计数器
need-telemetry-views = GPU 功耗、频率与活跃度随时间的变化
need-memory-lack = 没有显存事件
need-memory-views = 显存随时间的变化
need-snapshot-lack = 没有显存快照
need-snapshot-views = 段、碎片、分类、按调用栈的增长以及显存不足事件
