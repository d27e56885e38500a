### `stepscope prove` 与 `stepscope ledger`：优化建议的预期与实际。

proof-inside = { $finding } 预期节省迭代的 { $promised }，实际节省 { $came }：在范围之内。
proof-less = { $finding } 预期节省迭代的 { $promised }，实际节省 { $came }：少于预期。
proof-more = { $finding } 预期节省迭代的 { $promised }，实际节省 { $came }：多于预期。
proof-unclear = { $finding } 预期节省迭代的 { $promised }，实际节省 { $came }：两次迭代时间的不确定度太大，无法判断是否在范围之内。
proof-range = { PCT($best_pct) }（{ RANGE(PCT($low_pct), PCT($high_pct)) }）
proof-steps = 不含 profiler 开销的迭代：{ TIME($before_ns) } -> { TIME($after_ns) }{ $work ->
    [none] { "" }
   *[other] ，按之前一次迭代的工作量计（现在一次迭代的工作量是 { $work } 倍）
}。
proof-both-measured = 两个迭代时间都是在没有 profiler 时测得的。
proof-one-estimated = 一个迭代时间是在没有 profiler 时测得的，另一个是估计值。
proof-both-estimated = 两个迭代时间都是估计值：记录带有无 profiler 时测得的迭代时间时，结果更窄。
proof-is-gone = 这项发现已消失。
proof-still = 修改后的记录中仍有这项发现。

proof-cannot-prove = 无法验证 { $finding }
proof-no-saving = 它没有给出预期节省
proof-per-sample = 它的节省按样本计
proof-name-work = 请说明修改后一次迭代的样本数是多少倍，例如 --work 8
proof-no-such-finding = 找不到 { $finding }
proof-not-in = { $path } 中没有这项发现
proof-which = 无法选定一项发现
proof-gone = { $count ->
    [0] 没有带预期节省的发现消失
   *[other] 有 { $count } 项带预期节省的发现消失
}
proof-findings = { $names ->
    [none] 修改前的记录中没有带预期节省的发现
   *[other] 请用 --finding 指定一项：{ $names }
}
proof-no-step = 无法对比 { $path } 的迭代
proof-no-step-time = 不含 profiler 开销的迭代时间未知
proof-record = 请记录带 CPU 事件的完整迭代。
proof-cannot-read = 无法读取台账 { $path }
proof-make-one = 用 stepscope prove BEFORE AFTER 生成

proof-before = 修改前
proof-after = 修改后
proof-empty = { $path } 中没有预测。
proof-coverage = 已验证 { $count } 项预测：{ $inside } 项在预期范围之内，{ $outside } 项在范围之外，{ $unclear } 项无法判断。
proof-section-kinds = 按发现
proof-section-later = 后续预测的区间
proof-section-predictions = 预测
proof-all = 全部
proof-title-finding = 发现
proof-title-tested = 已验证
proof-title-inside = 范围内
proof-title-device = 设备
proof-title-known = 有结论
proof-title-factor = 宽度
proof-too-few = 不变：少于 { $least } 项
proof-title-error = 误差，百分点
proof-title-date = 日期
proof-title-after = 修改后
proof-title-label = 修改
proof-title-promised = 预期
proof-title-came = 实际
proof-title-outcome = 结果
proof-outcome-inside = 范围内
proof-outcome-less = 较少
proof-outcome-more = 较多
proof-outcome-unclear = 无法判断
