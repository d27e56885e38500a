# 各表各列的中文名称与说明。
#
# column-表-列 先于各表共用的 column-列；说明为属性 .description。完整性由 tests/messages/test_column_words.py 检查。

## 多个表格共用的列

column-algbw = 算法带宽
    .description = GB/s（1e9 字节）：已匹配调用的字节 / 传输时间
column-blocked_calls = 被阻塞的调用
    .description = 被已满的队列阻塞的调用数
column-blocked_ns = 被阻塞
    .description = 队列已满时，调用比平常多花的时间
column-busbw = 总线带宽
    .description = 每条链路的 GB/s：算法带宽乘以操作的系数
column-calls = 次数
    .description = 调用次数
column-capacity_pct = 占设备显存
    .description = 占设备显存容量的比例；容量未知时为空
column-compute_ns = 计算
    .description = GPU 在计算
column-count = 出现次数
    .description = 出现次数
column-cut = 被截断
    .description = 1 表示该迭代被记录截断
column-device = 设备
    .description = 设备编号
column-device_self_ns = GPU 自身
    .description = 其中直接下发的 GPU 任务
column-device_total_ns = GPU 总计
    .description = 其中下发的全部 GPU 任务
column-flops = FLOPs
    .description = 浮点运算次数（由模型计算）；没有模型时为空
column-group = 进程组
    .description = 进程组的描述，否则为编号；未记录时为空
column-host_ns = CPU 时间
    .description = 在主机上的时间
column-in_graph = 在 CUDA 图中
    .description = 其中由 CUDA 图一并下发的个数
column-instances = 实例数
    .description = 该类的模块对象数
column-length = 内核数
    .description = 包含的内核数
column-matched_calls = 已匹配调用
    .description = 找到其他 rank 的调用数
column-max_ns = 最长
    .description = 最长时长
column-mean_ns = 平均
    .description = 总计 / 次数，取整
column-min_ns = 最短
    .description = 最短时长
column-module = 模块
    .description = 所在的 nn.Module 路径
column-of_kernels_pct = 占内核数
    .description = 占全部内核数量的比例
column-operator = 算子
    .description = 所在的算子
column-overlap_pct = 重叠率
    .description = 通信被计算掩盖的比例；没有通信时为空
column-rank = rank
    .description = 进程的 rank
column-ranks = rank 数
    .description = 进程组的 rank 数
column-roof = 适用峰值
    .description = 适用的算力峰值：bf16、tf32、fp32 等
column-shorter_than_launch = 短于下发
    .description = 其中时长短于下发它的调用的个数
column-slice = 时间片
    .description = 时间片编号
column-source = 源码行
    .description = 用户代码的文件与行号
column-span_ns = 跨度
    .description = 第一个任务开始到最后一个任务结束
column-stack = 调用栈
    .description = 用户代码的调用栈，最内层在前
column-step = 迭代
    .description = 迭代的编号
column-stream = 流
    .description = 流编号
column-thread = 线程
    .description = 线程
column-total_ns = 总计
    .description = 时长之和

## occurrences

column-occurrences-id = ID
    .description = 发现的标识，每次运行都相同
column-occurrences-title = 发现
    .description = 发现了什么
column-occurrences-occurrence = 序号
    .description = 在该 rank 上按时间排序的序号
column-occurrences-step = 迭代
    .description = 它开始时所在的迭代；在第一次迭代之前时为空
column-occurrences-start_ns = 开始
    .description = 开始时刻，按跟踪的时钟
column-occurrences-duration_ns = 时长
    .description = 持续时间
column-occurrences-name = 事件
    .description = 它所在的主机事件；位于事件之间时为空
column-occurrences-thread = 线程
    .description = 主机线程；慢 rank 的迟到没有线程
column-occurrences-of = 总数
    .description = 该 rank 上此发现的处数，包括未列出的

## findings

column-findings-id = ID
    .description = 发现的标识，每次运行都相同
column-findings-title = 发现
    .description = 发现了什么
column-findings-category = 类别
    .description = 瓶颈的类别
column-findings-severity = 严重程度
    .description = high（不少于迭代的 10 %）、medium、low（低于波动），或 note（没有可节省的时间）
column-findings-saving_low_ns = 节省（下限）
    .description = 每次迭代可节省时间的下限
column-findings-saving_ns = 节省
    .description = 每次迭代可节省的时间，已去除 profiler 开销；note 为空
column-findings-saving_high_ns = 节省（上限）
    .description = 每次迭代可节省时间的上限
column-findings-saving_pct = 节省比例
    .description = 可节省的时间占去除 profiler 开销后一次迭代的比例
column-findings-saving_low_pct = 节省比例（下限）
    .description = 节省比例的下限
column-findings-saving_high_pct = 节省比例（上限）
    .description = 节省比例的上限
column-findings-confidence = 置信度
    .description = high、medium 或 low
column-findings-confidence_reason = 置信理由
    .description = 为何是此置信度
column-findings-method = 方法
    .description = 节省是如何得出的
column-findings-advice = 修复建议
    .description = 应当怎么做
column-findings-unknown = 未知因素
    .description = 从记录中无法得知的内容
column-findings-what_if = 假设更改
    .description = `stepscope what-if` 中最接近该修复的更改；没有时为空
column-findings-evidence = 证据
    .description = 起始的文件与行，以及次数
column-findings-spent_ns = 耗时
    .description = 按记录，每次迭代为此花费的时间
column-findings-start_ns = 开始
    .description = 首个区间的起点；没有区间时为空
column-findings-end_ns = 结束
    .description = 该区间的终点
column-findings-ranks = rank 数
    .description = 出现此发现的 rank 数
    .description = 节省是否只是下限
column-findings-per_sample = 按样本
    .description = 节省是否针对每个样本的时间：迭代本身会变长
column-findings-largest = 最大
    .description = 在这些 rank 中节省是否最大：报告所显示的行
column-findings-change = 代码修改
    .description = 程序中要修改的行：先是改后，再是改前
column-findings-links = 文档
    .description = 文档页面，以空格分隔

## health

column-health-rank = rank
    .description = 进程的 rank；针对整个运行时为空
column-health-check = 检查项
    .description = 检查的内容
column-health-status = 状态
    .description = ok 正常、warning 警告或 error 错误
column-health-value = 结果
    .description = 检查结果
column-health-detail = 说明
    .description = 含义以及应当怎么做

## summary

column-summary-device = 设备
    .description = GPU 型号
column-summary-events = 事件数
    .description = 跟踪文件中的行数
column-summary-steps = 迭代数
    .description = 找到的迭代数
column-summary-busy_ns = GPU 忙碌
    .description = 全部 GPU 任务的并集
column-summary-idle_ns = GPU 空闲
    .description = 跨度减去忙碌
column-summary-compute_ns = 计算
    .description = 计算内核的并集
column-summary-communication_ns = 通信
    .description = 通信内核的并集
column-summary-exposed_communication_ns = 未掩盖的通信
    .description = 没有被计算掩盖的通信
column-summary-memory_ns = 内存拷贝与 memset
    .description = 内存拷贝与 memset 的并集
column-summary-exposed_memory_ns = 未掩盖的内存拷贝
    .description = 未被计算和通信掩盖的内存拷贝与 memset
column-summary-kernels = 内核数
    .description = 内核数，含通信
column-summary-memcpys = 内存拷贝数
    .description = 内存拷贝次数
column-summary-memsets = memset 数
    .description = memset 次数

## step_time

column-step_time-steps = 迭代数
    .description = 统计所用的迭代数
column-step_time-recorded_ns = 记录的时间
    .description = 按记录，一次迭代的时间
column-step_time-unprofiled_low_ns = 去除 profiler 开销，下限
    .description = 下一列估计范围的下限
column-step_time-unprofiled_ns = 去除 profiler 开销
    .description = 去除 profiler 开销后一次迭代的估计时间
column-step_time-unprofiled_high_ns = 去除 profiler 开销，上限
    .description = 估计范围的上限
column-step_time-measured_low_ns = 实测，下限
    .description = 下一列范围的下限
column-step_time-measured_ns = 实测
    .description = 未开启 profiler 时实测的迭代时间；记录中没有时为空
column-step_time-measured_high_ns = 实测，上限
    .description = 实测范围的上限
column-step_time-bound = 瓶颈
    .description = 迭代中占比最大的瓶颈：主机、数据加载、计算、通信或拷贝
column-step_time-host_pct = 主机瓶颈
    .description = 迭代中以主机为瓶颈的比例
column-step_time-data_loading_pct = 数据加载瓶颈
    .description = 迭代中以数据加载器为瓶颈的比例
column-step_time-compute_pct = 计算瓶颈
    .description = 迭代中以计算内核为瓶颈的比例
column-step_time-communication_pct = 通信瓶颈
    .description = 迭代中以通信为瓶颈的比例
column-step_time-copies_pct = 内存拷贝瓶颈
    .description = 迭代中以内存拷贝与 memset 为瓶颈的比例
column-step_time-host_speed = 主机速度
    .description = 相同事件的时间与校准主机上的时间之比；未知时为空

## steps

column-steps-start_ns = 开始
    .description = 主机区间的起点
column-steps-duration_ns = CPU 时长
    .description = 主机区间的长度
column-steps-device_end_ns = GPU 结束
    .description = 该迭代下发的最后一个 GPU 任务的结束
column-steps-lag_ns = GPU 滞后
    .description = GPU 比主机区间晚多久完成该迭代的任务
column-steps-period_ns = GPU 周期
    .description = 从上一迭代的 GPU 结束到本迭代的 GPU 结束：GPU 时钟上的迭代时间
column-steps-cut = 被截断
    .description = 迭代被记录的开始或结束截断
column-steps-communication_ns = 通信
    .description = 在通信，没有计算
column-steps-memcpy_ns = 内存拷贝
    .description = 有内存拷贝，没有以上各项
column-steps-memset_ns = memset
    .description = 在 memset，没有以上各项
column-steps-runtime_ns = 运行时调用
    .description = 主机上的 CUDA 或 HIP 调用，GPU 空闲
column-steps-data_loading_ns = 数据加载
    .description = 等待数据加载器，没有以上各项
column-steps-cpu_ns = CPU 算子
    .description = 主机上的算子，没有以上各项
column-steps-other_ns = 其他
    .description = 以上都不是：Python、其他库、等待

## step_trace

column-step_trace-step = 迭代
    .description = 迭代的编号；平均值为空
column-step_trace-clock = 时钟
    .description = gpu 或 host：划分的是谁的时间；recorder：采集工具给出的时间点
column-step_trace-steady = 计入平均
    .description = 既未被截断，也不是起点未知的第一次迭代
column-step_trace-passes = 反向次数
    .description = 迭代中的反向传播次数：梯度累积或多个损失时大于 1
column-step_trace-start_ns = 开始
    .description = 迭代在该时钟上的起点；平均值为空
column-step_trace-interval_ns = 间隔
    .description = 从起点到前向或反向的首次计算：数据加载、内存拷贝、梯度清零
column-step_trace-forward_backward_ns = 前向与反向
    .description = 从间隔结束到反向的最后一次计算结束
column-step_trace-forward_ns = 前向
    .description = 其中在反向传播之外的部分
column-step_trace-backward_ns = 反向
    .description = 其中在反向传播之内的部分
column-step_trace-tail_ns = 拖尾
    .description = 其余：剩余的梯度归约、裁剪、优化器
column-step_trace-total_ns = 总计
    .description = 整次迭代：间隔 + 前向与反向 + 拖尾
column-step_trace-interval_idle_ns = 间隔中 GPU 空闲
    .description = 间隔中 GPU 空闲的时间
column-step_trace-forward_backward_idle_ns = 前向与反向中 GPU 空闲
    .description = 前向与反向中 GPU 空闲的时间
column-step_trace-tail_idle_ns = 拖尾中 GPU 空闲
    .description = 拖尾中 GPU 空闲的时间
column-step_trace-loading_ns = 等待数据加载器
    .description = 间隔中主机等待数据加载器的时间
column-step_trace-first_forward = 首个前向
    .description = 结束间隔的算子，否则为内核
column-step_trace-last_backward = 末个反向
    .description = 拖尾开始之前的算子，否则为内核

## idle

column-idle-source = 源码行
    .description = 大部分时间来自的代码行；没有调用栈时为空
column-idle-previous_activity = 之前的任务
    .description = 间隙之前结束的 GPU 任务
column-idle-next_activity = 之后的任务
    .description = 间隙之后开始的 GPU 任务
column-idle-sync_ns = 同步
    .description = 间隙中同步的部分
column-idle-data_loading_ns = 数据加载
    .description = 间隙中等待数据加载器的部分
column-idle-communication_wait_ns = 等待通信
    .description = 间隙中等待通信的部分
column-idle-memory_copy_ns = 内存拷贝
    .description = 间隙中主机忙于内存拷贝与内存操作的部分
column-idle-host_late_ns = 下发过晚
    .description = 间隙中因主机下发过晚（主机瓶颈）的部分
column-idle-launch_latency_ns = 下发时延
    .description = 间隙中从下发到开始执行的部分
column-idle-dependency_ns = 内核之间
    .description = 间隙中已排队内核之间的部分
column-idle-unknown_ns = 未知
    .description = 间隙中未找到原因的部分
column-idle-cause = 原因
    .description = host_late 下发过晚、sync 同步、data_loading 数据加载、launch_latency 下发时延、memory_copy 拷贝等
column-idle-duration_ns = 空闲时间
    .description = 由该原因造成的空闲时间；间隙则为其长度
column-idle-share_pct = 占空闲
    .description = 占该 rank（或设备、流）全部空闲时间的比例
column-idle-gaps = 间隙数
    .description = 含有该原因的间隙个数
column-idle-host_event = CPU 活动
    .description = 大部分时间里主机在做什么
column-idle-per_step_ns = 每次迭代
    .description = 完整迭代的平均值，按 GPU 时钟；没有时为空
column-idle-longest_ns = 最长
    .description = 单个间隙中最长的一段
column-idle-micro_ns = < 10 us 的间隙中
    .description = 在短于 10 us 的间隙中的部分
column-idle-macro_ns = 更长的间隙中
    .description = 在更长的间隙中的部分
column-idle-start_ns = 开始
    .description = 含其最长一段的间隙的开始

## sync

column-sync-name = API
    .description = API
column-sync-waits_for = 等待对象
    .description = device、stream、event、copy 或 memory，有记录时注明流
column-sync-operator = 算子
    .description = 大部分时间所在的算子
column-sync-busy_ns = GPU 忙碌
    .description = 其中 GPU 在工作的时间
