### 来自 torch.compile 日志的编译信息。

compile-none = { $aot_ns ->
    [none] 日志中没有编译。
   *[other] 日志中没有 Dynamo 的编译；AOTInductor 编译了 { TIME($aot_ns) }。
}
compile-total = { NUMBER($count) } 次编译{ $total_ns ->
    [none] ：日志没有记录耗时
   *[other] 共耗时 { TIME($total_ns) }{ $untimed ->
        [0] {""}
       *[other] （其中 { NUMBER($untimed) } 次未记录耗时）
    }{ $count ->
        [1] ，编译的是
       *[other] ；最长的一次为 { TIME($longest_ns) }，编译的是
    }{ $function ->
        [none] 未命名的函数
       *[other] {" "}{ $function }
    }{ $source ->
        [none] {""}
       *[other] （{ $source }）
    }
}。
compile-failed = { NUMBER($count) } 次编译失败：相应函数以 eager 模式运行，或程序就此结束。{ $count ->
    [1] 失败的是
   *[other] 第一次失败的是
}{ $function ->
    [none] 未命名的函数
   *[other] {" "}{ $function }
}{ $source ->
    [none] {""}
   *[other] （{ $source }）
}{ $reason ->
    [none] {""}
   *[other] ：{ $reason }
}。
compile-unfinished = { NUMBER($count) } 次编译在日志中有开始而没有结束。
compile-recompiled = { $steps ->
    [none] {""}
   *[other] 在{ $several ->
        [yes] 各次迭代
       *[no] 迭代
    } { $steps } 中
}重新编译{ $count ->
    [one] {""}
   *[other] {" "}{ NUMBER($count) } 次
}：{ $function ->
    [none] 某个函数
   *[other] { $function }
}{ $source ->
    [none] {""}
   *[other] （{ $source }）
}，耗时 { TIME($total_ns) }，{ $reasons ->
    [one] 原因
   *[other] 共 { NUMBER($reasons) } 个原因，耗时最长的一次的原因
}：{ $reason ->
    [none] 日志没有说明哪个 guard 失败
   *[other] guard 失败：{ $reason }
}{ $limited ->
    [yes] 。已达到重新编译次数上限，此后以 eager 模式运行
   *[no] {""}
}
compile-breaks = 图在 { NUMBER($lines) } 行处中断{ $lines ->
    [one] ：{ $source }
   *[other] ，最多的是 { $source }
}（{ $reason }）。
compile-break = { $source ->
    [none] 日志未说明的一行
   *[other] { $source }
}处发生图中断：{ $explanation ->
    [none] { $reason }
   *[other] { $explanation }
}
compile-break-advice = { $hint ->
    [none] 将无法编译的部分移出被编译的函数，或用 TORCH_LOGS=graph_breaks 查看原因。
   *[other] { $hint }
}
compile-break-evidence = { NUMBER($count) } 次编译遇到{ $first_ns ->
    [none] {""}
   *[other] ；编译其后续部分耗时 { TIME($first_ns) }
}
compile-recompile-evidence = 最长的一次耗时{ $longest_ns ->
    [none] 未知
   *[other] {" "}{ TIME($longest_ns) }
}{ $guard_source ->
    [none] {""}
   *[other] ；guard 来自 { $guard_source }
}
compile-method = 编译时间取自 torch.compile 的日志：每次编译只付出一次，因此不给出每次迭代可节省的时间
compile-unknown-again = 记录之后是否还会继续：每个被 guard 拒绝的新值都要付出一次编译。
compile-advice = { $kind ->
    [size] 在首次调用前用 torch._dynamo.mark_dynamic(tensor, dim) 标记变化的维度，以 dynamic=True 编译，或填充到少数几种大小。
    [dynamic] 对动态大小的条件不成立：避免按大小分支，或将需要不同代码的大小分开（torch._dynamo.mark_dynamic 的 min 与 max）。
    [value] Python 数值被当作常量编译：改为以张量传入，或标记为动态（torch.compile(dynamic=True)）；计数器和学习率不要放进被编译的函数。
    [dtype] 同一函数以多种 dtype 或类型调用：在调用前转换，或各用一个编译后的函数。
    [object] 传入了另一个对象、函数或 None：每次传入同一对象，不要新建 lambda，或编译外层函数。
    [requires_grad] 传入的张量有的带 requires_grad，有的不带：将训练与评估分开，各用一个编译后的函数。
    [layout] 输入的 stride 或设备改变：在调用前使其连续或移动设备。
    [mode] 全局模式改变（grad 模式、autocast、deterministic）：每次在同一模式下调用编译后的函数。
    [limit] 该函数编译次数过多，已改为 eager 运行：先消除重新编译的原因；仅提高 torch._dynamo.config.recompile_limit 只会付出更多编译。
   *[other] 查看失败的 guard：TORCH_LOGS=recompiles 会在每次重新编译时说明。
}
