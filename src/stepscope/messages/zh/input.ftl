# 由引擎记录的输入流水线。

input-processing = 训练在等待输入：{ $by ->
        [samples] { $batches } 次采样中有 { $empty } 次输入流水线没有准备好的批次
       *[other] 首个批次之后的 { $batches } 个批次中有 { $empty } 个在请求时尚未准备好
    }。
input-few = { $by ->
        [samples] 只记录了 { $batches } 次队列采样
       *[other] 首个批次总要等待，其后只记录了 { $batches } 个批次
    }：数量太少，无法判断训练是否在等待输入。
input-transfer = 训练在等待已在主机上的批次：首个批次之后的 { $device_batches } 个中有 { $device_empty } 个尚未到达设备，而输入流水线只有 { $empty }/{ $batches } 次未及时准备。瓶颈是传输。
input-fine = 输入流水线跟得上：{ $by ->
        [samples] { $batches } 次采样中有 { $ready } 次有准备好的批次
       *[other] 首个批次之后的 { $batches } 个批次中有 { $ready } 个在请求时已准备好
    }。
input-no-queues = { $file ->
        [none] 没有记录输入流水线中哪个算子慢。
       *[other] 不知道输入流水线中哪个算子慢：{ $file } 无法读取。
    }
input-slow = 输入流水线中的慢算子是 { $operator }{ $workers ->
        [none] {""}
       *[other] （{ NUMBER($workers) } 个工作线程）
    }：{ $input_pct ->
        [none] 它读取数据，
       *[other] 其前面的队列占用 { PCT($input_pct) }，
    }后面的队列占用 { PCT($output_pct) }{ $cpu_pct ->
        [none] {""}
       *[other] ；每个工作线程占用一个核的 { PCT($cpu_pct) }
    }。
input-advice-computes = 其工作线程一直在计算：减少 { $operator } 的开销，或在有空闲核时增加工作线程（num_parallel_workers）；Python 代码需要多进程（python_multiprocessing=True）才能使用多个核。
input-advice-waits = 其工作线程大多在等待存储、锁或休眠：增加 { $operator } 的工作线程（num_parallel_workers），或加快它们所等待的内容（本地磁盘、MindRecord）。
input-advice-between = 其工作线程既不一直计算也不一直等待：如果 { $operator } 在线程中运行 Python 代码，这些线程会互相等待（GIL）；请用多进程（python_multiprocessing=True），否则增加工作线程（num_parallel_workers）。
input-advice-unknown = 增加 { $operator } 的工作线程（num_parallel_workers），或减少其开销；记录 CPU 使用可看出哪一种有用。
input-advice-transfer = 检查批次向设备的传输：大小与类型（uint8，在设备上转换），以及提前推送的数量（设备队列）。
input-advice-unnamed = 请同时采集其算子之间的队列：mindspore.Profiler(data_process=True) 会写出 pipeline_profiling_0.json。
input-nothing = 记录中有输入流水线的部分内容，但没有能说明训练是否在等待它的队列或批次。
input-cpu-scales = 机器的 100 % 是全部核{ $cores ->
        [none] {""}
       *[other] （{ $cores } 个）
    }；进程或算子的 100 % 是一个核
input-interval = 等待时间按每个采样 { TIME($interval_ns) } 计，即文件中设定的采样间隔：机器繁忙时 MindData 采样更慢，实际等待更长；同目录的 minddata_cpu_utilization 记有采样时刻
input-cpu-doubled = 文件把机器的每个采样存了两次（MindSpore 2.10 如此）：每隔一个不计，且机器的用户态与内核态仅前半段记录已知
input-cpu-busy = 机器平均 { PCT($busy_pct) } 繁忙：核数可能限制输入流水线
input-method = 从消费者到数据源依次查看算子之间的队列；修复能节省多少尚不知道。
