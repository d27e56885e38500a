### NCCL Inspector 测量的集合通信。

inspector-bandwidth = { $communicator } 中 { RANGE(BYTES($from_bytes), BYTES($to_bytes)) } 的 { $op }{ $link ->
    [none] {""}
   *[other] {" "}{ $link }
}：不含等待的总线带宽中位数为 { NUMBER($busbw, maximumSignificantDigits: 3) } GB/s，共 { NUMBER($calls) } 次，传输时间最多。
inspector-slow = 较慢：{ $communicator } 中 { RANGE(BYTES($from_bytes), BYTES($to_bytes)) } 的 { $op }{ $link ->
    [none] {""}
   *[other] {" "}{ $link }
} 为 { NUMBER($busbw, maximumSignificantDigits: 3) } GB/s，是同类 { NUMBER($others, maximumSignificantDigits: 3) } GB/s 的 { PCT($of_others_pct) }，共 { NUMBER($calls) } 次。
inspector-late = rank { LABEL($rank) }（{ $file }）在其 { NUMBER($calls) } 次已匹配的集合通信中有 { PCT($last_pct) } 最后到达，累计比倒数第二个晚 { TIME($late_ns) }。
inspector-late-together = rank { $ranks } 在其 { NUMBER($calls) } 次已匹配的集合通信中有 { PCT($last_pct) } 一起最后到达，累计比前一个晚 { TIME($late_ns) }。
inspector-slow-more = 另有 { NUMBER($count) } 个通信域或链路也较慢，见 collective_bandwidth。
inspector-calls = { NUMBER($logs) } 个日志中有 { NUMBER($calls) } 次通信，其中 { PCT($complete_pct) } 有每个 rank 的记录。
inspector-rank = { NUMBER($calls) } 次集合通信，共 { TIME($total_ns) }，包括等待。
