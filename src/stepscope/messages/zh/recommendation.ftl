### 报告中的优化建议。

recommendation-heading = 优化建议
recommendation-heading-says = 扣除采集开销后的模拟节省量{ $straggler ->
    [yes] ，慢 rank 的节省量按记录计算
   *[no] { "" }
}{ $unmarked ->
    [yes] ，整个记录视为一次迭代
   *[no] { "" }
}；各项节省不能相加
recommendation-none = 没有超过运行间波动的优化建议。
recommendation-none-because = 没有优化建议：{ $reason }。
recommendation-more = 另有 { $count } 条（stepscope show findings）
recommendation-minor = 影响较小，低于运行间波动：{ $titles }
recommendation-note = 注意：{ $title }。{ $advice }
recommendation-saving = { $unmarked ->
    [yes] { "" }
   *[no] 每次迭代
}{ $possible ->
    [yes] 可能
   *[no] { "" }
}约节省 { TIME($saving_ns) }，即 { PCT($saving_pct) }（{ RANGE(PCT($low_pct), PCT($high_pct)) }）
recommendation-saving-per-sample = { $possible ->
    [yes] 可能
   *[no] { "" }
}约节省每个样本耗时的 { PCT($saving_pct) }（{ RANGE(PCT($low_pct), PCT($high_pct)) }）
recommendation-details = { $saving }；置信度{ $confidence ->
    [high] 高
    [medium] 中
   *[low] 低
}：{ $reason }
recommendation-details-of-ranks = { $saving }；置信度{ $confidence ->
    [high] 高
    [medium] 中
   *[low] 低
}：{ $reason }；rank { LABEL($rank) } 上最多，{ $ranks } 个 rank 中有 { $seen } 个出现
recommendation-top = 下面第一条建议：{ $saving }。
recommendation-top-on-rank = 下面第一条建议（rank { LABEL($rank) }）：{ $saving }。
recommendation-unknown = 记录中看不出：{ $what }。
recommendation-was = 原为：{ $code }
