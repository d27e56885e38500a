# profiler 自身的汇总。

totals-host-time = 主机时间不是 GPU 时间：各算子在主机上共 { TIME($host_ns) }（从下发到同步，或到下发结束），GPU 活动共 { TIME($activity_ns) }
totals-activity = 算子的 GPU 活动是 CUPTI 为其计入的全部，包括内存拷贝、memset 与调用：可能多于其内核的时间
totals-first-launch = 算子、流、网格与线程块是内核首次下发时的；其他算子也可能下发它
