# stepscope telemetry 采样时的提示。

telemetry-began = 每秒采样 { NUMBER($hz) } 次，写入 { $path }；按 Ctrl-C 结束
telemetry-ended = { $reason ->
    [duration] 时间已到
    [process] 进程已结束
   *[other] 被 { $reason } 结束
}；stepscope show telemetry { $path }
