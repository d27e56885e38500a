# 时间线各轨道的标题。

lane-stream = 流 { $stream ->
    [none] （无编号）
   *[other] { $stream }
}
lane-of = { $title } · { $of }
lane-packed = { $streams } 条流：{ $of }
lane-other-streams = 其余 { $streams } 条流
lane-other-threads = 其余 { $threads } 个线程
lane-compute = 计算
lane-communication = 通信
lane-copies = 拷贝
lane-idle = 空闲（按原因）
lane-annotations = 标注
lane-sync = 同步事件
lane-gpu-busy = GPU 忙碌
lane-sm-efficiency = SM 利用率
lane-queue = 队列深度
lane-queue-of = 队列深度 · 流 { $stream }
lane-queue-of-others = 队列深度 · 其他 { $streams } 条流
lane-memory-allocated = 已分配显存 · { $device }
lane-memory-reserved = 已预留显存 · { $device }
lane-compilations = 正在编译（torch.compile）
lane-counter-of-gpu = { $counter } · GPU { $gpu }
lane-counter-of-process = { $counter } · 进程 { $process }
lane-main = 主线程
lane-autograd = 自动微分线程
lane-worker = 数据加载工作线程
lane-pinning = 数据锁页线程
lane-feeder = 队列写入线程
lane-watchdog = 集合通信监视线程
lane-threads-without-number = 无编号的线程
lane-thread = 线程 { $thread ->
    [none] （无名称）
   *[other] { $thread }
}
lane-numbered = { $title } { $thread ->
    [none] （无名称）
   *[other] { $thread }
}
lane-group = { $description ->
    [none] 进程组 { $group }
    [default_pg] 默认组（{ $group }）
   *[other] { $description }（{ $group }）
}
lane-untimed-records = 转储中有 { NUMBER($records) } 次集合通信没有时间（time_created_ns），不在时间线上；“通信挂起”页不需要时间
lane-dumps-beside = rank { $ranks } 的飞行记录器转储中的集合通信不在此时间线上，它属于跟踪；单独打开转储即可看到
lane-overlapping = { $events } 个事件与同轨道的另一事件重叠而不嵌套，排在下方的行里
lane-outside = { $events } 个操作系统事件早于程序的第一个事件或晚于其最后一个事件，不在所示时间之内
lane-shared = 每个 GPU 用时最多的 { $most } 条流、每个 rank 用时最多的 { $most } 个线程有自己的轨道，其余共用一条，所属见事件详情
