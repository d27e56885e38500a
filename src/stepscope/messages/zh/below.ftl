# stepscope nsys 与 ncu 共同的提示。

below-missing = PATH 中没有 { $command }，安装程序通常放置的位置（{ $places }）也没有：请安装 { $tool } { $oldest } 或更新版本，或用 --{ $command } PATH 指定
below-broken = { $path } 不是可用的 { $tool }：文件不存在，或只负责查找安装；请安装 { $tool }，或用 --{ $command } PATH 指定
below-old = { $tool } { $version } 早于 { $oldest }，即试过的最早版本
below-marking-failed = 有进程无法标记迭代：{ $reason }
below-no-cuda = 第 { $step } 次迭代开始时尚未使用 CUDA，因此没有采集任何内容
below-too-few-steps = 作业在 { $steps } 次迭代后结束，没有到达第 { $step } 次迭代
below-no-steps = 没有在作业中找到迭代：请用 --step-on 说明迭代在哪里结束，或用 --after 和 --duration 按时间采集
below-foreign = 作业自己使用了 torch.profiler：一个进程中有两个 profiler 时，其中一个可能采集不到 GPU 活动；请关闭作业自己的 profiler
below-launcher = { $launcher } 启动的 rank 不在其外的 profiler 视野之内：请把 stepscope 放在它后面，如 { $launcher } stepscope { $command } -- python train.py
