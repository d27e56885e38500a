# 表格下方的说明。

show-origin = { $columns }：自记录的第一个事件起的时间；--where 与其他格式为绝对 ns
show-where-leaves-none = 没有行：没有满足 --where 的行
show-more-rows = 另有 { $count } 行（--limit 0 显示全部）
show-note = 注：{ $note }
show-left-out = { $full ->
    [none] { "" }
   *[other] 宽度不足，未显示：{ $full }
}{ $both ->
    [yes] ；
   *[no] { "" }
}{ $blank ->
    [none] { "" }
   *[other] 为空，未显示：{ $blank }
}{ $hint ->
    [none] { "" }
   *[other] （{ $hint }）
}
show-other-columns = --columns NAME,... 或 --format csv
