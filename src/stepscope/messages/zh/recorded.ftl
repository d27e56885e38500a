# 记录的内容。

recorded = { $held }
recorded-activity = GPU 工作
recorded-runtime = CUDA 调用
recorded-operators = 算子
recorded-shapes = 形状
recorded-stacks = Python 调用栈
recorded-modules = 模块
recorded-flops = FLOPs
recorded-memory = 显存事件
recorded-snapshot = 段与块
recorded-history = 分配历史
recorded-annotations = 区间
recorded-os-calls = 操作系统调用
recorded-samples = CPU 采样
recorded-switches = 上下文切换
recorded-page-faults = 缺页
recorded-cuda-memory = CUDA 内存分配
recorded-kernel-reports = 采集的内核
recorded-collectives = 最后的集合通信
recorded-input-pipeline = 输入流水线
recorded-cpu-usage = CPU 使用
recorded-bandwidths = 集合通信的带宽
recorded-compilations = 编译
recorded-counters = 计数器
