# --where 的条件，以及为什么被拒绝。

condition-too-long = 它超过 { $most } 个字符
condition-incomplete = 它不是完整的 SQL 条件
condition-unsupported = 条件中不支持{ $what }
condition-unsupported-form = 条件中不支持这种形式的 { $what }
condition-function = 这个名称的函数
condition-too-deep = 它的嵌套超过 { $most } 层
condition-column-name = 列只能用列名表示
condition-no-column = 没有名为 "{ $name }" 的列{ $close ->
    [none] {""}
   *[other] （您是指 { $close } 吗？）
}
condition-number = 有一个数无法读取
condition-in = IN 之后须为值的列表
condition-is = IS 之后须为 NULL、TRUE 或 FALSE
condition-like = LIKE 之后须为带引号的文本
condition-regex = 正则表达式须为带引号的文本
condition-cast = CAST 只能转换为文本：CAST(x AS VARCHAR)
condition-round = ROUND 的位数须为 0 到 9
condition-value = 它是一个值，不是条件