column-sync-idle_ns = GPU 空闲
    .description = 其中 GPU 空闲的时间
column-sync-mean_ns = 平均
    .description = CPU 时间 / 次数，取整
column-sync-max_ns = 最长
    .description = 最长的一次

## api_calls

column-api_calls-name = 函数
    .description = 函数名，不带版本号
column-api_calls-calls = 调用数
    .description = 调用数
column-api_calls-total_ns = 总计
    .description = 调用中的时间
column-api_calls-mean_ns = 平均
    .description = 平均值，取整
column-api_calls-median_ns = 中位数
    .description = 中位数；偶数个时取中间两个的平均，取整
column-api_calls-min_ns = 最短
    .description = 最短
column-api_calls-max_ns = 最长
    .description = 最长
column-api_calls-stddev_ns = 标准差
    .description = 样本标准差，取整；只有一次调用时为空

## os_runtime

column-os_runtime-name = 函数
    .description = 函数名，不带版本号
column-os_runtime-calls = 调用数
    .description = 调用数
column-os_runtime-total_ns = 总计
    .description = 调用中的时间
column-os_runtime-mean_ns = 平均
    .description = 平均值，取整
column-os_runtime-median_ns = 中位数
    .description = 中位数；偶数个时取中间两个的平均，取整
column-os_runtime-min_ns = 最短
    .description = 最短
column-os_runtime-max_ns = 最长
    .description = 最长
column-os_runtime-stddev_ns = 标准差
    .description = 样本标准差，取整；只有一次调用时为空

## cpu_samples

column-cpu_samples-name = 函数
    .description = 函数；没有符号时为 (unresolved)，没有调用栈时为 (unattributed)
column-cpu_samples-module = 模块
    .description = 函数所在的库或程序的名称
column-cpu_samples-samples = 采样数
    .description = 采样时正在执行它的次数
column-cpu_samples-share_pct = 占比
    .description = 上述采样占全部采样的比例
column-cpu_samples-total_samples = 采样数（含被调用者）
    .description = 采样时它正在执行，或在等待它所调用的函数的次数
column-cpu_samples-total_pct = 占比（含被调用者）
    .description = 上述采样占全部采样的比例
column-cpu_samples-rank = Rank
    .description = 进程的 rank
column-cpu_samples-process = 进程
    .description = 进程号
column-cpu_samples-thread = 线程
    .description = 线程号
column-cpu_samples-thread_name = 线程名
    .description = 线程的名称；未记录时为空

## thread_scheduling

column-thread_scheduling-rank = Rank
    .description = 进程的 rank
column-thread_scheduling-process = 进程
    .description = 进程号
column-thread_scheduling-thread = 线程
    .description = 线程号
column-thread_scheduling-thread_name = 线程名
    .description = 线程的名称；未记录时为空
column-thread_scheduling-running_ns = 运行
    .description = 在 CPU 上的时间
column-thread_scheduling-off_cpu_ns = 不在 CPU 上
    .description = 两次在 CPU 上之间的时间：被阻塞，或在等待 CPU
column-thread_scheduling-unknown_ns = 未知
    .description = 记录中缺少一次切换的时间
column-thread_scheduling-running_pct = 运行占比
    .description = 在 CPU 上的时间占三者之和的比例
column-thread_scheduling-switches = 上下文切换
    .description = 被换下 CPU 的次数
column-thread_scheduling-migrations = 迁移
    .description = 换到与之前不同的 CPU 的次数
column-thread_scheduling-longest_off_cpu_ns = 最长不在 CPU 上
    .description = 所选迭代中最长的一段不在 CPU 上的时间，取其全长

## page_faults

column-page_faults-side = 一侧
    .description = cpu 或 gpu：谁访问了位于另一侧的内存
column-page_faults-gpu = GPU
    .description = GPU 编号；CPU 一侧为空
column-page_faults-access = 访问
    .description = read、write、atomic、prefetch；未记录时为空字符串
column-page_faults-events = 事件
    .description = 记录的行数：GPU 一侧每行是一组缺页
column-page_faults-faults = 缺页数
    .description = 缺页数
column-page_faults-total_ns = 总计
    .description = 各组的时间；CPU 一侧没有时长记录，为空

## cuda_memory

column-cuda_memory-rank = Rank
    .description = 进程的 rank
column-cuda_memory-device = 设备
    .description = 分配所在上下文的 GPU 编号，主机内存也是如此
column-cuda_memory-kind = 类型
    .description = device、device-static、managed、managed-static、pinned、pageable、array；其他为 unknown
column-cuda_memory-allocations = 分配次数
    .description = 分配次数
column-cuda_memory-releases = 释放次数
    .description = 释放次数
column-cuda_memory-allocated_bytes = 已分配
    .description = 分配的总量
column-cuda_memory-released_bytes = 已释放
    .description = 释放的总量
column-cuda_memory-peak_bytes = 峰值
    .description = 自记录开始起，分配减去释放的最大值
column-cuda_memory-alive_bytes = 结束时存活
    .description = 结束时分配减去释放；释放的多于记录中分配的时为负

## memset

column-memset-memory = 内存
    .description = Device、Pinned、Managed 等；未记录时为空字符串
column-memset-calls = 次数
    .description = memset 次数
column-memset-bytes = 字节
    .description = 设置的字节数；没有记录大小时为空
column-memset-total_ns = 总计
    .description = 时长之和
column-memset-bandwidth = 带宽
    .description = 有大小的 memset 的 GB/s（1e9 字节）

## launches

column-launches-name = API
    .description = API；没有记录到下发调用的任务归入未归属一行 (unattributed)
column-launches-short_kernels = 短内核
    .description = 耗时超过所下发任务的调用数：主机跟不上 GPU
column-launches-launch_latency_p50_ns = 下发时延 p50
    .description = 从调用到任务开始，仅计流空闲时的调用：中位数
column-launches-queueing_p50_ns = 排队 p50
    .description = 排在先前任务之后的等待，仅计返回时流仍忙的调用：中位数
column-launches-host_wait_ns = 主机等待
    .description = 计入下发时延的流此前已空闲的总时间
column-launches-host_p50_ns = CPU 时间 p50
    .description = 调用时长的中位数
column-launches-launch_latency_p95_ns = 下发时延 p95
    .description = 第 95 百分位
column-launches-queueing_p95_ns = 排队 p95
    .description = 第 95 百分位
column-launches-blocked_ns = 队列满而阻塞
    .description = 队列已满时，调用比平常多花的时间
column-launches-on_idle_stream = 流空闲时的调用
    .description = 调用时流处于空闲的次数
column-launches-queued = 排队的调用
    .description = 返回时该流先前任务仍在运行的调用数
column-launches-launch_latency_max_ns = 下发时延最大
    .description = 最长
column-launches-queueing_max_ns = 排队最大
    .description = 最长
column-launches-host_mean_ns = CPU 时间平均
    .description = CPU 时间 / 次数，取整
column-launches-host_p95_ns = CPU 时间 p95
    .description = 第 95 百分位
column-launches-host_max_ns = CPU 时间最大
    .description = 最长的调用
column-launches-activities = GPU 任务数
    .description = 下发的 GPU 任务数：CUDA 图的一次调用有多个
column-launches-device_ns = GPU 时间
    .description = 这些任务的时长之和
column-launches-without_activity = 无任务的调用
    .description = 其任务没有被记录的调用数

## queue_depth

column-queue_depth-start_ns = 开始
    .description = 该时间段的开始
column-queue_depth-duration_ns = 时长
    .description = 该时间段的长度
column-queue_depth-launches = 下发数
    .description = 期间进入队列的下发数
column-queue_depth-depth_min = 最小深度
    .description = 等待任务数的最小值
column-queue_depth-depth_mean = 平均深度
    .description = 按时间平均
column-queue_depth-depth_max = 最大深度
    .description = 等待任务数的最大值
column-queue_depth-empty_ns = 队列为空
    .description = 没有任务等待的时间
column-queue_depth-full_ns = 队列已满
    .description = 至少有 1000 个任务等待的时间
column-queue_depth-blocked_calls = 被阻塞的调用
    .description = 期间开始、被已满队列阻塞的调用数

## critical_path

column-critical_path-start_ns = 开始
    .description = 该段的开始
column-critical_path-side = 位置
    .description = gpu、host、between（两者之间）或 unknown
column-critical_path-kind = 类别
    .description = compute、communication、memcpy、memset、gpu_gap、launch_latency、sync_return、runtime 等
column-critical_path-name = 名称
    .description = 内核、调用、算子或函数；间隙或时延则为其所在处的种类
column-critical_path-count = 段数
    .description = 路径上的段数
column-critical_path-duration_ns = 时长
    .description = 这些段的时间；一个 rank 全部行之和等于其迭代时间
column-critical_path-share_pct = 占比
    .description = 占该 rank 路径的比例，按迭代时占该迭代的比例

## operators

column-operators-shape = 输入形状
    .description = 输入张量的形状
column-operators-dtype = 输入类型
    .description = 输入张量的类型
column-operators-name = 算子
    .description = 算子
column-operators-host_self_ns = CPU 自身
    .description = 作为最内层算子在主机上的时间
column-operators-device_self_ns = GPU 自身
    .description = 由它直接下发的 GPU 任务
column-operators-device_total_ns = GPU 总计
    .description = 在它之内下发的 GPU 任务
column-operators-host_total_ns = CPU 总计
    .description = 在主机上的时间，含被调用者
column-operators-backward_host_ns = 反向 CPU
    .description = 其反向传播在主机上的时间
column-operators-backward_device_ns = 反向 GPU
    .description = 其反向传播下发的 GPU 任务
column-operators-flops = FLOPs
    .description = 由形状按模型算出的浮点运算次数；没有模型时为空
column-operators-tensor_core_pct = Tensor Core
    .description = GPU 时间中 Tensor Core 内核的比例
column-operators-device_share_pct = GPU 占比
    .description = 作为最内层算子，占全部 GPU 时间的比例
column-operators-tensor_core_self_pct = Tensor Core（自身）
    .description = 作为最内层算子的 GPU 时间中 Tensor Core 内核的比例
column-operators-tensor_core_eligible = 可用 Tensor Core
    .description = 能否在 Tensor Core 上运行；未知时为空

## annotations

column-annotations-name = 区间
    .description = 命名区间；所有迭代合为一行
column-annotations-calls = 次数
    .description = 同名区间的个数
column-annotations-host_total_ns = CPU 总计
    .description = 区间内的时间，按线程计
column-annotations-host_self_ns = CPU 自身
    .description = 区间内、但不在内层区间的时间
column-annotations-device_busy_ns = GPU 忙碌
    .description = 其中下发的 GPU 任务的并集
column-annotations-backward_ns = 反向 GPU
    .description = 区间内算子的反向任务，在别处下发
column-annotations-engine_ns = autograd 引擎 GPU
    .description = GPU 总计中由 autograd 引擎在该线程等待时下发的部分
column-annotations-kernels = 内核数
    .description = 其中下发的内核数，含通信
column-annotations-kind = 类别
    .description = 按名称：用户、迭代、优化器、数据加载、通信或框架
column-annotations-domain = 域
    .description = 区间的 NVTX 域；默认域以及其他采集工具为空

## modules

column-modules-name = 模块
    .description = 类名与编号，按首次调用的顺序
column-modules-path = 路径
    .description = 首次调用时外层的模块及其自身
column-modules-calls = 次数
    .description = 调用次数，含重计算
column-modules-host_total_ns = CPU 总计
    .description = 其调用在主机上的时间
column-modules-host_self_ns = CPU 自身
    .description = 其中不在其他模块调用之内的时间
column-modules-device_total_ns = GPU 总计
    .description = 其调用及反向传播的 GPU 任务
column-modules-device_self_ns = GPU 自身
    .description = 其中不属于内部模块的部分
column-modules-forward_device_ns = 前向 GPU
    .description = 总计中由调用下发的部分
column-modules-backward_device_ns = 反向 GPU
    .description = 总计中由反向传播下发的部分
column-modules-recompute_device_ns = 重计算 GPU
    .description = 反向传播中重做的前向计算（激活检查点）
column-modules-backward_host_ns = 反向 CPU
    .description = 其反向传播的算子在主机上的时间

## flame_graph

column-flame_graph-frame = 栈帧
    .description = 栈帧编号，深度优先
column-flame_graph-parent = 外层栈帧
    .description = 外层的栈帧；最外层为空
column-flame_graph-depth = 深度
    .description = 外层的栈帧数
column-flame_graph-name = 栈帧名称
    .description = Python 函数、模块、区间或算子
column-flame_graph-kind = 类型
    .description = python、module、annotation 或 operator
column-flame_graph-calls = 次数
    .description = 主机上带有该调用栈的调用次数
column-flame_graph-host_total_ns = CPU 总计
    .description = 其内的主机时间，按线程累计
column-flame_graph-host_self_ns = CPU 自身
    .description = 作为最内层栈帧的主机时间
column-flame_graph-device_total_ns = GPU 总计
    .description = 其内下发的 GPU 任务，含其反向传播
column-flame_graph-device_self_ns = GPU 自身
    .description = 其中不属于更内层栈帧的部分
column-flame_graph-host_pct = 占 CPU 时间
    .description = CPU 总计占所有栈帧 CPU 时间的比例
column-flame_graph-device_pct = 占 GPU 时间
    .description = GPU 总计占全部 GPU 时间的比例
column-flame_graph-frames = 栈帧数
    .description = 其内的栈帧数，含自身

## instances

column-instances-kind = 类型
    .description = kernel、memcpy、memset、operator、annotation、call（CUDA API）或 function（Python）
column-instances-name = 名称
    .description = 其名称
column-instances-step = 迭代
    .description = 开始时所在的迭代，GPU 任务为下发时所在的迭代；不在任何迭代中时为空
column-instances-start_ns = 开始
    .description = 开始的时刻
column-instances-duration_ns = 时长
    .description = 持续的时间
column-instances-of_median_pct = 相对中位数
    .description = 时长占同名实例中位数的百分比
column-instances-outlier = 离群
    .description = 长于中位数的 1.5 倍，且比上四分位数长出 3 个四分位距以上；实例少于 8 个时为空
column-instances-thread = 线程
    .description = 主机的线程
column-instances-stream = 流
    .description = GPU 的流
column-instances-number = 序号
    .description = 在该 rank 同名实例中按开始时刻的序号

## durations

column-durations-kind = 类型
    .description = kernel、memcpy、memset、operator、annotation、call（CUDA API）或 function（Python）
column-durations-name = 名称
    .description = 其名称
