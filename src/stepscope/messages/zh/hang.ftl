### 未结束的集合通信，来自飞行记录器转储。

hang-call = { $group ->
    [default_pg] 默认进程组的
   *[other] 进程组 { $group } 的
} { $collective }{ $number ->
    [none] {""}
   *[other] {" "}{ LABEL($number) }
}

hang-not-entered = { $suspects_count ->
   *[other] rank { $suspects } 始终没有进入{ $call }
}；{ $waiting_count ->
    [0] 没有 rank 在等待
   *[other] { $waiting_count } 个 rank（{ $waiting }）{ $since_epoch_ns ->
        [none] {""}
       *[other] 自 { CLOCK($since_epoch_ns) } 起
    }在{ $source ->
        [none] 其中
       *[other] {" "}{ $source } {""}
    }等待
}。{ $last }
hang-last = rank { LABEL($rank) } 最后一次调用的是{ $call }{ $source ->
    [none] {""}
   *[other] （{ $source }）
}，{ $done ->
    [yes] 已经完成。
   *[other] 尚未完成。
}
hang-last-none = rank { LABEL($rank) } 的转储中没有集合通信。

hang-cycle = 各 rank 互相等待：{ $parts }。
hang-cycle-part = { $waiting_count ->
   *[other] rank { $waiting } 在{ $call } 中等待
}，而{ $missing_count ->
   *[other] {" "}rank { $missing } 没有进入
}
hang-other-order = rank { $ranks } 以不同的顺序调用了{ $first } 与{ $second }，两者都没有完成。

hang-kind = { $ranks_count ->
   *[other] rank { $ranks } 为 { $value }
}
hang-different-collectives = 各 rank 在{ $call } 处调用了不同的集合通信：{ $kinds }。
hang-different-sizes = 各 rank 调用{ $call } 时的大小不同：{ $kinds }。
hang-different-dtypes = 各 rank 调用{ $call } 时的数据类型不同：{ $kinds }。

hang-not-started = { $suspects_count ->
   *[other] rank { $suspects } 已调用{ $call }，但没有在 GPU 上开始
}{ $waiting_count ->
    [0] {""}
   *[other] ；{ $waiting_count } 个 rank（{ $waiting }）在其中等待
}{ $since_epoch_ns ->
    [none] {""}
   *[other] （自 { CLOCK($since_epoch_ns) } 起）
}。
hang-none-started = 全部 { $members } 个 rank 都调用了{ $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] （最后一个在 { CLOCK($since_epoch_ns) }）
}，但没有一个在 GPU 上开始。
hang-not-completed = { $suspects_count ->
   *[other] rank { $suspects } 已开始{ $call }
}，{ $since_epoch_ns ->
    [none] {""}
   *[other] 自 { CLOCK($since_epoch_ns) } 起
}没有完成；{ $finished_count ->
   *[other] rank { $finished } 已完成
}。
hang-none-completed = { $waiting_count ->
    [0] rank { $suspects }
   *[other] 全部 { $members } 个 rank
}都进入了{ $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] （最后一个在 { CLOCK($since_epoch_ns) }）
}，但没有一个完成。
hang-unfinished = { $suspects_count ->
    [0] 全部 { $members } 个 rank 都进入了{ $call }，但没有一个完成
   *[other] rank { $suspects } 进入了{ $call }，但没有完成
}{ $since_epoch_ns ->
    [none] {""}
   *[other] （自 { CLOCK($since_epoch_ns) } 起）
}{ $finished_count ->
    [0] {""}
   *[other] ；rank { $finished } 已完成
}。
hang-no-dump = { $waiting_count } 个 rank（{ $waiting }）{ $since_epoch_ns ->
    [none] {""}
   *[other] 自 { CLOCK($since_epoch_ns) } 起
}在{ $call } 中等待；{ $suspects_count ->
   *[other] 转储无法说明 rank { $suspects } 是否进入
}。

