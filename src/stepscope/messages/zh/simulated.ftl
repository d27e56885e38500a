# 时间线上的模拟迭代。

simulated-of-job = 该更改只影响各 rank 相互等待的时间：单个 rank 的迭代内部没有变化，因此没有可绘制的迭代
simulated-of-rank = 模拟的是 rank { LABEL($rank) }；假定其他 rank 保持不变
simulated-of-mean = 更改后的时间是 { $steps } 次迭代的平均值；所绘制的是第 { $step } 次迭代，其时长为中位数
simulated-behind = GPU 比主机耗时更长，落后于主机：GPU 各行从它开始执行本次迭代自身的工作处画起
simulated-nothing = 该更改不会节省时间：相关工作被{ $behind }掩盖。
simulated-main-thread = 主线程
simulated-stream = 流 { $stream ->
    [none] （无编号）
   *[other] { $stream }
}
simulated-loading = 数据加载
