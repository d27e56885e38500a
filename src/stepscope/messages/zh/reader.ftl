# 文件或文件夹为什么不能读取，以及怎么办。每条都是分句，由其他消息组成句子。

## 文件与地址

reader-folder = 这是一个文件夹
reader-name-file-in-it = 请指定其中的文件。
reader-no-name = 文件不能使用这个名称
reader-check-path = 请检查路径。
reader-check-address = 请检查地址。
reader-check-pattern = 请检查通配模式。
reader-check-credentials = 请检查凭据。
reader-check-address-and-credentials = 请检查地址和凭据。
reader-check-owner = 请检查其所有者和权限。
reader-check-readable = 请检查该文件是否可读。
reader-no-permission = 没有读取权限
reader-credentials-refused = 这些凭据无权读取
reader-no-credentials = 没有找到凭据，或凭据不全
reader-no-answer = 服务器没有应答
reader-server-answered = 服务器返回 { $type }
reader-no-support = 没有安装对 { $scheme }:// 的支持
reader-install-support = { $packages ->
    [none] 请把文件复制到本机。
   *[other] 请安装：pip install { $packages }，或把文件复制到本机。
}
reader-connection = 连接失败（{ $type }）
reader-try-again = 请重试。
reader-inflates = 磁盘上的 { $size } 字节解压后超过 { $limit } 字节
reader-longer = 长度超过 { $limit } 字节
reader-raise-limit = 如果文件无误，请提高上限：--max-size 100GB
reader-folder-not-whole = 该文件夹不是可整体读取的记录
reader-folder-without-trace = 该文件夹中没有 stepscope 能读取的记录
reader-no-trace-there = 那里没有 trace 文件
reader-pattern-matches-none = 该模式没有匹配任何文件
reader-name-trace-or-folder = 请指定一个记录，或采集工具写入的文件夹。
reader-name-folder-below = 请指定其下的文件夹（{ $folders }{ $more ->
    [yes] {" "}等
   *[no] {""}
}），或全部查看：stepscope serve { $folder }

## 其他软件包的读取器

reader-cannot-use = 无法使用读取器 { $name }
reader-import-failed = 导入 { $module } 失败（{ $type }）
reader-repair-package = 请修复或卸载该软件包。

## 不是 trace 的文件