column-durations-calls = 实例数
    .description = 实例数
column-durations-p25_ns = 下四分位数
    .description = 下四分位数
column-durations-median_ns = 中位数
    .description = 中位数
column-durations-p75_ns = 上四分位数
    .description = 上四分位数
column-durations-p90_ns = 第 90 百分位
    .description = 第 90 百分位数
column-durations-p99_ns = 第 99 百分位
    .description = 第 99 百分位数
column-durations-outliers = 离群实例
    .description = 表 instances 标记的离群实例数；实例少于 8 个时为空
column-durations-steps = 迭代数
    .description = 出现于多少次迭代
column-durations-step_min_ns = 迭代最少
    .description = 单次迭代中最少的时间
column-durations-step_median_ns = 迭代中位数
    .description = 各迭代时间的中位数
column-durations-step_max_ns = 迭代最多
    .description = 单次迭代中最多的时间
column-durations-step = 迭代
    .description = 开始时所在的迭代
column-durations-from_ns = 自
    .description = 该区间的最短时长
column-durations-to_ns = 至
    .description = 该区间的终点，不含

## utilization

column-utilization-gpu_util_pct = GPU 利用率
    .description = GPU 忙碌：有任何任务在运行的时间比例
column-utilization-sm_efficiency_pct = SM 效率（估计）
    .description = 估计值：有计算内核线程块的 SM 比例，对时间平均
column-utilization-occupancy_pct = 占用率（估计）
    .description = profiler 的估计，对有该值的计算内核按时长加权平均
column-utilization-tensor_core_pct = Tensor Core
    .description = 计算内核时间中 Tensor Core 内核的比例
column-utilization-tensor_core_eligible_pct = Tensor Core（可用者中）
    .description = 同上，仅限可在 Tensor Core 上运行的算子的内核
column-utilization-compute_pct = 计算
    .description = 有计算内核在运行的时间比例
column-utilization-communication_pct = 通信
    .description = 有通信内核在运行的时间比例
column-utilization-memory_pct = 内存拷贝与 memset
    .description = 有内存拷贝或 memset 在运行的时间比例
column-utilization-time_ns = 时间
    .description = 所统计的时间：GPU 时钟上的迭代
column-utilization-sm_coverage_pct = SM 效率覆盖率
    .description = 计算内核时间中记录了每 SM 线程块数的比例
column-utilization-occupancy_coverage_pct = 占用率覆盖率
    .description = 计算内核时间中记录了占用率的比例
column-utilization-device = 设备
    .description = GPU 型号
column-utilization-sms = SM 数
    .description = GPU 的流多处理器数（AMD：计算单元）
column-utilization-device_memory_bytes = 设备显存
    .description = GPU 的显存容量
column-utilization-compute_capability = 计算能力
    .description = CUDA 计算能力（AMD：架构版本）

## kernels

column-kernels-name = 内核
    .description = 内核
column-kernels-calls = 次数
    .description = 下发次数
column-kernels-share_pct = 占比
    .description = 占全部内核时间的比例
column-kernels-kind = 类别
    .description = 用途：gemm、attention、conv、norm 等，communication 或 other
column-kernels-op = 算子
    .description = 占其大部分时间的算子；在 CUDA 图中为下发它的调用
column-kernels-grid = 网格
    .description = 占其大部分时间的下发网格
column-kernels-block = 线程块
    .description = 该下发的线程块
column-kernels-blocks_per_sm = 每 SM 线程块
    .description = 按时长加权的平均值
column-kernels-occupancy_pct = 占用率
    .description = profiler 估计的占用率，按时长加权平均
column-kernels-registers = 寄存器
    .description = 该下发每线程的寄存器数
column-kernels-shared_bytes = 共享内存
    .description = 该下发每线程块的共享内存
column-kernels-tensor_core = Tensor Core
    .description = 按名称判断是否在 Tensor Core 上运行
column-kernels-estimated_occupancy_pct = 估计占用率
    .description = 占用率；profiler 记录为 0 处重新估计
column-kernels-occupancy_limit = 受限于
    .description = 限制因素：寄存器、共享内存、线程、线程块或网格
column-kernels-source = 源码
    .description = 编译生成的内核：模型的代码行，否则为生成代码的文件

## short_kernels

column-short_kernels-op = 算子
    .description = 下发它的算子
column-short_kernels-name = 内核
    .description = 内核
column-short_kernels-kind = 类别
    .description = 用途：gemm、attention、conv、norm 等，communication 或 other
column-short_kernels-calls = 次数
    .description = 短于 10 us 的内核数
column-short_kernels-share_pct = 占内核时间
    .description = 占全部内核时间的比例
column-short_kernels-launch_ns = 下发的 CPU 时间
    .description = 下发它们的调用在主机上的时间，不含图下发

## kernel_lengths

column-kernel_lengths-from_ns = 从
    .description = 该档的最短时长
column-kernel_lengths-to_ns = 到
    .description = 该档的上限（不含）；最后一档为空
column-kernel_lengths-calls = 内核数
    .description = 内核数
column-kernel_lengths-share_pct = 占时间
    .description = 占全部内核时间的比例

## iterations

column-iterations-phase = 阶段
    .description = prefill（预填充）、decode（解码）、mixed（混合），或服务给出的其他名称
column-iterations-steps = 迭代数
    .description = 迭代数
column-iterations-requests = 请求数
    .description = 其中的请求数，每次迭代各计一次
column-iterations-tokens = token 数
    .description = 新的 token，含提示与回答；服务未给出时为空
column-iterations-batch = 批大小
    .description = 每次迭代平均的请求数
column-iterations-duration_ns = 时间
    .description = 迭代在 GPU 时间线上的时间；首次迭代的时间未知
column-iterations-per_token_ns = 每个 token
    .description = 时间已知的迭代：时间 / token 数
column-iterations-busy_pct = GPU 忙碌
    .description = 这段时间内 GPU 忙碌的比例

## graphs

column-graphs-start_ns = 开始
    .description = 其首个任务的开始
column-graphs-latency_ns = 下发时延
    .description = 从下发调用到重放的首个任务
column-graphs-kernel = 内核
    .description = 图中的内核
column-graphs-graph = 图
    .description = 图的编号，按 GPU 时间排序
column-graphs-name = API
    .description = 下发它的调用
column-graphs-calls = 重放次数
    .description = 重放次数
column-graphs-kernels = 内核数
    .description = 一次重放的内核数
column-graphs-copies = 内存拷贝与 memset
    .description = 一次重放的内存拷贝与 memset 数
column-graphs-total_ns = 总计
    .description = 其执行的全部任务的时长之和
column-graphs-share_pct = 占 GPU 时间
    .description = 占全部 GPU 任务时长的比例
column-graphs-span_ns = 跨度
    .description = 每次重放从首个开始到最后结束，求和
column-graphs-gap_ns = 间隙
    .description = 跨度减去忙碌：重放中没有任务运行
column-graphs-launch_ns = 下发的 CPU 时间
    .description = 下发它的调用在主机上的时间
column-graphs-heaviest = 最耗时的内核
    .description = 占其大部分时间的内核
column-graphs-busy_ns = 忙碌
    .description = 每次重放的任务并集，求和
column-graphs-graph_id = 图 ID
    .description = 记录中的编号；没有时为空

## memcpy

column-memcpy-kind = 方向
    .description = HtoD、DtoH、DtoD、HtoH、PtoP 或未知
column-memcpy-pinned = 主机内存
    .description = 锁页（pinned）、可分页（pageable）、统一内存（managed）；不适用或未记录时为空
column-memcpy-calls = 次数
    .description = 内存拷贝次数
column-memcpy-bytes = 字节
    .description = 拷贝的字节；全部未记录时为空
column-memcpy-bandwidth = 带宽
    .description = GB/s（1e9 字节），仅计有大小的内存拷贝

## communication

column-communication-call_bytes = 消息大小
    .description = 一次调用的字节
column-communication-op = 操作
    .description = 集合通信或消息：all_reduce、all_gather 等；无从得知时为内核名
column-communication-dtype = 数据类型
    .description = 元素的类型
column-communication-calls = 次数
    .description = 内核数，含全部 rank
column-communication-bytes = 字节
    .description = 输入与输出中较大者的字节，全部调用之和；全部未记录时为空
column-communication-total_ns = 总计
    .description = 时长之和，含等待其他 rank
column-communication-wait_ns = 等待
    .description = 总计中，等待最晚到达的 rank
column-communication-transfer_ns = 传输
    .description = 总计中，若所有 rank 都像最晚的一样到达，仍会剩下的部分
column-communication-busbw = 总线带宽
    .description = 每条链路的 GB/s：算法带宽乘以操作的系数，同 NCCL 测试
column-communication-exposed_ns = 未掩盖
    .description = 其中同一 rank 没有计算的部分
column-communication-min_ns = 最短
    .description = 最短：等待最少
column-communication-unmatched_ns = 未匹配
    .description = 总计中，没有找到其他 rank 的调用：等待与传输未知
column-communication-exposed_wait_ns = 未掩盖的等待
    .description = 未掩盖部分中的等待
column-communication-share_pct = 占比
    .description = 占全部通信时间的比例
column-communication-sized_calls = 有大小的调用
    .description = 记录了大小的调用数

## message_sizes

column-message_sizes-op = 操作
    .description = 集合通信或消息
column-message_sizes-from_bytes = 起始大小
    .description = 最小的大小：2 的幂或 0；未记录大小的调用为空
column-message_sizes-below_bytes = 小于
    .description = 大小小于此值
column-message_sizes-calls = 次数
    .description = 所有 rank 的内核数
column-message_sizes-calls_pct = 次数占比
    .description = 占全部调用的比例
column-message_sizes-bytes = 字节
    .description = 所有调用中输入与输出较大者之和
column-message_sizes-total_ns = 总计
    .description = 时长之和，含等待其他 rank
column-message_sizes-transfer_ns = 传输
    .description = 其中传输的部分；没有调用找到对应内核时为空
column-message_sizes-transfer_pct = 传输占比
    .description = 占全部传输时间的比例

## collectives

column-collectives-collective = 序号
    .description = 按首个到达的时间编号
column-collectives-step = 迭代
    .description = 下发它的迭代；未知时为空
column-collectives-op = 操作
    .description = all_reduce、all_gather 等，或 send_recv
column-collectives-dtype = 数据类型
    .description = 元素的类型
column-collectives-call_bytes = 消息大小
    .description = 一个 rank 上输入与输出中较大者；未记录时为空
column-collectives-matched = 已匹配 rank
    .description = 找到其内核的 rank 数
column-collectives-start_ns = 首个到达
    .description = 最早到达的时刻
column-collectives-end_ns = 最后结束
    .description = 最后结束的时刻
column-collectives-first_rank = 最早的 rank
    .description = 最早到达的 rank
column-collectives-last_rank = 最晚的 rank
    .description = 最晚到达的 rank；难分先后时取内核最短者
column-collectives-skew_ns = 到达差
    .description = 最晚到达减最早到达
column-collectives-transfer_ns = 传输
    .description = 最晚到达的 rank 所见：其内核的时长
column-collectives-wait_ns = 等待
    .description = 其他 rank 的内核多出的时长之和
column-collectives-lateness_ns = 迟到时间
    .description = 若最晚的 rank 自身不耽搁，可提前多少开始；未知时为空
column-collectives-end_spread_ns = 结束差
    .description = 最晚结束减最早结束
column-collectives-algbw = 算法带宽
    .description = GB/s（1e9 字节）：字节 / 传输时间

## stragglers

column-stragglers-rank = rank
    .description = rank
column-stragglers-verdict = 结论
    .description = straggler 或空
column-stragglers-lateness_ns = 迟到时间
    .description = 每次迭代中，集合通信仅因该 rank 自身的工作而推迟的时间
column-stragglers-lateness_pct = 迟到占比
    .description = 占作业迭代时间的比例
column-stragglers-late_steps = 迟到的迭代
    .description = 被它拖慢、超出波动的迭代数
column-stragglers-steps = 迭代数
    .description = 能够判断的迭代数
column-stragglers-cause = 原因
    .description = 迟到之前它比其他 rank 多做了什么；未迟到时为空
column-stragglers-detail = 细节
    .description = 具体的内核、区间或调用
column-stragglers-votes = 票数
    .description = 被它推迟的集合通信数
column-stragglers-collectives = 集合通信数
    .description = 能够判断的集合通信数
column-stragglers-cause_pct = 原因解释的比例
    .description = 该原因解释的迟到比例
column-stragglers-uncertainty_ns = 不确定度
    .description = 每次迭代中处于波动之内的迟到

## rank_waits

column-rank_waits-rank = rank
    .description = 等待的 rank
column-rank_waits-for_rank = 等待的 rank
    .description = 最晚到达的 rank
column-rank_waits-collectives = 集合通信数
    .description = 集合通信数
column-rank_waits-wait_ns = 等待
    .description = 全部迭代中的等待
column-rank_waits-exposed_wait_ns = 未掩盖的等待
    .description = 其中没有计算的部分

## rank_matrix

column-rank_matrix-rank = rank
    .description = rank
column-rank_matrix-duration_ns = 迭代时间
    .description = GPU 时钟上的迭代：随后七部分之和
column-rank_matrix-compute_ns = 计算
    .description = 计算内核
column-rank_matrix-exposed_wait_ns = 未掩盖的等待
    .description = 通信内核在等待其他 rank，且没有计算
column-rank_matrix-exposed_transfer_ns = 未掩盖的传输
    .description = 通信内核在传输，且没有计算
column-rank_matrix-exposed_unmatched_ns = 未掩盖的未匹配
    .description = 无法区分等待与传输的通信，且没有计算
column-rank_matrix-exposed_memory_ns = 未掩盖的内存拷贝
    .description = 未掩盖的内存拷贝与 memset
column-rank_matrix-idle_ns = GPU 空闲
    .description = 没有任何任务
column-rank_matrix-communication_ns = 通信
    .description = 全部通信，无论是否被掩盖
column-rank_matrix-lateness_ns = 迟到时间
    .description = 集合通信仅因该 rank 自身的工作而推迟的时间
column-rank_matrix-own_ns = 不含等待
    .description = 时长减未掩盖的等待：没有慢 rank 时该迭代的时间

## job

column-job-step = 迭代
    .description = 迭代的编号；首行为各迭代的平均，此处为空
column-job-ranks = rank 数
    .description = 有该迭代的 rank 数
column-job-duration_ns = 迭代时间
    .description = 作业的迭代：各 rank 中最长的
column-job-best_rank = 最快的 rank
    .description = 不计等待时迭代最短的 rank
