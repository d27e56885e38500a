# stepscope record 与 attach 对作业所说的话。

record-done = 已记录 { $has_ranks ->
    [yes] rank { $ranks }{ $more ->
        [0] {" "}
       *[other] {" "}及另外 { $more } 个
    }
   *[no] { $processes } 个进程
}的{ $has_steps ->
    [yes] 迭代 { $first }{ $single ->
        [yes] { "" }
       *[no] { " " }到 { $last }
    }
   *[no] { $files } 个窗口
}：{ $folder }
record-times = 未开启 profiler 时每次迭代用时：{ $has_before ->
    [yes] 窗口之前 { TIME($before_ns) }
   *[no] {""}
}{ $has_after ->
    [yes] { $has_before ->
        [yes] ，之后 { TIME($after_ns) }
       *[no] 窗口之后 { TIME($after_ns) }
    }
   *[no] {""}
}
record-slower-after = 窗口之后每次迭代用时是之前的 { NUMBER($slower, maximumFractionDigits: 2) } 倍：profiler 可能仍有开销，或者作业本身有变化
record-salvaged = { $file } 的进程在文件写完之前被杀死：事件完整，缺少迭代用时
record-agent-failed = 有一个进程无法准备记录：{ $reason }
record-budget = { $program }（进程 { $pid }）：窗口在迭代 { $step } 之后提前结束：每次迭代 { NUMBER($events) } 个事件，再多就会超过 --max-events
record-ended-within = { $program }（进程 { $pid }）在窗口之内结束（{ $how }）：此前记录的内容已保留
record-not-written = { $program }（进程 { $pid }）：记录无法写出：{ $reason }
record-snapshot = { $program }（进程 { $pid }）：CUDA 分配器的快照在 { $file }
record-foreign = { $program }（进程 { $pid }）自己使用 torch.profiler：它自己的记录照常进行，stepscope 的记录就此结束
record-problem = { $program }（进程 { $pid }）：{ $reason }
record-nothing = 什么也没有记录到
record-old-python = 有 { $processes } 个 Python 进程的版本低于记录所需的 3.8
record-no-python = 没有触及该命令的任何 Python 进程：python -I、-E 和 -S 忽略 PYTHONPATH，容器和远程 shell 需要将其传入
record-no-steps-taken = 运行了 { $processes } 个 Python 进程，其中 torch 均未加载数据、执行反向传播或更新优化器；其他情形请用 --after S --duration S，或 --step-on forward
record-not-asked = { $program }（进程 { $pid }）没有收到记录请求：在其运行时用 stepscope attach { $pid }
record-ended-before = { $program }（进程 { $pid }）在指定时间之前已结束：--after 太晚
record-no-steps-found = { $program }（进程 { $pid }）：没有找到迭代；请用 --step-on 指明迭代以什么结束，或用 --after S --duration S 记录一段时间
record-too-few-steps = { $program }（进程 { $pid }）执行了 { $steps } 次迭代，需要 { $needed } 次：请用 --preset early 或 --steps A:B 记录更早的迭代
record-not-started = 无法启动 { $command }：{ $reason }
record-report-elsewhere = 报告只为 rank 0 显示：stepscope report { $folder }
record-no-report = 报告失败（{ $type }）：stepscope report { $folder }

## stepscope attach

record-cannot-attach = 无法记录进程 { $pid }
record-no-process = 没有这个进程
record-check-number = 请核对进程号：ps -ef 会列出全部进程。
record-not-prepared = 它启动时没有为此做准备，也没有安装 py-spy
record-prepare = 请用 stepscope record --on-demand -- COMMAND 启动作业，或在其环境中设置 KINETO_USE_DAEMON=1；也可以 pip install py-spy，它能对任何进程的 Python 调用栈采样。
record-asked = { $way ->
    [agent] 已请求 { $processes } 个进程记录接下来的迭代
    [kineto] 等待 { $processes } 个进程中的 Kineto 前来询问：每 5 秒一次
   *[sampler] 未为记录做准备：由 py-spy 对其 Python 调用栈采样，不含算子与 GPU
}
record-attached = 已记录 { $files } 个文件：{ $folder }
record-no-answer = 什么也没有记录到：{ $way ->
    [agent] 没有迭代及时开始，或者进程已结束；--timeout 可等待更久
    [kineto] 没有进程接受请求，或者优化器没有及时更新；--timeout 可等待更久
   *[sampler] py-spy 失败：可能需要 root，或者允许 ptrace（sysctl kernel.yama.ptrace_scope=0）
}
record-unsampled = 监控数据提前结束或未写入：{ $reason }
record-name-folder = 请用 --out 指定可写的文件夹。