reader-empty = 文件为空
reader-blank = 文件只含空白字符
reader-is-sqlite = 这是 SQLite 数据库
reader-is-pickle-cut = 它是缺少结尾的 Python pickle
reader-is-pickle = 这是 Python pickle 文件
reader-is-zip = 这是 zip 压缩包
reader-is-zstd = 这是 zstd 压缩数据
reader-is-xz = 这是 xz 压缩数据
reader-is-bzip2 = 这是 bzip2 压缩数据
reader-is-parquet = 这是 Parquet 文件
reader-is-program = 这是可执行程序
reader-is-utf16 = 这是 UTF-16 文本
reader-is-text = 这是文本，不是 JSON
reader-is-binary = 这是未知类型的二进制数据，不是 JSON
reader-is-xplane = 这是 JAX 或 TensorFlow 的 XPlane 文件，不是 torch.profiler 的跟踪
reader-is-execution-trace = 这是 PyTorch execution trace（ExecutionTraceObserver），不是性能 trace
reader-is-rocprof = 这是 rocprofv3 的结果，不是 trace
reader-is-notebook = 这是 Jupyter notebook，不是 trace
reader-list-of-lists = 这是列表的 JSON 列表，不是事件列表
reader-advice-sqlite = 数据库中只读取 Nsight Systems 的导出：nsys export --type sqlite FILE.nsys-rep
reader-advice-pickle = pickle 文件中只读取显存快照（torch.cuda.memory._dump_snapshot）和飞行记录器转储。
reader-advice-zip = 请解压，并指定其中的 trace。
reader-advice-zstd = 请先解压：zstd -d FILE
reader-advice-xz = 请先解压：xz -d FILE
reader-advice-bzip2 = 请先解压：bunzip2 FILE
reader-advice-parquet = 请指定它所来自的 trace。
reader-advice-program = 请指定 trace 文件。
reader-advice-utf16 = 请先转换为 UTF-8：iconv -f UTF-16 -t UTF-8 FILE
reader-advice-execution-trace = 请用 torch.profiler 与 export_chrome_trace 采集。
reader-advice-rocprof = 请用 torch.profiler 与 export_chrome_trace 采集。
reader-advice-notebook = 请指定 trace 文件。
reader-is-it-memory-timeline = 是 torch 的显存时间线吗？请指定 torch.profiler 的 trace。
reader-name-trace = 请指定 torch.profiler 的 trace（.json 或 .json.gz）。
reader-name-exported-trace = 请指定 torch.profiler 的 trace（export_chrome_trace）。
reader-nsys-report = 只有 Nsight Systems { $version } 或更新版本能读取该报告，而 PATH 中没有 nsys
reader-nsys-report-any = 只有 Nsight Systems 能读取其报告，而 PATH 中没有 nsys
reader-nsys-failed = nsys 无法导出它：需要 Nsight Systems { $version } 或更新版本
reader-nsys-failed-any = nsys 无法导出它
reader-database-damaged = 表 { $table } 已损坏：缺少部分行
reader-database-odd = 数据库的一部分已损坏：可能缺少行
reader-nsys-export = 在有 nsys 的机器上运行：nsys export --type sqlite FILE，然后在这里打开 .sqlite 文件。
reader-nsys-no-event = 其中没有 CUDA 或 NVTX 事件
reader-nsys-no-table = 文件夹中没有 Nsight Systems 的表
reader-nsys-record = 请用 nsys profile --trace cuda,nvtx 采集，然后重新导出。
reader-no-database = 不是 SQLite 数据库，或其表清单已损坏
reader-export-again = 请重新导出：nsys export --type sqlite --force-overwrite true FILE.nsys-rep
reader-database-cut = 文件比其声明的短：缺少部分行
reader-database-unfinished = 导出没有完成：更改还在旁边的文件中
reader-telemetry-no-sample = 其中没有任何计数器的采样
reader-telemetry-no-time = 采样没有时间
reader-telemetry-record = 请用 nvidia-smi --query-gpu=timestamp,index,power.draw,... --format=csv -l 1 或 nvidia-smi dmon -o DT 采集
reader-mindspore-damaged = 其中的文件都无法读取，包括 { $files }
reader-mindspore-empty = 其中没有可读取的 MindSpore 数据：没有时间线、算子、内核、迭代或队列
reader-mindspore-record = 请用 mindspore.profiler.profile 或 Profiler 采集，并指定它写出的目录
reader-ascend-damaged = 其中的文件都无法读取，包括 { $files }
reader-ascend-raw = 其中没有可读取的数据：采集的数据尚未解析，或解析没有写出文件
reader-ascend-analyse = 请在装有 torch_npu 或 MindSpore 的机器上用其 profiler.profiler 的 analyse(PATH) 解析，再重新打开
reader-unread-rocprof = 其中是 rocprofv3 的汇总或计数器，不读取：内核、拷贝与调用在以 _trace.csv 结尾的文件中
reader-unread-mindspore = 其中没有可读取的 MindSpore profiler 文件：不读取在 Ascend 上派生出的文件

## 损坏

reader-gzip-damaged = gzip 数据已损坏（{ $error }）
reader-gzip-cut-off = gzip 数据在结束标记之前中断
reader-end-missing = 缺少 JSON 对象的结尾
reader-list-not-closed = 事件列表没有结束
reader-damaged-behind-events = 事件之后的 JSON 已损坏
reader-something-follows = JSON 结束之后还有内容，没有读取
reader-stray-bytes = { $problem }；gzip 数据之后还有 { $stray } 个多余字节
reader-durations-impossible = 其事件的时长合计超过 { $years } 年
reader-store-lost = 其缓存已丢失或损坏，而文件此后又有改动
reader-open-again = 请重新打开。
reader-copy-again = 请重新复制或采集。
reader-record-again = 请重新采集或复制。
reader-was-it-stopped = profiler 是否正常停止？磁盘是否已满？
reader-was-a-step-recorded = 是否在录到一次迭代之前就停止了 profiler，或文件被截断？
reader-events-no-list = 其 traceEvents 不是列表
reader-keys = 其键为 { $names }
reader-no-keys = 没有可读的键
reader-head-damaged = JSON 在任何事件之前就已损坏（{ $keys }）
reader-head-cut-off = 文件在任何事件之前就已结束（{ $keys }）
reader-other-json = 这是不含 traceEvents 的 JSON（{ $keys }）
reader-no-event = 文件开头没有 trace 事件
reader-no-events = trace 中没有事件{ $reason ->
    [none] {""}
   *[other] （{ $reason }）
}
reader-no-entry-is-event = { $entries } 个条目中没有一个是 trace 事件（{ $damaged } 个损坏，{ $not_objects } 个不是对象，{ $without_phase } 个没有 phase）

## 任务

reader-connection-lost = 与负责读取的进程失去连接
reader-process-died = 读取它的进程多次异常退出；内存是否足够？
reader-no-memory = 内存不足，无法读取
reader-defect = stepscope 的缺陷，与 trace 无关：{ $type }
reader-cannot = 无法读取
reader-no-recording = 这不是记录文件