hang-unknown-members = { $waiting_count ->
   *[other] rank { $waiting }
}{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}自 { CLOCK($since_epoch_ns) } 起
}在{ $call } 中等待；转储没有说明该进程组还包含哪些 rank。

hang-advice-not-entered = 检查缺席的 rank 在最后一次调用之后做了什么：异常、没有数据的数据加载器、只有部分 rank 执行的分支。查看它当时的调用栈：py-spy dump --pid PID。
hang-advice-order = 让每个 rank 以相同的顺序调用所有进程组的集合通信。
hang-advice-messages = 让每个 send 与一个 recv 配对：两个 rank 中由一个先接收，或用 torch.distributed.batch_isend_irecv 同时提交两侧。
hang-advice-collectives = 检查调用它们的代码行：各 rank 执行了不同的分支，或某个 rank 跳过或重复了之前的集合通信。
hang-advice-sizes = 让所有 rank 的张量相同，例如填充或丢弃较小的最后一个批次。
hang-advice-not-started = 检查这些 rank 的 GPU 上更早的任务：不结束的内核，或等待事件的流。
hang-advice-transfer = 如果写转储时传输并非正在进行，请检查网络与 GPU：NCCL_DEBUG=INFO、ibstat、dmesg 中的 Xid 错误。
hang-advice-no-dump = 获取这些 rank 的转储：被杀死的进程不会写转储，请查看其退出状态和系统日志。
hang-advice-unknown-members = 在表 hang_ranks 中比较各 rank 在等待什么：gloo 不记录进程组的成员。

hang-coverage = 共 { $ranks } 个 rank，这里有 { $dumps } 个的转储{ $absent_count ->
    [0] {""}
   *[other] ；没有 rank { $absent } 的，但这不表示它们没有参与作业
}。
hang-members-guessed = 转储没有说明部分进程组包含哪些 rank：视为记录了它的各 rank；默认进程组视为所有出现过的 rank。
hang-overwritten = { $ranks_count ->
   *[other] rank { $ranks } 的转储不是从作业开始处记录的
}：更早的集合通信已被覆盖（TORCH_FR_BUFFER_SIZE）。
hang-none = 没有集合通信挂起：{ $ranks } 个 rank 在 { $groups } 个进程组中记录的 { NUMBER($records) } 次通信全部完成。
hang-following = 另有 { NUMBER($count) } 处挂起由此引起：其缺席的 rank 也在等待。
hang-more = 表 hangs 中还有 { NUMBER($count) } 处挂起。
hang-rank-idle = 没有在集合通信中等待：记录的 { NUMBER($records) } 次通信全部完成。
hang-rank-waits = 在{ $call } 中等待{ $since_epoch_ns ->
    [none] {""}
   *[other] ，自 { CLOCK($since_epoch_ns) } 起
}{ $source ->
    [none] {""}
   *[other] （{ $source }）
}{ $pending ->
    [1] {""}
   *[other] ，共 { NUMBER($pending) } 次未完成
}。
hang-event = { $outcome ->
    [completed] 已完成。
    [done] 已结束。转储没有记录结束时间，因此只显示其调用时刻。
    [not_started] 未完成：已下发，但直到作业所有转储中的最后时刻仍未在 GPU 上开始。图中画到该时刻为止。
   *[unfinished] 直到作业所有转储中的最后时刻仍未完成。图中画到该时刻为止。
}
hang-event-seen = { $started_ns ->
    [none] {""}
   *[other] 调用后 { TIME($started_ns) } 发现其已开始。
}{ $completed_ns ->
    [none] {""}
   *[other] 调用后 { TIME($completed_ns) } 发现其已完成。
}PyTorch 的监视线程只是定期检查，因此实际发生的时间更早。
hang-event-ranks = { $ranks_count ->
   *[other] rank { $ranks }
} { $reached ->
    [missing] 从未进入此次通信。
    [waiting] 已进入此次通信，但未完成。
    [finished] 已完成此次通信。
    [absent] 没有转储，无法得知是否进入。
   *[unknown] 可能已进入此次通信：其转储中的记录从更晚的时刻开始。
}