column-job-best_ns = 最快 rank 的迭代
    .description = 该迭代的时间
column-job-exposed_wait_ns = 未掩盖的等待
    .description = 等待其他 rank
column-job-exposed_transfer_ns = 未掩盖的传输
    .description = 传输数据
column-job-waited_for = 被等待最久的 rank
    .description = 其他 rank 等待它的时间最长
column-job-waited_for_pct = 占等待时间
    .description = 等待它的时间占全部等待的比例
column-job-slowest_rank = 最慢的 rank
    .description = 不计等待时迭代最长的 rank
column-job-slowest_ns = 最慢 rank 的迭代
    .description = 该迭代的时间
column-job-exposed_communication_ns = 未掩盖的通信
    .description = 各 rank 的平均：等待、传输与未匹配
column-job-exposed_unmatched_ns = 未掩盖的未匹配
    .description = 其中无法区分等待与传输的部分

## links

column-links-src = 源 rank
    .description = 发送的 rank；两个 rank 的进程组中为第一个
column-links-dst = 目标 rank
    .description = 接收的 rank；两个 rank 的进程组中为第二个
column-links-kind = 操作
    .description = send_recv，或两个 rank 的进程组的操作
column-links-machines = 机器
    .description = same（同一台）、different（不同），文件未说明时为空
column-links-calls = 次数
    .description = 两个 rank 之间的消息或集合通信数
column-links-bytes = 字节
    .description = 其字节；均未记录时为空
column-links-transfer_ns = 传输
    .description = 最晚到达的 rank 所见
column-links-bandwidth = 带宽
    .description = 有大小的调用的 GB/s（1e9 字节），含操作的系数
column-links-compared_links = 比较的链路
    .description = 种类、机器与大小相同的链路数
column-links-of_median_pct = 相对中位数
    .description = 带宽占这些链路中位数的比例；少于三条时为空
column-links-verdict = 结论
    .description = slow（慢）或空

## pipeline

column-pipeline-rank = rank
    .description = rank
column-pipeline-stage = 阶段
    .description = 流水线的阶段，从 0 起；消息无法说明时为空
column-pipeline-stages = 阶段数
    .description = 该流水线的阶段数
column-pipeline-microbatches = 微批次数
    .description = 来自前一阶段的消息数；第一阶段为发往后一阶段的消息数
column-pipeline-duration_ns = 迭代时间
    .description = GPU 时钟上的迭代：随后七部分之和
column-pipeline-compute_ns = 计算
    .description = 计算内核
column-pipeline-message_wait_ns = 等待消息
    .description = 消息在等待另一阶段，且没有计算
column-pipeline-message_transfer_ns = 传输消息
    .description = 消息在传输，且没有计算
column-pipeline-communication_ns = 其他通信
    .description = 其他通信，且没有计算
column-pipeline-memory_ns = 未掩盖的内存拷贝
    .description = 未掩盖的内存拷贝与 memset
column-pipeline-idle_ns = GPU 空闲
    .description = 迭代的第一条与最后一条消息之间没有任何任务
column-pipeline-other_idle_ns = 其余空闲
    .description = 第一条消息之前或最后一条之后没有任何任务
column-pipeline-bubble_ns = 气泡
    .description = 等待消息加空闲：微批次之间无可计算
column-pipeline-bubble_pct = 气泡占比
    .description = 占迭代时间的比例
column-pipeline-ideal_pct = 理想气泡占比
    .description = 各阶段相同、不交错的调度的气泡

## experts

column-experts-members = 成员
    .description = 记录的 rank
column-experts-rank = rank
    .description = rank
column-experts-calls = 次数
    .description = all-to-all 调用数
column-experts-matched_calls = 已匹配次数
    .description = 找到其他 rank 的调用数
column-experts-sent_elements = 发送元素
    .description = 输入的元素，含留在本 rank 的部分
column-experts-received_elements = 接收元素
    .description = 输出的元素
column-experts-load_elements = 负载
    .description = 每次调用不均一侧的元素：该 rank 的专家所处理的
column-experts-load_pct = 相对负载
    .description = 占组内各 rank 平均负载的比例；100 为均衡
column-experts-imbalance = 不均衡
    .description = 组内最大负载 / 平均：1 为均衡；同组各行相同
column-experts-call_imbalance = 逐次不均衡
    .description = 每次调用的不均衡，按平均加权：不会相互抵消

## clocks

column-clocks-rank = rank
    .description = rank
column-clocks-host = 机器
    .description = 由文件名或设备得知的机器
column-clocks-offset_ns = 偏移
    .description = 从该 rank 的时间中减去，即得作业时钟上的时间（记录中点处）
column-clocks-drift_ppm = 漂移 ppm
    .description = 其时钟快多少；无法得知时为空
column-clocks-uncertainty_ns = 不确定度
    .description = 偏移所在范围的一半
column-clocks-collectives = 集合通信数
    .description = 估计所用的集合通信数
column-clocks-method = 方法
    .description = 如何得到

## roofline

column-roofline-op = 算子
    .description = 任务所属的算子：下发处最内层的有模型的算子
column-roofline-shapes = 形状
    .description = 其张量
column-roofline-dtype = 数据类型
    .description = 计算所用的类型
column-roofline-calls = 次数
    .description = 下发了任务的调用数
column-roofline-total_ns = GPU 时间
    .description = GPU 时长之和
column-roofline-pct_of_roof = 达到屋顶线的比例
    .description = 按峰值所需的最短时间 / GPU 时间；数据来自缓存时可超过 100
column-roofline-bound = 受限于
    .description = 计算、访存、缓存、时延、通信或传输；没有模型或峰值时为空
column-roofline-share_pct = 占比
    .description = 占全部 GPU 时间的比例
column-roofline-kind = 类别
    .description = gemm、conv、attention、norm、elementwise、copy 等；没有模型时为空
column-roofline-bytes = 最少访存
    .description = 最少访存量：每个输入读一次，每个结果写一次
column-roofline-intensity = 计算强度
    .description = 每字节的 FLOPs
column-roofline-achieved_flops = 实际 FLOP/s
    .description = GPU 时间内每秒的 FLOPs
column-roofline-achieved_bandwidth = 实际带宽
    .description = 最少访存量 / GPU 时间，每秒字节
column-roofline-ideal_ns = 屋顶线下限
    .description = 峰值所允许的最短时间；未知时为空
column-roofline-gap_ns = 高于屋顶线的时间
    .description = 有模型的调用超出最短时间的 GPU 时间
column-roofline-modelled_pct = 有模型的占比
    .description = 该行 GPU 时间中有模型的调用的比例

## mfu

column-mfu-time_ns = 迭代时间
    .description = GPU 时钟上的迭代
column-mfu-flops = FLOPs
    .description = 已执行的矩阵乘、卷积与注意力的 FLOPs
column-mfu-recomputed_flops = 重计算 FLOPs
    .description = 其中在反向中重复的部分（激活检查点）
column-mfu-achieved_flops = 实际 FLOP/s
    .description = 迭代时间内每秒的 FLOPs
column-mfu-roof = 适用峰值
    .description = 大部分运算适用的峰值
column-mfu-peak_flops = 峰值 FLOP/s
    .description = 该峰值，每秒 FLOPs
column-mfu-mfu_pct = MFU
    .description = 模型算力利用率：不含重复计算
column-mfu-hfu_pct = HFU
    .description = 硬件算力利用率：含全部已执行的计算
column-mfu-modelled_pct = 有模型的占比
    .description = 矩阵内核时间中有模型的比例；低于 100 时实际利用率更高

## data_loading

column-data_loading-fetches = 请求的批次
    .description = 执行迭代的线程请求的批次数
column-data_loading-wait_ns = 等待
    .description = 该线程等待批次的时间
column-data_loading-exposed_ns = 未掩盖的等待
    .description = 等待中 GPU 无事可做的部分；没有 GPU 任务时为全部
column-data_loading-hidden_ns = 被掩盖的等待
    .description = 其余：GPU 仍有任务，或取数本身在等待 GPU
column-data_loading-calls_ns = 被自身调用掩盖
    .description = 被掩盖部分中取数自身的 CUDA 或 HIP 调用：阻塞的拷贝在其中等待先前的任务
column-data_loading-share_pct = 占比
    .description = 未掩盖部分占迭代时间的比例，两边都不含轮次切换
column-data_loading-empty = 未预取到
    .description = 没有现成批次的请求：超过 2 ms 且超过迭代中位数的 5 %
column-data_loading-workers = 加载方式
    .description = 多进程、单进程；加载器名称看不出时为空
column-data_loading-verdict = 结论
    .description = 瓶颈所在：处理、交接、传输，或不是问题
column-data_loading-handover_ns = 交接
    .description = 等待中工作进程已备好批次的部分；没有调用栈时为空
column-data_loading-epoch_ns = 轮次边界
    .description = 从请求不到批次到下一轮的第一个批次
column-data_loading-idle_ns = GPU 空闲
    .description = 每次取数到其后首个任务之间 GPU 的空闲；没有 GPU 任务时为空
column-data_loading-h2d_bytes = HtoD
    .description = 该迭代从主机拷到 GPU 的字节；未记录大小时为空
column-data_loading-h2d_pageable_bytes = HtoD 可分页
    .description = 其中来自可分页内存的字节；未记录类型时为空
column-data_loading-h2d_copy_ns = HtoD 时间
    .description = 有这类内存拷贝在进行的时间
column-data_loading-h2d_exposed_ns = HtoD 未掩盖
    .description = 其中没有计算的时间
column-data_loading-h2d_host_ns = HtoD CPU 时间
    .description = 主机在发起内存拷贝的算子或调用中的时间
column-data_loading-step_ns = 迭代时间
    .description = 迭代在主机上的长度；取数在前时把它算在内

## memory

column-memory-name = 算子
    .description = 算子
column-memory-device = 设备
    .description = cpu、cuda:0 等
column-memory-allocations = 分配次数
    .description = 其中的分配次数，含被调用者
column-memory-allocated_bytes = 分配
    .description = 其中分配的字节之和，含被调用者
column-memory-self_allocated_bytes = 自身分配
    .description = 算子自身分配的字节之和
column-memory-increase_bytes = 净增
    .description = 其中分配减去释放，含被调用者
column-memory-self_increase_bytes = 自身净增
    .description = 算子自身分配减去释放
column-memory-self_allocations = 自身分配次数
    .description = 算子自身的分配次数

## memory_peak

column-memory_peak-device = 设备
    .description = cpu、cuda:0 等
column-memory_peak-op = 算子
    .description = 分配它的算子；aten::empty 之类归于其调用者
column-memory_peak-source = 源码行
    .description = 用户代码的行，反向算子取其前向的行；没有调用栈时为空
column-memory_peak-blocks = 块数
    .description = 存活的分配数；未逐个记录时为空
column-memory_peak-alive_bytes = 存活
    .description = 峰值时存活的字节；一个设备全部行之和为已分配总量
column-memory_peak-share_pct = 占比
    .description = 占峰值时已分配总量的比例
column-memory_peak-kept_bytes = 从未释放
    .description = 其中直到记录结束仍未释放的字节
column-memory_peak-at_ns = 峰值时刻
    .description = 该设备达到峰值的时刻
column-memory_peak-category = 类别
    .description = 用途：参数、梯度、激活值等；trace 的事件为空
column-memory_peak-lines = 调用路径
    .description = 用户代码的行，最内层在前

## memory_timeline

column-memory_timeline-device = 设备
    .description = cpu、cuda:0 等
column-memory_timeline-at_ns = 时刻
    .description = 变化的时刻
column-memory_timeline-change_bytes = 变化
    .description = 分配为正、释放为负；每个设备的第一行为 0
column-memory_timeline-allocated_bytes = 已分配
    .description = 从此刻起已分配的字节
column-memory_timeline-reserved_bytes = 已预留
    .description = PyTorch 缓存分配器持有的字节，无论是否已分配；未记录时为空
column-memory_timeline-peak = 峰值
    .description = 该设备已分配量首次达到最大的时刻
column-memory_timeline-point = 时刻编号
    .description = 时刻的编号，同 memory_categories --by point
column-memory_timeline-active_bytes = 活跃
    .description = 已分配的，加上已释放但仍被流使用的字节；未记录时为空
column-memory_timeline-event = 事件
    .description = 显存快照中的条目编号；trace 以及每个设备的第一行为空

## memory_events

column-memory_events-device = 设备
    .description = cpu、cuda:0 等
column-memory_events-op = 算子
    .description = 分配它的算子，同“峰值时的显存”；未记录时为空
column-memory_events-bytes = 大小
    .description = 大小
column-memory_events-start_ns = 分配时刻
    .description = 分配的时刻；未记录时为空
column-memory_events-end_ns = 释放时刻
    .description = 释放的时刻；未记录时为空
column-memory_events-duration_ns = 存活时间
    .description = 从分配到释放
column-memory_events-fate = 状态
    .description = 已释放、保留到记录结束、记录之前已有，或释放未记录
column-memory_events-release_op = 释放算子
    .description = 释放时最内层的算子；不在算子内或没有记录时为空
column-memory_events-address = 地址
    .description = 所在地址
column-memory_events-category = 类别
    .description = 用途：参数、梯度、激活值等；trace 的事件为空
column-memory_events-stream = 流
    .description = 在其上分配的流；未记录时为空
column-memory_events-pool = 内存池
    .description = 内存池：(0, 0) 或 CUDA 图的内存池；未记录时为空
column-memory_events-event = 事件
    .description = 显存快照中分配它的条目编号，否则为释放它的条目；trace 为空

## sequences

column-sequences-op = 算子
    .description = 最外层的算子；重复片段则为下发它们的各算子
column-sequences-kernels = 内核序列
    .description = 按顺序的内核，相邻相同者写作 3 x 名称
column-sequences-total_ns = 总计
    .description = 其内核在全部出现中的时长之和
column-sequences-gap_ns = 间隙
    .description = 首个与末个内核之间没有内核运行的时间，全部出现之和
column-sequences-host_ns = CPU 时间
    .description = 恰好下发这些内核的算子调用；重复片段为空

## fusion

column-fusion-op = 算子
    .description = 下发它们的算子
column-fusion-kernels = 内核序列
    .description = 按顺序的内核，相邻相同者写作 3 x 名称
column-fusion-total_ns = 总计
    .description = 其内核在全部出现中的时长之和
column-fusion-gap_ns = 间隙
    .description = 其内核之间流空闲的时间，全部出现之和
column-fusion-saving_ns = 节省
    .description = 估计：每段合为一个内核可省的时间，即除最耗时内核外的全部
