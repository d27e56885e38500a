### 模拟迭代的关键路径中在跟踪文件里没有名称的部分，以及迭代时间的依据。

path-others = 其他
path-inter-kernel-gap = 内核间隙
path-after-event = 依赖另一个流的事件
path-launched-earlier = 在这些迭代之前下发
path-nothing-recorded = 没有记录
path-measured = 去除 profiler 开销：在 profiler 未记录的迭代上实测；范围略去最短和最长的各十分之一
path-estimate = 扣除采集开销：CPU 相邻事件之间的时段，各减去采集通常增加的部分；区间包含约五分之四的不采集时实测的迭代
path-overhead-unknown = 扣除采集开销后的时间未知：此工具的采集开销未经测量
path-several-launch = 没有行：多个线程同时启动工作，无法模拟其中一个线程的迭代
path-no-steps = 没有行：完整的迭代中没有记录 CPU 事件

path-side-host = 主机
path-side-data-loading = 数据加载
path-side-launch-latency = 下发时延
path-side-compute = 计算
path-side-communication = 通信
path-side-copies = 内存拷贝、memset
path-side-waiting = 等待

path-between-queued = 排队任务之间
path-after-event-of-stream = 等待另一个流的事件
path-until-room = 等待另一个流让出资源
path-not-started = 已下发，尚未开始
path-launch-not-recorded = 下发未记录

path-of-no-step = 所见范围内没有带关键路径的迭代
path-of-one-rank = rank { LABEL($rank) } 的路径：各 rank 的时钟无法对齐，因此路径不换 rank
path-as-recorded = 所记录迭代的路径，包含采集开销
