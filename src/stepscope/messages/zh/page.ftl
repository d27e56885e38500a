### 单文件 HTML 报告：包含什么，不包含什么。

page-view = { $table }{ $by ->
    [none] { "" }
   *[other] （按 { $by }）
}{ $source ->
    [yes] （含源码行）
   *[no] { "" }
}
page-first-rows = { $table }：{ $total } 行中的前 { $rows } 行
page-no-rows = { $table }：{ $total } 行均未包含
page-failed = { $what }：这是 stepscope 的缺陷，与跟踪文件无关：{ $type }。设置 STEPSCOPE_DEBUG=1 可显示位置；请反馈此问题
page-timeline = 时间线
page-cut = 本报告包含 { $total } 行中的前 { $rows } 行；下面的命令可输出全部
page-no-timeline = 时间线：空间不足，未包含
page-range = { RANGE(TIME($start_ns), TIME($end_ns)) }
page-merged-events = 时间线：短于 { TIME($shorter_ns) } 的事件已合并{ $exact ->
    [yes] ，{ $ranges } 内未合并
   *[no] { "" }
}
page-left-out = 未包含：{ $what }
page-quotes = { $places ->
   *[other] 报告引用了本机源文件中的 { $places } 处
}：{ $files }{ $more ->
    [0] { "" }
   *[other] {" "}等，另有 { $more } 个文件
}；使用 --no-source 可不引用
page-unquoted = 源文件：引用了 { $places } 处中的 { $quoted } 处
page-ranks = { $shown } 以外的 rank：在 { $ranks } 个 rank 中，只包含这些 rank 的时间线、算子和内核
page-not-everything = 本报告未包含全部内容：可用 { $command } 查看
page-whole = 此处为整个记录，与所选范围无关：报告中没有其他范围；{ $command } 会随选择变化