column-fusion-saving_pct = 节省比例
    .description = 占全部 GPU 时间

## counters

column-counters-range = 区间
    .description = 区间编号，按时间；求和行为空
column-counters-ranges = 区间数
    .description = 该行求和的区间数
column-counters-metric = 计数器
    .description = 计数器名称
column-counters-value = 值
    .description = 其值，或各区间之和
column-counters-op = 算子
    .description = 下发它的算子；区间与下发无法对应时为空
column-counters-name = 内核
    .description = profiler 给出的内核或区间名称

## kernel_reports

column-kernel_reports-report = 报告
    .description = 数据来自的文件
column-kernel_reports-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_reports-name = 内核
    .description = 内核；区间为其中各内核的函数
column-kernel_reports-kind = 类型
    .description = 测量对象：内核，或一并测量的多个内核组成的区间
column-kernel_reports-kernels = 内核数
    .description = 区间中的内核数，报告中有时才有；单个内核为空
column-kernel_reports-grid = 网格
    .description = 下发网格；区间为空，其中各内核的网格不同
column-kernel_reports-block = 线程块
    .description = 线程块；区间为空
column-kernel_reports-device = GPU
    .description = GPU 编号；报告未注明时为空
column-kernel_reports-duration_ns = 时长
    .description = 在 Nsight Compute 下的内核时间，其频率可能被锁定
column-kernel_reports-compute_throughput_pct = 计算吞吐率
    .description = SM 中最忙的计算单元占其峰值的比例
column-kernel_reports-memory_throughput_pct = 访存吞吐率
    .description = 最忙的访存单元占其峰值的比例
column-kernel_reports-dram_throughput_pct = DRAM 吞吐率
    .description = DRAM 占其峰值的比例
column-kernel_reports-l2_throughput_pct = L2 吞吐率
    .description = L2 缓存占其峰值的比例
column-kernel_reports-l1_throughput_pct = L1 吞吐率
    .description = L1/TEX 缓存活跃时占其峰值的比例
column-kernel_reports-registers = 寄存器
    .description = 每线程寄存器数
column-kernel_reports-achieved_occupancy_pct = 实际占用率
    .description = 活跃 warp 占 SM 可容纳 warp 的比例
column-kernel_reports-theoretical_occupancy_pct = 理论占用率
    .description = 下发配置所允许的最大值
column-kernel_reports-occupancy = 占用率说明
    .description = 什么限制一个 SM 可容纳的 warp 数，以及实际有多少，一句话
column-kernel_reports-l1_hit_pct = L1 命中率
    .description = L1/TEX 缓存命中的 sector，占查找总数
column-kernel_reports-l2_hit_pct = L2 命中率
    .description = L2 缓存命中的 sector，占查找总数
column-kernel_reports-bottleneck = 瓶颈
    .description = 限制它的因素：原因（如 uncoalesced、bank_conflicts），否则为最忙的单元
column-kernel_reports-finding = 结论
    .description = 限制它的因素，用一句话和数值说明
column-kernel_reports-advice = 建议
    .description = 怎么做
column-kernel_reports-bound_pct = 最多节省
    .description = 消除该原因最多节省其多少时间，由其指标估计；为忙碌单元时为空
column-kernel_reports-estimated_speedup_pct = 估计加速
    .description = Nsight Compute 的规则对整个内核的最大估计；没有时为空
column-kernel_reports-calls = 跟踪中的次数
    .description = 报告旁的跟踪中，相同函数、网格与线程块的下发次数；没有跟踪时为空
column-kernel_reports-trace_ns = 跟踪中的时间
    .description = 这些下发在跟踪中的时间
column-kernel_reports-what_if = 假设分析
    .description = 供 stepscope what-if 使用的改动：这些下发不再受其瓶颈限制

## kernel_metrics

column-kernel_metrics-report = 报告
    .description = 数据来自的文件
column-kernel_metrics-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_metrics-kernel = 内核
    .description = 内核
column-kernel_metrics-metric = 指标
    .description = Nsight Compute 的指标名称
column-kernel_metrics-unit = 单位
    .description = 基本单位；报告与指标名称均未注明时为空
column-kernel_metrics-value = 数值
    .description = 以该单位计的数值；为文本或未测量时为空
column-kernel_metrics-text = 文本
    .description = 为文本的值；为数值时为空
column-kernel_metrics-instances = 实例数
    .description = 报告中该值之外的数值个数：各条指令或各次采样

## kernel_rules

column-kernel_rules-report = 报告
    .description = 数据来自的文件
column-kernel_rules-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_rules-number = 序号
    .description = 该内核的第几条说明，从 1 开始
column-kernel_rules-kernel = 内核
    .description = 内核
column-kernel_rules-section = 部分
    .description = 规则所属的部分
column-kernel_rules-rule = 规则
    .description = 规则名称
column-kernel_rules-kind = 类别
    .description = OPT（优化）、WRN（警告）、INF（信息）或 ERR（错误）
column-kernel_rules-scope = 范围
    .description = 估计的对象：global（内核）或 local（单个单元）；没有时为空
column-kernel_rules-estimated_speedup_pct = 估计加速
    .description = 该规则的估计；没有时为空
column-kernel_rules-message = 说明
    .description = 规则的说明

## kernel_stalls

column-kernel_stalls-report = 报告
    .description = 数据来自的文件
column-kernel_stalls-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_stalls-kernel = 内核
    .description = 内核
column-kernel_stalls-reason = 状态
    .description = Nsight Compute 的 warp 状态名称
column-kernel_stalls-cycles = 周期
    .description = 每条发射的指令处于该状态的周期数
column-kernel_stalls-share_pct = 占比
    .description = 占每条发射指令全部周期的比例
column-kernel_stalls-means = 含义
    .description = 其含义
column-kernel_stalls-advice = 建议
    .description = 怎么做

## kernel_lines

column-kernel_lines-report = 报告
    .description = 数据来自的文件
column-kernel_lines-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_lines-kernel = 内核
    .description = 内核
column-kernel_lines-file = 文件
    .description = 编译时的源文件
column-kernel_lines-line = 行
    .description = 文件中的行号
column-kernel_lines-text = 源码
    .description = 该行；报告中没有该文件时为空
column-kernel_lines-instructions = 指令
    .description = 由该行编译出的指令（SASS）
column-kernel_lines-samples = 采样
    .description = warp 的采样；未采集时为空
column-kernel_lines-samples_pct = 占采样
    .description = 占该内核全部采样的比例
column-kernel_lines-not_issued = 未发射
    .description = 其中调度器未发射指令的采样
column-kernel_lines-stall = 停顿
    .description = 采样最多的 warp 状态，被选中与未被选中除外；没有采样时为空
column-kernel_lines-executed = 执行次数
    .description = 执行的指令数，每个 warp 计一次；未计数时为空
column-kernel_lines-threads_per_instruction = 线程
    .description = 每条指令由多少线程执行，最多 32
column-kernel_lines-excessive_sectors = 多余的 sector
    .description = 全局访问从 L2 取出的、超出其字节所需的 sector
column-kernel_lines-excessive_wavefronts = 多余的 wavefront
    .description = 共享内存的、超出其访问所需的 wavefront

## kernel_instructions

column-kernel_instructions-report = 报告
    .description = 数据来自的文件
column-kernel_instructions-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_instructions-kernel = 内核
    .description = 内核
column-kernel_instructions-function = 函数
    .description = 指令所在的函数：内核自身，或它调用的函数
column-kernel_instructions-offset = 偏移
    .description = 距函数开头的字节数
column-kernel_instructions-opcode = 操作码
    .description = 指令的操作，不含修饰符与操作数；其二进制位未知时为空
column-kernel_instructions-file = 文件
    .description = 该行所在的源文件；没有行号表时为空
column-kernel_instructions-line = 行
    .description = 由哪一行编译而来
column-kernel_instructions-samples = 采样
    .description = warp 的采样；未采集时为空
column-kernel_instructions-not_issued = 未发射
    .description = 其中调度器未发射指令的采样
column-kernel_instructions-stall = 停顿
    .description = 采样最多的 warp 状态，被选中与未被选中除外；没有采样时为空
column-kernel_instructions-executed = 执行次数
    .description = 执行的指令数，每个 warp 计一次；未计数时为空
column-kernel_instructions-thread_executed = 线程执行次数
    .description = 同上，每个线程计一次
column-kernel_instructions-excessive_sectors = 多余的 sector
    .description = 全局访问从 L2 取出的、超出其字节所需的 sector
column-kernel_instructions-excessive_wavefronts = 多余的 wavefront
    .description = 共享内存的、超出其访问所需的 wavefront

## kernel_roofline

column-kernel_roofline-report = 报告
    .description = 数据来自的文件
column-kernel_roofline-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_roofline-kernel = 内核
    .description = 内核
column-kernel_roofline-precision = 精度
    .description = 计算所用的类型：fp64、fp32、fp16，或按类型区分的 Tensor Core：tensor bf16 等
column-kernel_roofline-level = 层级
    .description = 计其流量的存储层级：dram、l2、l1
column-kernel_roofline-intensity = 每字节 FLOP
    .description = 该层级每字节的运算数；没有流量时为空
column-kernel_roofline-achieved_flops = 实际 FLOP/s
    .description = 该内核每秒的运算数
column-kernel_roofline-peak_flops = 峰值 FLOP/s
    .description = GPU 在测得频率下的最大值
column-kernel_roofline-achieved_bandwidth = 带宽
    .description = 该层级每秒的字节数
column-kernel_roofline-peak_bandwidth = 峰值带宽
    .description = 该层级在测得频率下的最大值
column-kernel_roofline-bound = 受限于
    .description = 在其强度下较低的上限：memory 或 compute
column-kernel_roofline-pct_of_roof = 占 roofline
    .description = 实际 FLOP/s 占该上限的比例

## kernel_memory

column-kernel_memory-report = 报告
    .description = 数据来自的文件
column-kernel_memory-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_memory-kernel = 内核
    .description = 内核
column-kernel_memory-link = 链路
    .description = 哪种访问或层级：global_load、shared_store、l2_read、dram_write 等
column-kernel_memory-from_unit = 从
    .description = 数据来自：kernel、l1、shared、l2、dram、system、peer
column-kernel_memory-to_unit = 到
    .description = 数据去向
column-kernel_memory-requests = 请求
    .description = 访问它的 warp 指令数；缓存之间为空
column-kernel_memory-transfers = 传输
    .description = 32 字节的 sector 数；共享内存为 wavefront 数
column-kernel_memory-bytes = 字节
    .description = 移动的字节；共享内存只统计 wavefront，因此为空
column-kernel_memory-achieved_bandwidth = 带宽
    .description = 该内核时间内每秒的字节数
column-kernel_memory-peak_pct = 占峰值
    .description = 占该链路最大能力的比例
column-kernel_memory-hit_pct = 命中率
    .description = 途经缓存命中的 sector，占查找总数

## kernel_occupancy

column-kernel_occupancy-report = 报告
    .description = 数据来自的文件
column-kernel_occupancy-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_occupancy-kernel = 内核
    .description = 内核
column-kernel_occupancy-limit = 限制
    .description = 线程块占用的 SM 资源：registers、shared_mem、warps、blocks、barriers
column-kernel_occupancy-blocks = 线程块
    .description = 它允许每个 SM 的最多线程块
column-kernel_occupancy-warps = warp
    .description = 这些线程块的 warp
column-kernel_occupancy-occupancy_pct = 占用率
    .description = 这些 warp 占 SM 可容纳 warp 的比例
column-kernel_occupancy-limiting = 起限制作用
    .description = 是否没有其他限制允许更少的线程块

## kernel_occupancy_curve

column-kernel_occupancy_curve-report = 报告
    .description = 数据来自的文件
column-kernel_occupancy_curve-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_occupancy_curve-kernel = 内核
    .description = 内核
column-kernel_occupancy_curve-parameter = 参数
    .description = 改变的量：registers（每线程）、block_size（线程数）、shared_mem（每线程块字节）
column-kernel_occupancy_curve-setting = 取值
    .description = 从该值起，直到下一行的值
column-kernel_occupancy_curve-warps = warp
    .description = 一个 SM 可容纳的 warp
column-kernel_occupancy_curve-occupancy_pct = 占用率
    .description = 这些 warp 占 SM 可容纳 warp 的比例
column-kernel_occupancy_curve-present = 当前
    .description = 该下发是否位于这一行

## kernel_pipes

column-kernel_pipes-report = 报告
    .description = 数据来自的文件
column-kernel_pipes-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_pipes-kernel = 内核
    .description = 内核
column-kernel_pipes-pipe = 流水线
    .description = Nsight Compute 的流水线名称
column-kernel_pipes-utilization_pct = 利用率
    .description = 它执行的指令，占 SM 活跃时最大能力的比例
column-kernel_pipes-executes = 执行
    .description = 它执行哪些指令

## kernel_details

column-kernel_details-report = 报告
    .description = 数据来自的文件
column-kernel_details-id = 编号
    .description = 该内核在报告中的编号，按下发顺序
column-kernel_details-kernel = 内核
    .description = 内核
column-kernel_details-section = 部分
    .description = Nsight Compute 的部分名称
column-kernel_details-label = 数值
    .description = Nsight Compute 的数值名称
column-kernel_details-value = 值
    .description = 以该单位表示的值；为文本时为空
column-kernel_details-unit = 单位
    .description = 基本单位；报告与指标名称均未说明时为空
column-kernel_details-text = 文本
    .description = 值为文本时；数值为空
column-kernel_details-metric = 指标
    .description = 对应的指标

## telemetry

column-telemetry-gpu = GPU
    .description = GPU 编号；主机侧计数器为空
column-telemetry-process = 进程
    .description = 记录中该计数器所属的进程
column-telemetry-counter = 计数器
    .description = 名称，不含单位；一个计数器有多个序列时，后接序列名
column-telemetry-unit = 单位
    .description = 数值的单位；名称未注明时为空
column-telemetry-samples = 采样数
    .description = 有数值的采样
column-telemetry-mean = 平均值
    .description = 采样的平均值
column-telemetry-min = 最小值
    .description = 采样的最小值
column-telemetry-p50 = 中位数
    .description = 采样的中位数
column-telemetry-p95 = P95
    .description = 采样的第 95 百分位数
column-telemetry-max = 最大值
    .description = 采样的最大值
column-telemetry-interval_ns = 采样间隔
    .description = 整个记录中相邻采样间隔的中位数
column-telemetry-coverage_pct = 覆盖率
    .description = 有采样且采样不早于两个间隔的时间占比
