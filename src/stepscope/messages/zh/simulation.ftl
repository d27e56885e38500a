### 假设分析的回答。

simulation-rank = rank { LABEL($rank) }
simulation-method = 由所记录的迭代模拟得出：扣除采集开销，更改前后各模拟一次。区间包含实测过的此类更改中约五分之四的结果。
simulation-method-job = 每个 rank 由其记录的迭代单独模拟：扣除采集开销，更改前后各模拟一次；等待其他 rank 的时间保持记录值，因此仅减少慢 rank 的工作在此不会缩短迭代，去掉对它的等待（no-straggler:RANK）才会。区间包含实测过的此类更改中约五分之四的结果。
simulation-method-straggler = 由所记录的迭代得出，含采集开销：该 rank 因自身工作比其他 rank 晚到集合通信的时间。区间为偶然波动与传输波动所致的不确定范围。
simulation-job = 作业的迭代时间：{ $simulated ->
    [yes] 扣除采集开销后约 { TIME($before_ns) }（记录为 { TIME($recorded_ns) }）
   *[no] 记录为 { TIME($before_ns) }
} -> 约 { TIME($after_ns) }（{ RANGE(TIME($low_ns), TIME($high_ns)) }）。
simulation-before = 迭代时间：记录为 { TIME($recorded_ns) }，扣除采集开销后约 { TIME($step_ns) }（{ RANGE(TIME($low_ns), TIME($high_ns)) }）。
simulation-saving = 每次迭代 { TIME($after_ns) }，{ $longer ->
    [yes] 延长 { PCT($change_pct) }
   *[no] 缩短 { PCT($change_pct) }
}（{ RANGE(PCT($low_pct), PCT($high_pct)) }）。
simulation-change = { $change }：{ $saving }{ $affected ->
    [none] { "" }
   *[other] 影响范围：{ $affected }。
}
simulation-together = 全部更改：{ $saving }
simulation-bottleneck = 更改前的瓶颈：{ $before }（占迭代的 { PCT($before_pct) }）；更改后：{ $after }（{ PCT($after_pct) }）。
simulation-path = 迭代的关键路径
simulation-path-says = 按资源，首尾相接
simulation-longest = 更改后关键路径上最长的部分
simulation-side = 资源
simulation-name = 名称
simulation-time = 时间
simulation-path-before = 更改前
simulation-path-after = 更改后
