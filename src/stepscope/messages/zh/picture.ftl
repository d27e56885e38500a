### 图片的标题与标注。

picture-blocks = { $blocks } 个块
picture-by-entry = 历史条目的先后顺序：没有记录时间
picture-bands = 已分配显存按类别，rank { LABEL($rank) } { $device }：峰值 { BYTES($peak_bytes) }
picture-frames-left-out = 有 { $frames } 个过窄的帧未画出
picture-free = 空闲
picture-no-operator = （未记录算子）
picture-peak = 峰值时的显存，rank { LABEL($rank) } { $device }：{ BYTES($peak_bytes) }
picture-peak-how = 上方是最外层的源码行，下方是分配它的算子；宽度即其占用，颜色为其中最多的类别
picture-peak-nothing = 没有已知的显存
picture-peak-others = 另有 { $devices } 个峰值较低的设备未画出（--rank）
picture-rounding = 取整
picture-segments = 快照时的 { $segments } 个段，共 { BYTES($reserved_bytes) }
picture-segments-left-out = 另有 { $segments } 个段、共 { BYTES($left_bytes) } 未画出（见 memory_segments）
picture-segments-scale = 最大的在前，按比例；过窄的相邻块合并画出，颜色为其中最大的
picture-stream = 流 { LABEL($stream) }
picture-sweep = batch 大小 { $first } 至 { $last }：{ $best } 的每秒样本数最多
picture-sweep-left-out = 另有 { $sizes } 个更大的未画出
picture-sweep-lost = 内存不足
picture-sweep-memory = CUDA 分配器的峰值显存
picture-sweep-mfu = MFU：达到峰值的比例
picture-sweep-nothing = 没有任何 batch 大小放得进内存
picture-sweep-tflops = 达到的 TFLOP/s
picture-sweep-throughput = 每秒样本数