## 同一 rank 的多个文件

reader-superseded = rank { $rank } 也在 { $file } 中，{ $why }
reader-superseded-together = 后者与更多其他 rank 同时采集
reader-superseded-among = 后者所在文件夹有更多其他 rank
reader-superseded-later = 后者采集得更晚
reader-superseded-events = 后者包含更多事件
reader-superseded-name = 后者按名称排在前面
reader-first-run = 本机首次运行：正在编译，约半分钟，仅此一次

## 内核报告

reader-ncu-cut = 报告在一个数据块中间结束
reader-ncu-malformed = 报告已损坏：其后的内容无法读取
reader-ncu-other = 名称是 Nsight Compute 报告，但开头不是
reader-ncu-page-cut = 最后一行不完整
reader-ncu-source-page = 它是 Nsight Compute 的源代码页（--page source），不在读取之列
reader-ncu-open-report = 请直接打开报告（.ncu-rep）：kernel_lines 和 kernel_instructions 会显示该页的内容。
reader-ncu-no-kernel = 其中没有采集到的内核
reader-ncu-no-units = 它是 Nsight Compute 的 raw 页，但缺少给出单位的第二行
reader-ncu-export-again = 请重新导出全部行：ncu --import REPORT --csv --page raw
reader-ncu-profile-again = 请重新采集：ncu --set full -o kernels PROGRAM

## 显存快照

reader-snapshot-instruction = 这是一个含有指令 { $instruction } 的 pickle 文件，显存快照中没有这种指令；其中的内容均未执行
reader-snapshot-malformed = 这个 pickle 文件已损坏，或不是显存快照
reader-packets-broken = { NUMBER($packets) } 个数据包之后的内容不是数据包
reader-packets-cut = 最后一个数据包不完整
reader-rocm-no-event = 其中没有内核、拷贝、调用或区间
reader-rocm-record = 请用 rocprofv3 --hip-trace --kernel-trace --memory-copy-trace --marker-trace 采集。
reader-rocm-old = 这是旧的 ROCm 工具（rocmProfileData）的记录，不读取其中的表
reader-rocm-no-records = 其中没有可以读取的记录列表
reader-rocm-cut = 文件结尾缺失：这种 JSON 因此无法读取
reader-snapshot-cut = 文件结尾缺失{ $reason ->
    [none] {""}
   *[other] ：{ $reason }
}
reader-snapshot-memory = 读取它需要超过 { BYTES($most_bytes) } 的内存
reader-snapshot-other = 这是 pickle 文件，但不是显存快照
reader-snapshot-empty = 这个显存快照既没有段也没有历史：GPU 上没有分配过内存
reader-snapshot-repeated = 这个 pickle 文件多次引用同一个列表，显存快照不会这样
reader-snapshot-no-times = 其条目没有时间，无法只读取一段时间
reader-snapshot-advice = 请指定 torch.cuda.memory._dump_snapshot 写出的文件。

## 飞行记录器转储

reader-flight-instruction = 这是含有指令 { $instruction } 的 pickle 文件，飞行记录器转储不含该指令；其中的任何内容都没有被执行
reader-flight-other = 这是损坏的 pickle 或 JSON 文件，或者不是飞行记录器转储
reader-flight-damaged = 其 JSON 已损坏
reader-flight-cut = 文件结尾缺失{ $reason ->
    [none] {""}
   *[other] （{ $reason }）
}：这样的转储无法读取
reader-flight-large = 它比任何飞行记录器转储都大{ $most_bytes ->
    [none] {""}
   *[other] ，或者需要超过 { BYTES($most_bytes) } 的内存
}
reader-flight-empty = 这个飞行记录器转储既没有集合通信也没有进程组：该进程还没有通信过
reader-flight-advice = 请指定 torch.distributed 的飞行记录器写出的文件（TORCH_FR_DUMP_TEMP_FILE 加 rank）。

## NCCL Inspector 的日志

reader-inspector-empty = 其中没有任何一行说明某次集合通信的耗时
reader-inspector-advice = 请指定 NCCL Inspector 写出的日志（NCCL_INSPECTOR_DUMP_DIR）。

## torch.compile 的日志

reader-compile-empty = 其中没有任何一行是 torch.compile 的记录
reader-compile-advice = 请指定 torch.compile 写出的日志（TORCH_TRACE=文件夹）。

## Python 调用栈的采样

reader-samples-damaged = 文件已损坏，或不是调用栈文件
reader-samples-empty = 其中没有采样
reader-samples-advice = 请指定 py-spy record 写出的文件（-f speedscope、-f raw）。