column-telemetry-missing = 缺失数
    .description = 没有有限数值的采样，不计入其他各列

column-telemetry-metric = 测量的量
    .description = 所测量的内容，如 power 或 sm_clock；名称未说明时为空
column-telemetry-slice = 时间段
    .description = 从第一个采样到最后一个采样的时间中的一段，从 0 开始
column-telemetry-start_ns = 开始
    .description = 该段的起点
column-telemetry-reason = 降频原因
    .description = 降频原因计数器：该段中使频率降低的原因

## hardware

column-hardware-gpu = GPU
    .description = GPU 的编号
column-hardware-steps = 迭代数
    .description = 数值所依据的迭代数；全部采样都计入时为 0
column-hardware-samples = 采样数
    .description = 该时间内的采样数，有功率时为功率的采样数
column-hardware-interval_ns = 采样间隔
    .description = 整个记录中两个采样之间时间的中位数
column-hardware-energy_step_j = 每次迭代能耗（J）
    .description = 一次迭代的能耗；迭代中的采样少于 5 个时为空
column-hardware-power_w = 功率（W）
    .description = 平均功率
column-hardware-power_max_w = 最高功率（W）
    .description = 最高的功率
column-hardware-power_limit_w = 功率上限（W）
    .description = 功率上限；未采样时为空
column-hardware-sm_clock_mhz = SM 频率（MHz）
    .description = GPU 工作时 SM 的平均频率
column-hardware-sm_clock_min_mhz = 最低 SM 频率（MHz）
    .description = 其中最低的
column-hardware-temperature_c = 最高温度（°C）
    .description = 最高的温度
column-hardware-utilization_pct = 利用率
    .description = 有任意内核在运行的时间占比的平均值
column-hardware-throttled_pct = 降频占比
    .description = 工作时的采样中，因该原因而降频的占比
column-hardware-reason = 降频原因
    .description = 最常使频率降低的原因：power-cap、hardware、thermal、power-brake
column-hardware-pcie_pct = PCIe
    .description = PCIe 流量的第 95 百分位占链路单向带宽的比例

## metadata

column-metadata-rank = rank
    .description = 进程的 rank；各 rank 一致时为空
column-metadata-key = 项目
    .description = 项目名称，与跟踪文件一致
column-metadata-value = 内容
    .description = 记录的内容

## recordings

column-recordings-id = 编号
    .description = 记录的编号，从 0 开始
column-recordings-kind = 种类
    .description = trace、memory_snapshot、kernel_report、telemetry、input_pipeline 等
column-recordings-recorder = 记录工具
    .description = 写出它的工具：Kineto、Nsight Systems 等
column-recordings-recorder_version = 版本
    .description = 该工具的版本，记录未说明时为空
column-recordings-rank = rank
    .description = 进程的 rank；不属于任何 rank 时为空
column-recordings-path = 路径
    .description = 读取自何处
column-recordings-start_ns = 开始
    .description = 第一个事件在本次运行的时钟上的时刻，未知时为空
column-recordings-duration_ns = 时长
    .description = 从该时刻到最后一个事件结束
column-recordings-clock = 时钟
    .description = 其自身时间的起点：epoch（主机的 1970 年以来纳秒数）或 own
column-recordings-joined = 关联方式
    .description = 其时间如何成为该 rank 跟踪的时间：clock、zone 或 annotations；未关联时为空
column-recordings-uncertainty_ns = 不确定度
    .description = start_ns 可能的偏差，未知时为空
column-recordings-events = 事件
    .description = 其事件数，未读取时为空
column-recordings-size_bytes = 大小
    .description = 其文件的大小（按原样，可为压缩后）；一个文件的多行各自给出
column-recordings-recorded = 内容
    .description = 它含有哪些事件、采用了哪些选项，以它自身所述为限
column-recordings-span = 区间
    .description = 在同一进程的多个记录中的序号，从 1 开始；唯一时为空
column-recordings-spans = 区间数
    .description = 同一进程的记录数
column-recordings-used = 已使用
    .description = 其他表格是否展示它
column-recordings-note = 说明
    .description = 未使用的原因，或它是多个记录中的哪一个

## memory_categories

column-memory_categories-device = 设备
    .description = cuda:0 等
column-memory_categories-slice = 时间段
    .description = 百分之一时间段的编号
column-memory_categories-at_ns = 时刻
    .description = 其中已分配最多的时刻
column-memory_categories-category = 类别
    .description = 参数、梯度、优化器状态、激活值、临时数据或未知
column-memory_categories-bytes = 大小
    .description = 该时刻为此分配的字节；各类别之和为已分配总量
column-memory_categories-share_pct = 占比
    .description = 占当时已分配总量的比例

## memory_segments

column-memory_segments-device = 设备
    .description = cuda:0 等
column-memory_segments-address = 地址
    .description = 起始地址
column-memory_segments-pool = 内存池
    .description = 内存池：(0, 0) 或 CUDA 图的内存池
column-memory_segments-stream = 流
    .description = 其块所属的流
column-memory_segments-bytes = 大小
    .description = 段的大小
column-memory_segments-allocated_bytes = 已分配
    .description = 其中属于程序的块
column-memory_segments-active_bytes = 活跃
    .description = 其中属于程序或仍被流使用的块
column-memory_segments-largest_free_bytes = 最大空闲块
    .description = 其中最大的空闲块
column-memory_segments-blocks = 块数
    .description = 其中的块数，含空闲块
column-memory_segments-requested_bytes = 请求
    .description = 活跃字节中实际请求的部分
column-memory_segments-size_class = 大小类别
    .description = small（不超过 1 MiB 的块）或 large
column-memory_segments-expandable = 可扩展
    .description = 是否可以增长（expandable_segments）
column-memory_segments-source = 源码行
    .description = 使分配器获取该段的用户代码行；没有调用栈时为空

column-memory_categories-point = 时刻编号
    .description = 时刻的编号，最多 802 个
column-memory_categories-event = 事件
    .description = 引起变化的条目编号；第一个为空

## memory_alive

column-memory_alive-device = 设备
    .description = cuda:0 等
column-memory_alive-point = 时刻编号
    .description = 时刻的编号，同 memory_categories --by point
column-memory_alive-at_ns = 时刻
    .description = 该时刻；未记录时间时为空
column-memory_alive-category = 类别
    .description = 用途，同 memory_peak
column-memory_alive-op = 算子
    .description = 分配它的算子，同 memory_peak
column-memory_alive-source = 源码行
    .description = 用户代码最内层的行；无调用栈时为空
column-memory_alive-bytes = 大小
    .description = 存活的字节；一个时刻各行之和即已分配总量
column-memory_alive-blocks = 块数
    .description = 其分配个数；未逐个记录时为空
column-memory_alive-share_pct = 占比
    .description = 占当时已分配总量的比例
column-memory_alive-lines = 调用路径
    .description = 用户代码的各行，最内层在前

## memory_blocks

column-memory_blocks-device = 设备
    .description = cuda:0 等
column-memory_blocks-segment = 段
    .description = 所属段的地址
column-memory_blocks-pool = 内存池
    .description = (0, 0) 或 CUDA 图的内存池
column-memory_blocks-stream = 流
    .description = 所属的流
column-memory_blocks-address = 地址
    .description = 起始地址
column-memory_blocks-offset_bytes = 偏移
    .description = 距段起始处的字节
column-memory_blocks-bytes = 大小
    .description = 块的大小；一个段的各行之和即段的大小
column-memory_blocks-requested_bytes = 请求
    .description = 程序请求的字节；空闲块为 0
column-memory_blocks-state = 状态
    .description = active_allocated、active_pending_free 或 inactive；not listed：文件中此处没有块
column-memory_blocks-category = 类别
    .description = 用途，同 memory_peak；空闲块为空
column-memory_blocks-op = 算子
    .description = 分配它的算子，同 memory_peak
column-memory_blocks-source = 源码行
    .description = 用户代码最内层的行；无调用栈时为空
column-memory_blocks-start_ns = 分配时刻
    .description = 历史中有记录时的分配时刻
column-memory_blocks-lines = 调用路径
    .description = 用户代码的各行，最内层在前

## memory_diff

column-memory_diff-device = 设备
    .description = cpu、cuda:0 等
column-memory_diff-category = 类别
    .description = 用途，同 memory_peak；跟踪文件的事件为空
column-memory_diff-source = 源码行
    .description = 用户代码最内层的行；无调用栈时为空
column-memory_diff-op = 算子
    .description = 没有源码行时，分配它的算子
column-memory_diff-base_bytes = 之前
    .description = 另一份记录峰值时存活的字节；没有时为空
column-memory_diff-new_bytes = 之后
    .description = 本记录峰值时存活的字节；没有时为空
column-memory_diff-delta_bytes = 变化
    .description = 之后减之前；一个设备各行之和即两个峰值之差
column-memory_diff-base_blocks = 之前块数
    .description = 之前的分配个数
column-memory_diff-new_blocks = 之后块数
    .description = 之后的分配个数
column-memory_diff-status = 状态
    .description = changed 变化、same 相同、new 新增或 gone 消失
column-memory_diff-lines = 调用路径
    .description = 用户代码的各行，最内层在前
column-memory_diff-level = 水平
    .description = 最多已分配、最多已预留，或结束时的已分配、已预留

## memory_ranks

column-memory_ranks-device = 设备
    .description = cpu、cuda:0 等
column-memory_ranks-peak_bytes = 峰值
    .description = 已分配的最大值
column-memory_ranks-reserved_bytes = 预留
    .description = 缓存分配器预留的最大值，时刻与峰值无关；未知时为空
column-memory_ranks-above_median_bytes = 高于中位数
    .description = 比各 rank 的中位数多出的字节；仅一个时为空
column-memory_ranks-above_category = 主要是
    .description = 高出自身中位数最多的类别
column-memory_ranks-above_category_bytes = 其中
    .description = 高出的字节
column-memory_ranks-parameters_bytes = 参数
    .description = 峰值中的参数；跟踪文件的事件为空
column-memory_ranks-gradients_bytes = 梯度
    .description = 梯度
column-memory_ranks-optimizer_state_bytes = 优化器状态
    .description = 优化器状态
column-memory_ranks-activations_bytes = 激活值
    .description = 激活值
column-memory_ranks-temporaries_bytes = 临时数据
    .description = 临时数据
column-memory_ranks-unknown_bytes = 未知
    .description = 类别未知；六项之和即峰值
column-memory_ranks-capacity_pct = 占设备显存
    .description = 峰值占设备显存的比例；未知时为空
column-memory_ranks-at_ns = 峰值时刻
    .description = 峰值的时刻
column-memory_ranks-step = 迭代
    .description = 峰值所在的迭代；不在任何迭代中时为空
column-memory_ranks-source = 源码行
    .description = 占用最多的行
column-memory_ranks-op = 算子
    .description = 其算子
column-memory_ranks-source_bytes = 该行
    .description = 该算子与行存活的字节

## memory_fragmentation

column-memory_fragmentation-device = 设备
    .description = cuda:0 等
column-memory_fragmentation-pool = 内存池
    .description = 内存池：(0, 0) 或 CUDA 图的内存池
column-memory_fragmentation-size_class = 大小类别
    .description = small（不超过 1 MiB 的块）或 large
column-memory_fragmentation-reserved_bytes = 已预留
    .description = 向设备获取的：已分配、待释放、完整空闲段与空洞
column-memory_fragmentation-allocated_bytes = 已分配
    .description = 属于程序的块，含取整
column-memory_fragmentation-pending_bytes = 待释放
    .description = 已释放但仍被流使用的块
column-memory_fragmentation-whole_free_bytes = 完整空闲段
    .description = 没有活跃块的段：empty_cache() 可以归还
column-memory_fragmentation-hole_bytes = 空洞
    .description = 段内活跃块之间的空闲
column-memory_fragmentation-rounding_bytes = 取整
    .description = 活跃块中超出请求的部分
column-memory_fragmentation-largest_free_bytes = 最大空闲块
    .description = 最大的空闲块，即不获取新段时能容纳的最大请求
column-memory_fragmentation-segments = 段数
    .description = 段数

## memory_leaks

column-memory_leaks-device = 设备
    .description = cuda:0 等
column-memory_leaks-source = 源码行
    .description = 用户代码的最内层行；没有调用栈时为空
column-memory_leaks-op = 算子
    .description = 分配它的算子；未记录 C++ 调用栈时为空
column-memory_leaks-category = 类别
    .description = 看来的用途，同“峰值时的显存”
column-memory_leaks-bytes_per_step = 每次迭代增加
    .description = 每次迭代增加的中位数；没有迭代信息时为空
column-memory_leaks-alive_bytes = 存活
    .description = 其全部分配中在历史（或所示部分）结束时仍存活的字节
column-memory_leaks-blocks = 块数
    .description = 这些分配的个数
column-memory_leaks-grew = 增长次数
    .description = 有增长的迭代数（或十分之一段数）
column-memory_leaks-steps = 考察的迭代
    .description = 共考察这么多，不含最初的
column-memory_leaks-lines = 调用路径
    .description = 用户代码的行，最内层在前
column-memory_leaks-stack = 调用栈编号
    .description = 快照中调用栈的编号
column-memory_leaks-step = 迭代
    .description = 迭代编号；没有迭代信息时为历史十分之一段的编号，从 0 起
column-memory_leaks-then_bytes = 当时存活
    .description = 其全部分配中在该迭代结束时存活的字节
column-memory_leaks-then_blocks = 当时块数
    .description = 这些分配的个数
column-memory_leaks-added_bytes = 新增
    .description = 其中在该迭代中分配、到结束时仍存活的字节

## memory_oom

column-memory_oom-device = 设备
    .description = cuda:0 等
column-memory_oom-at_ns = 时刻
    .description = 发生的时刻；未记录时间时为空
column-memory_oom-requested_bytes = 请求
    .description = 请求的字节
column-memory_oom-free_bytes = 设备空闲
    .description = 驱动报告的设备空闲字节
column-memory_oom-allocated_bytes = 已分配
    .description = 当时已分配
column-memory_oom-reserved_bytes = 已预留
    .description = 当时缓存分配器持有的字节
column-memory_oom-limit_bytes = 设定上限，至少
    .description = 若设了上限：至少为曾经预留的最大值，且小于 limit_below_bytes
column-memory_oom-limit_below_bytes = 设定上限，低于
    .description = 若设了上限：低于本来会预留的字节
column-memory_oom-hole_bytes = 零散空闲
    .description = 处理此类申请的段中的零散空闲
column-memory_oom-largest_free_bytes = 最大空闲片
    .description = 其中最大的一片
