### `stepscope check` 与 `stepscope baseline`：记录是否退化。

gate-fine = 没有退化：{ $parts }。
gate-regressed = 退化：{ $parts }{ $more ->
    [0] { "" }
   *[other] ，另有 { $more } 项
}。
gate-unknown = 无法判断：{ $parts }{ $more ->
    [0] { "" }
   *[other] ，另有 { $more } 项
}。
gate-cause = 最大的原因：{ $cause }；它使迭代变慢 { TIME($size_ns) }（由模拟得出）。
gate-fine-step = 迭代时间 { TIME($new_ns) }，之前为 { TIME($base_ns) }
gate-fine-counts = 没有精确计数的增长超过 { PCT($of_pct) }
gate-fine-budgets = 全部 { $count } 项预算都未超出
gate-refused = 基线的记录方式不同
gate-clause = { $what }：{ $base ->
    [none] { $new }
   *[other] { $base } -> { $new }
}（{ $why }）
gate-clause-budget = { $what }：{ $new ->
    [none] 没有数值
   *[other] { $new }
}，允许{ $least ->
    [yes] 最少
   *[no] 最多
} { $limit }（{ $why }）

gate-step = 迭代时间
gate-count-grew = 精确计数
gate-count-more = 有所增加，在容差之内
gate-set-differs = 不影响结论
gate-count-no-more = 没有增加
gate-count-traded = 有所增加，但迭代明显变快
gate-count-varies = 在同一记录的各次迭代之间不同
gate-count-new-peak = 基线没有这个数值
gate-step-others = 工作不同的迭代未作对比，计入它们时迭代为 { TIME($base_ns) } -> { TIME($new_ns) }
gate-step-range = { $factored ->
    [yes] 扣除
   *[no] 未扣除
}主机快慢的影响，{ $way ->
    [longer] 变慢 { RANGE(TIME($near_ns), TIME($far_ns)) }
    [shorter] 变快 { RANGE(TIME($near_ns), TIME($far_ns)) }
   *[around] 在变快 { TIME($near_ns) } 与变慢 { TIME($far_ns) } 之间
}，95 % 区间
gate-budget-kept = 未超出
gate-budget-exceeded = 超出
gate-budget-mixed = { $count } 份记录中有 { $kept } 份未超出
gate-no-rows = 表 { $table } 没有行{ $why ->
    [none] { "" }
   *[other] ：{ $why }
}
gate-no-values = { $column } 中没有任何值
gate-no-steps = 没有记录可作除数的迭代
gate-allow-setup = 没有进行对比。请为这种配置保存基线，或用 --allow-other-setup 仍然对比。

gate-cannot-read-budgets = 无法读取 { $path } 中的预算
gate-cannot-check = 无法检查预算 { $name }
gate-cannot-read-budget = 无法读取 { $path } 中的第 { $number } 项预算
gate-budget-example = 每项写成 [[budget]]、table = "kernels"、column = "total_ns"、per = "step"、most = "12 ms"
gate-no-toml = 它不是 TOML：{ $reason }
gate-no-budgets = 其中有 [[budget]] 以外的内容
gate-unknown-key = 没有键 { $key }
gate-known-keys = 可用的键：{ $keys }
gate-no-text = { $key } 不是文本
gate-no-such-table = 没有表 { $table }
gate-no-such-grouping = 表 { $table } 没有分组 { $by }
gate-list-tables = stepscope show --list 列出表及其分组
gate-unknown-figure = figure 或 per 不可用
gate-known-figures = figure 为 { $figures } 之一；per 为 "step" 或省略
gate-no-column = 这个数值需要一列
gate-no-such-column = 表 { $table } 的列 { $column } 中没有数字
gate-known-columns = 含数字的列：{ $columns }
gate-does-not-add = { $table } 中 { $column } 的各行重叠：求和会重复计时
gate-adding-columns = 请取 figure { $figures }{ $columns ->
    [none] { "" }
   *[other] ，或对 { $columns } 之一求和
}
gate-no-limit = 既没有 most 也没有 least
gate-no-quantity = { $value } 不是这一列的量
gate-units = 请写数字，或数字加单位：{ $units }

gate-cannot-name = 无法命名基线 { $name }
gate-bad-name = 它含有字母、数字、“.”、“_”、“-” 以外的字符
gate-good-name = 请换一个名称，例如 main 或 release-1.2
gate-cannot-save = 无法保存基线 { $name }
gate-several-setups = 这些记录的设备、版本或 profiler 选项不同
gate-one-setup = 请每次只保存一种配置的记录
gate-not-local = { $path } 不是本机上的文件
gate-copy-first = 请先把记录复制到本机
gate-no-baseline = 找不到基线 { $name }
gate-not-there = 既没有这个文件，{ $folder } 中也没有这个名称
gate-known-baselines = 已保存的名称：{ $names }
gate-save-first = 请先用 stepscope baseline save { "NAME" } RECORDING 保存
gate-nothing-to-check = 请给出 --baseline 或 --budget
gate-saved = { $replaced ->
    [yes] 已替换
   *[no] 已保存
}基线 { $name }：{ $count } 份记录，{ BYTES($size_bytes) }，{ $setup }
gate-saved-none = { $folder } 中没有基线
gate-removed = 已删除基线 { $name } 的 { $count } 种配置
gate-list-first = stepscope baseline list 列出全部名称

gate-cannot-read-history = 无法读取历史 { $path }
gate-other-file = 请给出另一个文件
gate-too-large = 文件为 { BYTES($size) }，超过页面可读取的 { BYTES($most) }
gate-shorten = 请将其最后若干行另存为一个文件。
gate-history-broken = { $path } 中有 { $count } 行无法读取。
gate-history-short = 寻找变化点需要同一配置的 { $least } 次运行；现有 { $count } 次。
gate-history-same = 这种配置的 { $count } 次运行中没有变化点。
gate-history-change = 变化点：从 { $runs } 次运行中的第 { $run } 次起，{ $what } { $before } -> { $after }（{ $day }{ $label ->
    [none] { "" }
   *[other] ，{ $label }
}）。

gate-repeat-agreed = 记录 { $count } 次后得出结论，位于 { $folder }：连续两次检查一致
gate-repeat-ended = 记录 { $count } 次后结束，位于 { $folder }：仍无结论
gate-repeat-hopeless = 记录 { $count } 次后结束，位于 { $folder }：更多记录也不会得出结论
gate-repeat-counted = { $count } 份记录，位于 { $folder }
gate-cannot-repeat = 无法记录 { $command }
gate-command-failed = 它以退出码 { $code } 结束
gate-run-alone = 请先让它在 stepscope record 下正常运行
gate-not-recorded = 没有记录到任何内容
gate-run-record = 请查看 stepscope record 对它的说明

gate-side-new = 新
gate-side-base = 基线
gate-title-name = 名称
gate-title-saved = 保存时间
gate-title-recordings = 记录
gate-title-size = 大小
gate-title-setup = 配置
gate-title-check = 检查项
gate-title-base = 基线
gate-title-new = 新
gate-title-limit = 上限
gate-title-outcome = 结果
gate-outcome-fine = 正常
gate-outcome-regressed = 退化
gate-outcome-unknown = 无法判断
gate-section-checks = 检查项
gate-section-checks-says = 每次迭代；计数是精确的
gate-checks-fine = 另有 { $count } 项正常：--all
