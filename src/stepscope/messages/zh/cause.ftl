### 某个 rank 偏慢的原因，或没有慢 rank 的理由。

cause-compute = 计算
cause-copies = 拷贝
cause-data-loading = 数据加载
cause-garbage-collection = 垃圾回收
cause-host = CPU 工作
cause-not-recorded = 原因未记录

cause-slower-kernels = 相同的内核耗时是 rank { LABEL($rank) } 的 { FIXED($times, digits: 2) } 倍（频率较低、GPU 上有其他进程，或同名内核的工作不同）
cause-extra-kernels = { $what }：每次迭代比 rank { LABEL($rank) } 多 { TIME($more_ns) }，{ $kernels ->
    [0] 内核耗时更长
   *[other] 多出 { $kernels } 个内核
}
cause-extra-kernels-in-range = { $what }（区间 { $range }）：每次迭代比 rank { LABEL($rank) } 多 { TIME($more_ns) }，{ $kernels ->
    [0] 内核耗时更长
   *[other] 多出 { $kernels } 个内核
}
cause-extra-copies = { $what }：每次迭代比 rank { LABEL($rank) } 多 { TIME($more_ns) }，{ $copies ->
    [0] 拷贝耗时更长
   *[other] 多出 { $copies } 次拷贝
}
cause-extra-idle = GPU 每次迭代比 rank { LABEL($rank) } 多空闲 { TIME($more_ns) }
cause-extra-idle-in = { $event }：GPU 每次迭代比 rank { LABEL($rank) } 多空闲 { TIME($more_ns) }
cause-slow-group = { BYTES($size_bytes) } 的 { $op }：rank { $ranks } 达到 { FIXED($gb_per_s, digits: 2) } GB/s，为 { $groups } 个组中位数的 { PCT($of_median_pct) }

cause-no-rank-late = 没有慢 rank：没有 rank 因自身的工作而偏慢
cause-no-rank-late-enough = 没有慢 rank：最慢的 rank { LABEL($rank) } 每次迭代慢 { TIME($late_ns) }（{ PCT($late_pct, digits: 1) }），低于 { PCT($least_pct) }
cause-late-by-chance = rank { LABEL($rank) } 可能是慢 rank，每次迭代慢 { TIME($late_ns) }（{ PCT($late_pct, digits: 1) }）：与随机波动（{ TIME($chance_ns) }）过于接近，无法确定
cause-late-in-some-steps = rank { LABEL($rank) } 只在 { $steps } 次迭代中的 { $late_steps } 次偏慢，平均每次迭代慢 { TIME($late_ns) }（{ PCT($late_pct, digits: 1) }）：不是慢 rank，但应检查这些迭代
cause-straggler-not-selected = { $count ->
   *[other] 未选中的 rank { $ranks } 是慢 rank
}
cause-nothing-judged = 没有行：迭代内没有在多个 rank 上找到全员参与的集合通信
cause-slower-clock = 其 GPU 以 { NUMBER($mhz) } MHz（SM 频率）运行，rank { LABEL($rank) } 的为 { NUMBER($other_mhz) } MHz，这最多可解释其内核变慢的 { PCT($explained_pct) }{ $reason ->
    [power-cap] ；因功率上限而降频
    [thermal] ；因温度而降频
    [hardware] ；被硬件降速
    [power-brake] ；因机器的功率制动而降频
   *[none] {""}
}