column-memory_oom-reason = 原因
    .description = fragmentation（碎片）、a set limit（设定上限）、other processes（其他进程）或 capacity（容量）
column-memory_oom-evict_bytes = 最小释放量
    .description = 为装入一个段至少需要释放的活跃字节
column-memory_oom-evict_blocks = 释放块数
    .description = 这些字节的块数
column-memory_oom-source = 源码行
    .description = 发出请求的用户代码行；没有调用栈时为空
column-memory_oom-largest = 占用最多的行
    .description = 当时显存占用最多的行
column-memory_oom-event = 事件
    .description = 记录中的事件编号

## hangs

column-hangs-id = 编号
    .description = 在各处挂起中的次序：其他挂起由它引起的排在最前
column-hangs-group = 进程组
    .description = 进程组的名称
column-hangs-description = 描述
    .description = 程序对该进程组的称呼；没有时为空
column-hangs-sequence = 序号
    .description = 该集合通信在其进程组中的序号；点对点通信为空
column-hangs-collective = 通信
    .description = 集合通信，或 send、recv 及其 rank
column-hangs-cause = 原因
    .description = not_entered、wait_cycle、different_sizes、not_started、none_completed 等（见文档）
column-hangs-follows = 由其他引起
    .description = 缺席的 rank 是否在排在它之前的另一处挂起中等待
column-hangs-finding = 结论
    .description = 什么挂起，在等待哪个 rank，自何时起
column-hangs-advice = 建议
    .description = 检查什么
column-hangs-suspects = 可疑 rank
    .description = 证据所指的 rank；没有时为空
column-hangs-ranks = 组大小
    .description = 进程组的 rank 数
column-hangs-entered = 已进入
    .description = 进入它的 rank 数
column-hangs-completed = 已完成
    .description = 完成它的 rank 数
column-hangs-waiting_ranks = 等待的 rank
    .description = 进入但没有完成它的 rank
column-hangs-missing_ranks = 缺席的 rank
    .description = 有转储但始终没有进入它的 rank
column-hangs-absent_ranks = 无转储的 rank
    .description = 该组中没有转储，或转储开始得更晚的 rank
column-hangs-since = 自何时起
    .description = 等待的 rank 中最后一个进入它的时间（UTC）
column-hangs-waited_ns = 至少等待
    .description = 从那时到各转储中最后一个时间：至少等待了这么久
column-hangs-timeout_ns = 超时
    .description = 该集合通信的超时时间
column-hangs-queued = 排在其后
    .description = 该组中排在其后等待的集合通信数
column-hangs-sizes = 形状
    .description = 其张量的形状
column-hangs-dtypes = 数据类型
    .description = 其张量的数据类型
column-hangs-members_known = 成员已知
    .description = 转储是否说明了该组包含哪些 rank
column-hangs-source = 源码行
    .description = 在等待的 rank 上调用它的用户代码行
column-hangs-stack = 调用栈
    .description = 该调用的栈，最内层在前

## hang_ranks

column-hang_ranks-group = 进程组
    .description = 进程组的名称
column-hang_ranks-description = 描述
    .description = 程序对该进程组的称呼；没有时为空
column-hang_ranks-state = 状态
    .description = waits（等待）、completed（完成）、或 behind（没有进入其他 rank 所等待的）
column-hang_ranks-collective = 通信
    .description = 该 rank 第一个未完成的集合通信，否则为最后一个
column-hang_ranks-sequence = 序号
    .description = 该集合通信在进程组中的序号
column-hang_ranks-last_entered = 最后进入
    .description = 该 rank 在进程组中最后进入的集合通信
column-hang_ranks-last_completed = 最后完成
    .description = 它最后完成的集合通信
column-hang_ranks-pending = 未完成数
    .description = 该 rank 已进入但没有完成的集合通信与点对点通信数
column-hang_ranks-since = 自何时起
    .description = 进入该集合通信的时间（UTC）
column-hang_ranks-source = 源码行
    .description = 调用它的用户代码行
column-hang_ranks-stack = 调用栈
    .description = 该调用的栈，最内层在前

## hang_calls

column-hang_calls-hang = 挂起编号
    .description = 它所属的挂起在 hangs 中的编号
column-hang_calls-group = 进程组
    .description = 进程组的名称
column-hang_calls-description = 描述
    .description = 程序对该进程组的称呼；没有时为空
column-hang_calls-sequence = 序号
    .description = 在进程组中的序号
column-hang_calls-collective = 通信
    .description = 集合通信；没有记录的 rank 为其他 rank 所调用的
column-hang_calls-ranks = rank
    .description = 除时间外各列都相同的 rank
column-hang_calls-count = rank 数
    .description = 这样的 rank 有多少
column-hang_calls-state = 状态
    .description = completed、started、scheduled、entered、missing、overwritten 或 no_dump（见文档）
column-hang_calls-differs = 差异
    .description = 与其他 rank 不同之处：collectives、sizes 或 dtypes；否则为空
column-hang_calls-hangs = 挂起处
    .description = 进程组是否挂起于这次调用
column-hang_calls-first = 最早进入
    .description = 其中最早的 rank 进入的时间（UTC）
column-hang_calls-last = 最晚进入
    .description = 其中最晚的 rank 进入的时间（UTC）
column-hang_calls-last_rank = 最晚的 rank
    .description = 其中最晚进入的 rank；时间都相同时为空
column-hang_calls-sizes = 形状
    .description = 其输入的形状
column-hang_calls-dtypes = 数据类型
    .description = 其输入的类型
column-hang_calls-last_call = 最后的调用
    .description = 没有进入的 rank：它们在该组中最后调用的集合通信
column-hang_calls-source = 源码行
    .description = 调用它（或最后那次）的用户代码行
column-hang_calls-stack = 调用栈
    .description = 该调用的栈，最内层在前

## collective_records

column-collective_records-record = 记录
    .description = 在转储中的序号，从 0 开始
column-collective_records-group = 进程组
    .description = 进程组的名称
column-collective_records-description = 描述
    .description = 程序对该进程组的称呼；没有时为空
column-collective_records-p2p = 点对点
    .description = 是否为 rank 之间的点对点通信
column-collective_records-sequence = 序号
    .description = 在进程组中的序号，集合通信与点对点通信分别计数
column-collective_records-collective = 通信
    .description = 集合通信或点对点通信
column-collective_records-backend = 后端
    .description = nccl、gloo 等
column-collective_records-state = 状态
    .description = scheduled、started 或 completed；有的后端只有 scheduled
column-collective_records-done = 已结束
    .description = 是否已完成，或不再有人等待它
column-collective_records-created = 调用时间
    .description = 主机调用它的时间（UTC）
column-collective_records-duration_ns = GPU 时间
    .description = 在 GPU 上的时间；未设置 TORCH_NCCL_ENABLE_TIMING=1 时为空
column-collective_records-timeout_ns = 超时
    .description = 其超时时间
column-collective_records-in_sizes = 输入形状
    .description = 其输入的形状
column-collective_records-out_sizes = 输出形状
    .description = 其输出的形状
column-collective_records-in_dtypes = 输入类型
    .description = 其输入的数据类型
column-collective_records-source = 源码行
    .description = 调用它的用户代码行
## input_pipeline

column-input_pipeline-id = 编号
    .description = 算子编号
column-input_pipeline-operator = 算子
    .description = 算子类型
column-input_pipeline-feeds = 供给
    .description = 取走其输出的算子编号；由训练迭代取走时为空
column-input_pipeline-workers = 工作线程
    .description = 其线程或进程数
column-input_pipeline-capacity = 队列长度
    .description = 输出队列最多容纳的数量；没有队列时为空
column-input_pipeline-queued_mean = 队列中
    .description = 输出队列中数量的平均值
column-input_pipeline-fill_pct = 队列占用
    .description = 该平均值占最多数量的比例
column-input_pipeline-empty_pct = 队列为空
    .description = 输出队列为空的采样所占比例
column-input_pipeline-wait_ns = 等待
    .description = 输出队列为空、其消费者必须等待的时间，由采样得出
column-input_pipeline-cpu_ns = CPU 时间
    .description = 其工作线程的 CPU 时间，即开销，由采样得出；未采样时为空
column-input_pipeline-cpu_pct = CPU 使用
    .description = 其工作线程的 CPU 使用，以一个核为 100 %
column-input_pipeline-worker_cpu_pct = 每线程 CPU
    .description = 每个工作线程的 CPU 使用
column-input_pipeline-samples = 采样
    .description = 其队列的采样数
column-input_pipeline-verdict = 结论
    .description = 慢算子为 bottleneck（瓶颈），否则为空
column-input_pipeline-advice = 建议
    .description = 对慢算子应做什么

## input_batches

column-input_batches-queue = 队列
    .description = host 主机：流水线放入批次的队列；device 设备：训练迭代取批次的队列
column-input_batches-number = 批次
    .description = 批次编号，从 1 开始
column-input_batches-since_ns = 距首批
    .description = 距该队列第一个批次的时间；没有记录时为空
column-input_batches-get_ns = 获取
    .description = 获取耗时：从流水线，或从设备队列
column-input_batches-push_ns = 推送
    .description = 推送到设备的耗时
column-input_batches-total_ns = 总计
    .description = 两者之和
column-input_batches-queued = 队列中
    .description = 取走时队列中的批次数
column-input_batches-capacity = 队列长度
    .description = 队列最多容纳的数量；没有记录时为空

## cpu_utilization

column-cpu_utilization-scope = 范围
    .description = machine 机器、process 进程，或 operator 输入流水线的算子
column-cpu_utilization-id = 编号
    .description = 算子编号；机器与进程为空，不属于算子的线程为 -1
column-cpu_utilization-operator = 算子
    .description = 算子类型
column-cpu_utilization-workers = 工作线程
    .description = 其线程或进程数
column-cpu_utilization-of = 以何为 100 %
    .description = 100 % 是什么：all cores 机器的全部核，或 one core 一个核
column-cpu_utilization-active_pct = 使用
    .description = 机器：去除空闲与 I/O；否则为用户态与内核态之和
column-cpu_utilization-user_pct = 用户态
    .description = 用户代码
column-cpu_utilization-system_pct = 内核态
    .description = 操作系统内核
column-cpu_utilization-io_pct = I/O 等待
    .description = 等待 I/O；仅机器
column-cpu_utilization-idle_pct = 空闲
    .description = 空闲；仅机器
column-cpu_utilization-runnable = 可运行线程
    .description = 正在运行或等待核的线程；仅机器
column-cpu_utilization-context_switches = 上下文切换
    .description = 两次采样之间的上下文切换；仅机器
column-cpu_utilization-samples = 采样
    .description = 采样数
column-cpu_utilization-covered_pct = 覆盖
    .description = 用户态与内核态已知的采样所占比例
column-cpu_utilization-sample = 序号
    .description = 采样的序号，从 1 开始
column-cpu_utilization-since_ns = 距首次采样
    .description = 距第一次采样的时间

## operator_totals

column-operator_totals-name = 算子
    .description = 带作用域的算子
column-operator_totals-type = 类型
    .description = 算子类型
column-operator_totals-side = 位置
    .description = 在何处运行：Device 设备或 Host 主机
column-operator_totals-activity_ns = GPU 活动
    .description = CUPTI 为其计入的 GPU 活动：内核、内存拷贝等
column-operator_totals-activity_share_pct = 占 GPU
    .description = 占全部此类活动的比例
column-operator_totals-activities = GPU 活动数
    .description = 这些活动的数量
column-operator_totals-host_ns = 主机时间
    .description = 在主机上的时间：下发，开启同步时包括同步
column-operator_totals-host_share_pct = 占主机
    .description = 占全部此类时间的比例
column-operator_totals-host_mean_ns = 平均主机时间
    .description = 每次调用的主机时间

## activity_totals

column-activity_totals-name = 内核
    .description = 内核
column-activity_totals-type = 类型
    .description = 下发它的调用
column-activity_totals-operator = 首个算子
    .description = 首次下发它的算子；其他算子也可能下发它
column-activity_totals-stream = 流
    .description = 首次下发所在的流
column-activity_totals-grid = 网格
    .description = 首次下发的网格
column-activity_totals-block = 线程块
    .description = 首次下发的线程块
column-activity_totals-calls = 下发次数
    .description = 下发次数
column-activity_totals-total_ns = 总计
    .description = 各次合计时间
column-activity_totals-mean_ns = 平均
    .description = 平均
column-activity_totals-min_ns = 最短
    .description = 最短
column-activity_totals-max_ns = 最长
    .description = 最长

## collective_bandwidth

column-collective_bandwidth-op = 操作
    .description = NCCL 所称的集合通信或点对点通信
column-collective_bandwidth-communicator = 通信域
    .description = 通信域的哈希
column-collective_bandwidth-name = 名称
    .description = 程序对它的称呼；没有时为空
column-collective_bandwidth-link = 链路
    .description = 点对点通信在通信域中的 rank：从、到；集合通信为空
column-collective_bandwidth-ranks = 组大小
    .description = 通信域的 rank 数
column-collective_bandwidth-nodes = 节点数
    .description = 它跨越的节点数
column-collective_bandwidth-from_bytes = 大小下限
    .description = 一次调用的最小大小；最大不到其两倍
column-collective_bandwidth-calls = 次数
    .description = 调用次数
column-collective_bandwidth-complete_calls = 完整调用
    .description = 通信域中每个 rank 都有记录的调用
column-collective_bandwidth-bytes = 字节
    .description = 所有调用的字节，每次只计一遍
column-collective_bandwidth-transfer_ns = 传输
    .description = 最后到达的 rank 上的时间（不含等待），所有调用之和
column-collective_bandwidth-wait_ns = 等待
    .description = 所有完整调用中，其他 rank 多出的时间
column-collective_bandwidth-busbw = 总线带宽
    .description = 各次调用的中位数：每条链路的 GB/s，不含等待
column-collective_bandwidth-busbw_low = 最慢十分之一的总线带宽
    .description = 最慢的十分之一低于它
column-collective_bandwidth-slice = 时间段
    .description = 从任一日志的第一行到最后一行的时间中的一段，从 0 开始
column-collective_bandwidth-elapsed_ns = 距第一行
    .description = 该段的起点，从第一行算起
column-collective_bandwidth-busbw_least = 最慢的总线带宽
    .description = 该段中最慢的一次调用
column-collective_bandwidth-others_busbw = 同类
    .description = 同类通信域的中位数；不足三个时为空
column-collective_bandwidth-of_others_pct = 占同类
    .description = 占同类带宽的百分比
