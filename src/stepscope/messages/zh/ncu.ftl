# stepscope ncu 在作业前后所说的话。

ncu-target = { $function }：占内核时间的 { PCT($share_pct) }，启动 { NUMBER($calls) } 次，平均 { TIME($mean_ns) }{ $kernels ->
    [one] {""}
   *[other] （同名内核 { NUMBER($kernels) } 个）
}
ncu-left-out = 略去 { $functions }{ $count ->
    [one] {""}
   *[other] （{ $count } 个）
}：通信内核会等待其他 rank，而重放时其他 rank 不会再次执行它，作业会挂起
ncu-cost = { $launches ->
    [one] 1 次启动
   *[other] 最多 { NUMBER($launches) } 次启动
}，每次重放 { $most ->
    [0] { NUMBER($least) }
   *[other] { NUMBER($least) } 至 { NUMBER($most) }
} 遍：至少占用 GPU { TIME($gpu_ns) }。每遍之前 ncu 会恢复该内核写过的全部显存并清空缓存：写入达到数 GB 时，所需时间比内核本身更长
ncu-cost-unknown = 每次启动重放 { $most ->
    [0] { NUMBER($least) }
   *[other] { NUMBER($least) } 至 { NUMBER($most) }
} 遍，每个匹配的函数最多 { NUMBER($count) } 次启动。每遍之前 ncu 会恢复该内核写过的全部显存
ncu-one-rank = torchrun 的作业中分析 rank { $ranks }；其他 rank 会在集合通信中等待它，超时（默认 10 分钟）后作业会终止
ncu-refused = { $pattern } 匹配通信内核：重放时它们会一直等待其他 rank。请用 --kernel 指定其他内核，或给出跟踪
ncu-no-set = 该版本没有集合 “{ $set }”，只有 { $sets }
ncu-no-kernels = 跟踪中没有 ncu 可以分析的内核
ncu-done = 已得到 { $reports } 份 Nsight Compute 报告：{ $folder }。查看：{ $command }
ncu-nothing = Nsight Compute 没有分析任何内核：匹配的函数是否执行了 { NUMBER($skip) } 次以上？--skip 指定每个函数跳过多少次启动；stepscope doctor --for ncu 可检查所需条件
