# 取值不多的列，其值的名称。

value-cause-host_late = 下发过晚
value-cause-sync = 同步等待
value-cause-data_loading = 数据加载
value-cause-memory_copy = 内存拷贝
value-cause-communication_wait = 等待通信
value-cause-launch_latency = 下发时延
value-cause-dependency = 内核间隙
value-cause-unknown = 未知

value-bottleneck-uncoalesced = 访存未合并
value-bottleneck-bank-conflicts = bank 冲突
value-bottleneck-divergence = 分支发散
value-bottleneck-partial-warps = warp 不完整
value-bottleneck-occupancy = 占用率低
value-bottleneck-small-grid = 网格太小
value-bottleneck-tail = 尾部效应
value-bottleneck-atomics = 原子操作争用
value-bottleneck-local-memory = 局部内存
value-bottleneck-double-precision = FP64
value-bottleneck-dram = DRAM 带宽
value-bottleneck-l2 = L2 带宽
value-bottleneck-l1 = L1/TEX 带宽
value-bottleneck-compute = 计算受限
value-bottleneck-latency = 时延受限
value-bottleneck-unknown = 未测量

value-yes = 是
value-no = 否