column-collective_bandwidth-slow = 较慢
    .description = 是否低于 80 %，且不少于十次调用

## collective_lateness

column-collective_lateness-file = 日志
    .description = 其集合通信所在的日志
column-collective_lateness-calls = 次数
    .description = 通信域中每个 rank 都有记录的调用
column-collective_lateness-last_calls = 最后到达
    .description = 其中它最后到达的次数：它的时间最短
column-collective_lateness-last_pct = 占其调用
    .description = 占这些调用的比例
column-collective_lateness-late_ns = 迟到
    .description = 在它最后到达的各次调用中，比倒数第二个晚多少
column-collective_lateness-wait_ns = 等待
    .description = 它等待其他 rank 的时间
column-collective_lateness-total_ns = 总时间
    .description = 其所有完整调用的时间

## npu_kernels

column-npu_kernels-type = 类型
    .description = 算子的类型
column-npu_kernels-core = 核
    .description = 由什么执行：AI_CORE、AI_VECTOR_CORE、MIX_AIC、MIX_AIV、AI_CPU、DSA 等
column-npu_kernels-shapes = 形状
    .description = 各输入的形状；未记录时为空
column-npu_kernels-types = 数据类型
    .description = 各输入的数据类型
column-npu_kernels-formats = 格式
    .description = 各输入的格式
column-npu_kernels-calls = 次数
    .description = 执行的次数
column-npu_kernels-total_ns = 总计
    .description = 全部执行的时间
column-npu_kernels-share_pct = 占比
    .description = 占该 rank 内核时间（不含通信）的比例
column-npu_kernels-mean_ns = 平均
    .description = 平均值
column-npu_kernels-wait_ns = 等待
    .description = 在它之前，其流等待了多久
column-npu_kernels-cores_used = 核数
    .description = 它在多少个核上执行
column-npu_kernels-cube_pct = Cube
    .description = cube 核的时间中，进行矩阵乘的比例
column-npu_kernels-cube_load_pct = Cube 加载
    .description = 其中从内存加载（MTE2）的比例
column-npu_kernels-cube_feed_pct = Cube 填充
    .description = 其中填充其缓冲区（MTE1）的比例
column-npu_kernels-cube_store_pct = Cube 写出
    .description = 其中写出结果（FixPipe）的比例
column-npu_kernels-cube_scalar_pct = Cube 标量
    .description = 其中标量单元工作的比例
column-npu_kernels-vector_pct = Vector
    .description = vector 核的时间中，进行计算的比例
column-npu_kernels-vector_load_pct = Vector 加载
    .description = 其中从内存加载（MTE2）的比例
column-npu_kernels-vector_store_pct = Vector 写出
    .description = 其中写入内存（MTE3）的比例
column-npu_kernels-vector_scalar_pct = Vector 标量
    .description = 其中标量单元工作的比例
column-npu_kernels-cube_utilization_pct = Cube 利用率
    .description = profiler 所称的 cube 核利用率

## npu_steps

column-npu_steps-step = 迭代
    .description = 迭代的编号；采集时没有 schedule 则为空
column-npu_steps-computing_ns = 计算
    .description = 内核计算的时间，按 profiler
column-npu_steps-measured_computing_ns = 测得的计算
    .description = 同上，按 stepscope 对迭代中下发部分的测量
column-npu_steps-communication_ns = 通信
    .description = 集合通信执行的时间，按 profiler
column-npu_steps-measured_communication_ns = 测得的通信
    .description = 同上，按 stepscope 的测量
column-npu_steps-exposed_ns = 未掩盖
    .description = 其中没有计算的部分，按 profiler
column-npu_steps-measured_exposed_ns = 测得的未掩盖
    .description = 同上，按 stepscope 的测量
column-npu_steps-overlapped_ns = 掩盖
    .description = 内核计算时的通信，按 profiler
column-npu_steps-free_ns = 空闲
    .description = 两者皆无的时间，按 profiler
column-npu_steps-measured_free_ns = 测得的空闲
    .description = 同上，按 stepscope 的测量：从首个活动到最后一个活动
column-npu_steps-measured_copies_ns = 其中测得的拷贝
    .description = 其中有拷贝的部分
column-npu_steps-stage_ns = 阶段
    .description = 从首个到最后一个，不含接收，按 profiler
column-npu_steps-bubble_ns = 气泡
    .description = hcom_receive 的时间，按 profiler
column-npu_steps-preparing_ns = 准备
    .description = 从迭代开始到其首个工作，按 profiler

## npu_collectives

column-npu_collectives-op = 操作
    .description = 集合通信或点对点通信
column-npu_collectives-group = 组
    .description = 所有 rank 对该组的编号
column-npu_collectives-p2p = 点对点
    .description = 是否为两个 rank 之间的消息
column-npu_collectives-calls = 次数
    .description = 调用次数
column-npu_collectives-elapse_ns = 总计
    .description = 全部调用的时间
column-npu_collectives-transit_ns = 传输
    .description = 其中传输数据的时间
column-npu_collectives-wait_ns = 等待
    .description = 等待其他 rank 的时间
column-npu_collectives-synchronization_ns = 同步
    .description = 其中首次传输之前的部分：等待较晚到达的 rank
column-npu_collectives-idle_ns = 空闲
    .description = 既不传输也不等待的时间
column-npu_collectives-wait_pct = 等待占比
    .description = 等待占等待与传输的比例

## npu_links

column-npu_links-transport = 链路
    .description = 链路类型：HCCS、PCIE、SIO、RDMA，或前三者合计的 SDMA
column-npu_links-op = 操作
    .description = 集合通信或点对点通信
column-npu_links-calls = 次数
    .description = 使用它的调用次数
column-npu_links-bytes = 字节
    .description = 传输的数据
column-npu_links-transit_ns = 传输
    .description = 传输所用的时间
column-npu_links-bandwidth = 带宽
    .description = 字节除以时间
column-npu_links-packets = 分片
    .description = 分片数；未记录时为空
column-npu_links-packet_bytes = 分片大小
    .description = 分片的平均大小
column-npu_links-large_pct = 大分片
    .description = profiler 视为大分片的比例，按字节加权

## npu_pairs

column-npu_pairs-rank = rank
    .description = 其记录说明此事的 rank
column-npu_pairs-source = 发送
    .description = 发送的 rank 在组内的编号
column-npu_pairs-destination = 接收
    .description = 接收的 rank 在组内的编号
column-npu_pairs-source_rank = 发送 rank
    .description = 发送的 rank；没有记录说明是哪个时为空
column-npu_pairs-destination_rank = 接收 rank
    .description = 接收的 rank；没有记录说明是哪个时为空
column-npu_pairs-transport = 链路
    .description = 链路类型：LOCAL、HCCS、PCIE、SIO、RDMA
column-npu_pairs-op = 操作
    .description = 集合通信或点对点通信
column-npu_pairs-group = 组
    .description = 所有 rank 对该组的编号
column-npu_pairs-bytes = 字节
    .description = 传输的数据
column-npu_pairs-transit_ns = 传输
    .description = 传输所用的时间
column-npu_pairs-bandwidth = 带宽
    .description = 字节除以时间
column-npu_pairs-fastest = 最快
    .description = 最快调用的带宽
column-npu_pairs-slowest = 最慢
    .description = 最慢调用的带宽
column-npu_pairs-slowest_call = 最慢的调用
    .description = 最慢调用的名称

## npu_memory

column-npu_memory-device = 设备
    .description = NPU:0 等
column-npu_memory-component = 组件
    .description = PTA：torch_npu 的分配器；GE：图的分配器；WORKSPACE；APP：整个进程；或 CANN 的模块
column-npu_memory-records = 记录
    .description = 其总量的记录次数
column-npu_memory-peak_allocated_bytes = 已分配峰值
    .description = 同时分配的最大值；只知道预留显存时为空
column-npu_memory-at_ns = 峰值时间
    .description = 首次达到该值的时间，按 trace 的时钟
column-npu_memory-reserved_then_bytes = 当时预留
    .description = 该时刻的预留
column-npu_memory-peak_reserved_bytes = 预留峰值
    .description = 同时预留的最大值
column-npu_memory-peak_active_bytes = 活跃峰值
    .description = 已分配或仍被其他流使用的最大值

## npu_memory_peak

column-npu_memory_peak-device = 设备
    .description = NPU:0 等
column-npu_memory_peak-component = 组件
    .description = PTA：torch_npu 的分配器；GE：图的分配器
column-npu_memory_peak-op = 算子
    .description = 分配它的算子
column-npu_memory_peak-blocks = 块
    .description = 占用的分配数；其余部分为空
column-npu_memory_peak-bytes = 字节
    .description = 其占用；一个组件的所有行相加为全部已分配
column-npu_memory_peak-share_pct = 占比
    .description = 占峰值时全部已分配的比例
column-npu_memory_peak-kept_bytes = 未释放
    .description = 其中记录结束前未释放的字节
column-npu_memory_peak-at_ns = 峰值时间
    .description = 峰值的时间，按 trace 的时钟

## compilations

column-compilations-file = 日志
    .description = 它所在的日志
column-compilations-compile_id = 编译编号
    .description = 函数及其编译的编号，按 torch 的写法
column-compilations-direction = 方向
    .description = forward（前向），或 backward（反向在首次运行时编译）
column-compilations-function = 函数
    .description = 被编译的函数；图中断之后继续执行的函数在名称中标明
column-compilations-source = 源代码行
    .description = 函数的文件与行
column-compilations-step = 迭代
    .description = 编译开始时所在的迭代；在各迭代之外，或没有与其时钟一致的 trace 时为空
column-compilations-start_ns = 开始
    .description = 开始时间，按 trace 的时钟；未知时为空
column-compilations-duration_ns = 时长
    .description = 从开始到结束；没有结束时为空
column-compilations-dynamo_ns = Dynamo
    .description = 其中 Dynamo 的时间：追踪、guard 以及不属于其他部分的时间
column-compilations-autograd_ns = AOTAutograd
    .description = 其中 AOTAutograd 的时间
column-compilations-inductor_ns = Inductor
    .description = 其中 Inductor 生成代码之前的时间
column-compilations-codegen_ns = 代码生成
    .description = 其中生成代码的时间
column-compilations-kernels_ns = 编译内核
    .description = 其中等待内核编译完成的时间
column-compilations-cache = 缓存
    .description = hit：图在缓存中；miss、bypass；没有查询缓存时为空
column-compilations-outcome = 结果
    .description = compiled（已编译）、no code（没有可编译的内容）、failed（失败）或 unfinished（日志先结束）
column-compilations-recompile = 重新编译
    .description = 该函数之前是否已编译过
column-compilations-operators = 算子
    .description = 图中的算子数
column-compilations-guards = guard
    .description = 每次调用都要检查的条件数
column-compilations-graph_breaks = 图中断
    .description = 编译中遇到的图中断数
column-compilations-restarts = 重启
    .description = 因图中断或大小变为动态而重新开始的次数
column-compilations-failure = 失败原因
    .description = 失败的原因

## recompiles

column-recompiles-file = 日志
    .description = 它所在的日志
column-recompiles-compile_id = 编译编号
    .description = 函数及其编译的编号，按 torch 的写法
column-recompiles-function = 函数
    .description = 被重新编译的函数
column-recompiles-source = 源代码行
    .description = 函数的文件与行
column-recompiles-kind = 种类
    .description = 什么发生了改变：size、dynamic size、value、dtype、object、requires_grad、layout、mode 或 other
column-recompiles-reason = 原因
    .description = 之前那次编译中失败的 guard
column-recompiles-guard_source = guard 来源
    .description = guard 来自哪一行；日志没有说明时为空
column-recompiles-cached = 之前的编译
    .description = 该函数之前的编译数：它们的 guard 都失败了
column-recompiles-step = 迭代
    .description = 编译开始时所在的迭代；在各迭代之外，或没有与其时钟一致的 trace 时为空
column-recompiles-start_ns = 开始
    .description = 开始时间，按 trace 的时钟；未知时为空
column-recompiles-duration_ns = 时长
    .description = 其时间，包括其反向的编译
column-recompiles-outcome = 结果
    .description = compiled、failed、limit（不再编译，以 eager 模式运行）或 unfinished
column-recompiles-advice = 建议
    .description = 如何处理

## graph_breaks

column-graph_breaks-source = 源代码行
    .description = 程序中图结束的行
column-graph_breaks-at = 中断处
    .description = 造成中断的行（在库中时）；否则与前者相同
column-graph_breaks-function = 函数
    .description = 该行所在的函数
column-graph_breaks-reason = 原因
    .description = 什么无法编译
column-graph_breaks-explanation = 说明
    .description = Dynamo 对它的说明
column-graph_breaks-hint = 提示
    .description = Dynamo 首先给出的建议
column-graph_breaks-compilations = 编译数
    .description = 遇到它的编译数
column-graph_breaks-first_ns = 其后
    .description = 编译其后继续执行的函数耗时；没有时为空
column-graph_breaks-stack = 调用栈
    .description = 调用位置，最外层在前

## compiled_kernels

column-compiled_kernels-kernel = 内核
    .description = 内核名称；多个图可能有同名内核
column-compiled_kernels-lines = 源代码行
    .description = 它来自程序的哪些行；日志没有说明时为空
column-compiled_kernels-origin = 依据
    .description = 如何得知：provenance（由 Inductor 给出）或 graph（由图中的节点推出）
column-compiled_kernels-nodes = 节点
    .description = 生成它的图节点
column-compiled_kernels-before = 操作
    .description = 这些节点原来是程序中的哪些操作
column-compiled_kernels-compilations = 编译数
    .description = 含有此名称内核的编译数
column-compiled_kernels-compile_ids = 编译编号
    .description = 是哪些编译
column-compiled_kernels-calls = 次数
    .description = trace 中此名称的内核数；日志旁没有 GPU 活动时为空
column-compiled_kernels-gpu_ns = GPU 时间
    .description = 这些内核的 GPU 时间

## host_samples

column-host_samples-name = 函数
    .description = 函数；没有调用栈时为 (unattributed)
column-host_samples-file = 文件
    .description = 它所在的文件；采样没有说明时为空
column-host_samples-samples = 采样数
    .description = 它作为最内层函数的采样数
column-host_samples-share_pct = 占全部
    .description = 占该 rank 采样数的比例
column-host_samples-total_samples = 含被调用者
    .description = 它在调用栈中任何位置的采样数
column-host_samples-total_pct = 含被调用者，占全部
    .description = 占该 rank 采样数的比例
column-host_samples-line = 行
    .description = 正在运行或发起调用的行
column-host_samples-thread = 线程
    .description = 线程的名称
