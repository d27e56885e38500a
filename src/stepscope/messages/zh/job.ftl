### 作业中所有 rank 的整体结论。

job-straggler = rank { LABEL($rank) } 是慢 rank：每次迭代使其他 rank 多等 { TIME($lateness_ns) }（占作业迭代 { TIME($step_ns) } 的 { PCT($lateness_pct) }），出现在 { $steps } 次迭代中的 { $late_steps } 次。
job-more-stragglers = { $count ->
   *[other] 其他慢 rank：{ $others }{ $more ->
        [0] { "" }
       *[other] ，另有 { $more } 个
    }。
}
job-late-by = rank { LABEL($rank) } 慢 { TIME($lateness_ns) }
job-cause = { $several ->
    [yes] rank { LABEL($rank) } 的原因
   *[no] 原因
}：{ $cause }{ $detail ->
    [none] { "" }
   *[other] ，{ $detail }
}。
job-without = 没有该慢 rank 时，作业的一次迭代约为 { TIME($step_ns) }（{ RANGE(TIME($low_ns), TIME($high_ns)) }）{ $at_best ->
    [yes] （最好情况，前提是届时不再等待其他流水线阶段）
   *[no] { "" }
}。
job-exposed = 作业迭代中未掩盖的通信：{ PCT($wait_pct) } 在等待其他 rank，{ PCT($transfer_pct) } 在传输{ $has_rest ->
    [yes] ，{ PCT($rest_pct) } 无法区分
   *[no] { "" }
}（各 rank 平均）{ $names_one ->
    [yes] ；{ PCT($waited_for_pct) } 的等待在 rank { LABEL($rank) } 到达时结束
   *[no] { "" }
}。
job-start-skew = 各 rank 开始首个记录的迭代的时刻相差 { TIME($spread_ns) }，rank { LABEL($rank) } 最晚，因为采集不是在所有 rank 上同时开始：其他 rank 在首个集合通信中等待它，这不是作业本身的等待。
job-undetermined = 无法判断哪个 rank 是慢 rank：没有找到多个 rank 都记录到的全员集合通信。
job-ranks-undetermined = { $count ->
   *[other] 无法判断 rank { $ranks } 是否为慢 rank：可比较的集合通信太少。
}
job-doubt = 无法判断其他 rank 等待最多的 rank { LABEL($rank) } 是否因自身任务而变慢：请检查它。
job-missing = 部分集合通信没有在其所有 rank 上记录：看似传输的时间可能是在等待其中之一。
job-failed = 无法比较各个 rank：这是 stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题。
