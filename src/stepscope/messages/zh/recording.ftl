# 记录：多个之中显示哪一个，其余为何不显示。

recording-span = { $worker } 的第 { $span } 个区间，共 { $spans } 个
recording-span-other = { $worker } 的第 { $span } 个区间，共 { $spans } 个；用 --span { $span } 显示
recording-beside = rank { $rank } 的各表显示由 { $recorder } 写出的记录，此记录在其之外
recording-no-rank = 不属于任何 rank：记录及其文件名均未说明
recording-process = 进程 { $process }，该文件中 { $ranks } 个 rank 之一
recording-process-together = 进程 { $process } 没有 GPU 工作（{ NUMBER($events) } 个事件）：与 rank { $rank } 一同显示
recording-process-apart = 进程 { $process } 没有 GPU 工作（{ NUMBER($events) } 个事件），也无从得知它属于哪个 rank：不显示
recording-left = { $count } 个记录中有 { $left } 个不在其他表格中，原因见说明
recording-kernels-beside = 内核报告的各表来自它；它没有时间，因此不在 rank { $rank } 的时间线上
recording-hangs-beside = 挂起的各表来自它；它不在 rank { $rank } 的时间线上
recording-pipeline-beside = 输入流水线的各表来自它；它的时钟是自己的，因此不在 rank { $rank } 的时间线上
recording-bandwidths-beside = 整个运行的带宽各表来自它；它不在 rank { $rank } 的时间线上
recording-samples-beside = 表 host_samples 来自它；它没有说明何时开始，因此不在 rank { $rank } 的时间线上
recording-memory-beside = 显存相关的表来自它；其余的表来自 rank { $rank } 由 { $recorder } 写出的记录
recording-of-machine = 属于整台机器，因而属于其上的每个 rank：网卡与交换机（{ NUMBER($events) } 个采样）
recording-one-clock = 与 { $recorder } 写出的记录同一时钟：两者均从 1970 年起计（± { TIME($uncertainty_ns) }）
recording-assumed-zone = 与 { $recorder } 写出的记录同一时钟：其时间未注明时区，只有 { $zone } 能使其覆盖该记录（假定，± { TIME($uncertainty_ns) }）
recording-no-zone-fits = 未关联：其时间未注明时区，任何时区都不能使其覆盖 { $recorder } 写出的记录
recording-several-zones = 未关联：其时间未注明时区，多个时区都能使其覆盖 { $recorder } 写出的记录（{ $zones }）
recording-no-clock = 未关联：与 { $recorder } 写出的记录没有共同的时钟
recording-before = { $kind ->
        [memory_snapshot] 显存相关的表来自它，无共同时钟
       *[other] 未关联
    }：它在 { $recorder } 写出的记录开始之前 { TIME($gap_ns) } 就已结束
recording-after = { $kind ->
        [memory_snapshot] 显存相关的表来自它，无共同时钟
       *[other] 未关联
    }：它在 { $recorder } 写出的记录结束之后 { TIME($gap_ns) } 才开始
recording-same-time = 与 { $recorder } 写出的记录有 { TIME($shared_ns) } 是同一时间，各表显示后者的事件，不重复计数
recording-snapshot-one-clock = 显存相关的表来自它；它与 { $recorder } 写出的记录均从 1970 年起计
recording-by-annotations = 显存相关的表来自它；{ $count } 个标注使它与 { $recorder } 写出的记录同一时钟（± { TIME($uncertainty_ns) }）
recording-gpus-shared = 未关联：{ $ranks } 个 rank 均称使用 GPU { LABEL($gpu) }，它们或在多台机器上，或各自将自己的 GPU 记为第一个，无从得知日志属于哪一个
recording-gpus-none = 未关联：没有 rank 使用过它有采样的 GPU
