# stepscope doctor 的检查结果，以及各自的解决办法（-fix）。

doctor-status-ok = 正常
doctor-status-warning = 警告
doctor-status-failed = 失败
doctor-status-not-applicable = 不适用
doctor-fix = 解决办法：{ $fix }
doctor-works = 所要求的功能在这里都能使用。
doctor-does-not-work = 在这里不能使用：{ $purposes }。

doctor-driver-ok = NVIDIA 驱动 { $version }，{ $gpus } 块 GPU（{ $name }）
doctor-driver-absent = 没有 NVIDIA 驱动：只能采集作业的 CPU 部分
doctor-driver-absent-fix = 在有 GPU 的机器上请安装驱动；容器请用 --gpus all 启动。
doctor-driver-no-smi = NVIDIA 驱动 { $version }，但没有 nvidia-smi
doctor-driver-no-smi-fix = 在容器中请设置 NVIDIA_DRIVER_CAPABILITIES=compute,utility。
doctor-driver-smi-failed = nvidia-smi 失败：{ $reason }
doctor-driver-smi-failed-fix = 更新驱动之后请加载新模块或重启；否则请重新安装驱动。
doctor-driver-no-gpu = NVIDIA 驱动 { $version }，但看不到 GPU
doctor-driver-no-gpu-fix = 容器请用 --gpus all 启动；在 Slurm 中请用 --gres=gpu:1 申请。

doctor-torch-ok = { $python } 中的 PyTorch { $version }，可见 { $gpus } 块 GPU
doctor-torch-cpu = { $python } 中的 PyTorch { $version }：采集 CPU 部分
doctor-torch-absent = { $python } 中没有 PyTorch
doctor-torch-absent-fix = 请用 --python PATH 指定作业的解释器。
doctor-torch-no-python = { $python } 不是可用的解释器{ $reason ->
    [none] {""}
   *[other] ：{ $reason }
}
doctor-torch-no-python-fix = 请用 --python PATH 指定作业的解释器。
doctor-torch-not-imported = { $python } 不能导入 PyTorch：{ $reason }
doctor-torch-not-imported-fix = 请修正 PyTorch 的安装；使用该解释器的作业会同样失败。
doctor-torch-cpu-build = { $python } 中的 PyTorch { $version } 是 CPU 版本：不使用本机的 GPU
doctor-torch-cpu-build-fix = 请安装 CUDA 版本的 PyTorch，或用 --python PATH 指定其他解释器。
doctor-torch-sees-no-gpu = { $python } 中的 PyTorch { $version } 看不到 GPU，尽管有驱动
doctor-torch-sees-no-gpu-fix = 请检查 CUDA_VISIBLE_DEVICES，以及驱动对该版本的 PyTorch 是否足够新。

doctor-cupti-ok = PyTorch 的 profiler 能采集 GPU 活动（测试中 { NUMBER($activities) } 个）
doctor-cupti-not-applicable = PyTorch 在这里不使用 GPU
doctor-cupti-no-activity = PyTorch 的 profiler 没有采集到任何 GPU 活动：缺少 CUPTI，或被其他 profiler 占用
doctor-cupti-no-activity-fix = 请结束该进程的其他 profiler（nsys、ncu、CUDA_INJECTION64_PATH），并确认能找到与 PyTorch 的 CUDA 版本对应的 libcupti。
doctor-cupti-no-permission = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES：PyTorch 的 profiler 无权采集 GPU 活动
doctor-cupti-no-permission-fix = 与性能计数器相同（stepscope doctor --for ncu）。
doctor-cupti-error = PyTorch 的 profiler 失败：{ $reason }
doctor-cupti-error-fix = 被采集的作业会同样失败：请先修正 PyTorch 的安装。

doctor-compile_log-recorded = { $folder } 中有 { $logs } 份 torch.compile 日志：stepscope report { $folder } 会给出编译、重新编译与图中断
doctor-compile_log-set = torch.compile 把日志写入 { $folder }（TORCH_TRACE），其中还没有日志
doctor-compile_log-off = 未设置 TORCH_TRACE，{ $folder } 中也没有 torch.compile 日志：stepscope record --compile-log，或在作业命令前加 TORCH_TRACE=文件夹，即可记录编译、重新编译与图中断

doctor-nsys-ok = Nsight Systems { $version }
doctor-nsys-off-path = Nsight Systems { $version }，不在 PATH 中：{ $path }
doctor-nsys-absent = 没有 nsys：stepscope nsys 需要 Nsight Systems { $oldest } 或更新版本
doctor-nsys-absent-fix = 请安装 Nsight Systems（NVIDIA 软件源中的 nsight-systems），或用 --nsys PATH 指定。
doctor-nsys-broken = { $path } 不是可用的 Nsight Systems：文件不存在，或只负责查找安装
doctor-nsys-broken-fix = 请安装 Nsight Systems（NVIDIA 软件源中的 nsight-systems），或用 --nsys PATH 指定。
doctor-nsys-old = Nsight Systems { $version }（{ $path }）早于 { $oldest }，即试过的最早版本
doctor-nsys-old-fix = 请另装较新的版本，并用 --nsys PATH 指定。

doctor-ncu-ok = Nsight Compute { $version }
doctor-ncu-off-path = Nsight Compute { $version }，不在 PATH 中：{ $path }
doctor-ncu-absent = 没有 ncu：stepscope ncu 需要 Nsight Compute { $oldest } 或更新版本
doctor-ncu-absent-fix = 请安装 Nsight Compute（NVIDIA 软件源中的 nsight-compute），或用 --ncu PATH 指定。
doctor-ncu-broken = { $path } 不是可用的 Nsight Compute：文件不存在，或只负责查找安装
doctor-ncu-broken-fix = 请安装 Nsight Compute（NVIDIA 软件源中的 nsight-compute），或用 --ncu PATH 指定。
doctor-ncu-old = Nsight Compute { $version }（{ $path }）早于 { $oldest }，即试过的最早版本
doctor-ncu-old-fix = 请另装较新的版本，并用 --ncu PATH 指定。

doctor-nvtx-ok = NVTX 区间已采集并读回：{ $names }
doctor-nvtx-not-applicable = 没有 nsys 就不能采集区间
doctor-nvtx-no-library = 解释器中没有产生 NVTX 区间的库（CUDA 版本的 PyTorch，或 nvtx 包）
doctor-nvtx-lost = 在 Nsight Systems { $version } 下，由以下库产生的区间会丢失且没有报错：{ $names }
doctor-nvtx-lost-fix = 请使用更新的 nsys；或 0.2.12 之前的 nvtx 包。
doctor-nvtx-no-report = nsys 采集了测试，但没有留下报告{ $reason ->
    [none] {""}
   *[other] ：{ $reason }
}
doctor-nvtx-no-report-fix = 请运行 nsys status --environment，并检查临时文件夹（TMPDIR）是否有空间。
doctor-nvtx-no-importer = nsys 采集了测试，但不能生成报告：缺少导入程序
doctor-nvtx-no-importer-fix = 请完整安装 Nsight Systems（host 与 target）；或在其他机器上转换：QdstrmImporter -i FILE.qdstrm -o FILE.nsys-rep
doctor-nvtx-no-export = nsys 采集了测试，但不能导出{ $reason ->
    [none] {""}
   *[other] ：{ $reason }
}
doctor-nvtx-no-export-fix = 请重新安装 Nsight Systems，各部分版本须一致。

doctor-counters-ok = GPU 性能计数器对所有人开放
doctor-counters-ok-admin = GPU 性能计数器只对管理员开放，而本进程具有该权限
doctor-counters-not-applicable = 没有可读取计数器的 NVIDIA 驱动
doctor-counters-unknown = 驱动没有说明谁可以读取性能计数器
doctor-counters-restricted = GPU 性能计数器只对管理员开放（ERR_NVGPUCTRPERM）：ncu 不能使用，nsys 不能采集 GPU 指标
doctor-counters-restricted-fix = 请以 root 运行；或对所有人开放，然后重启：
doctor-counters-restricted-container = GPU 性能计数器只对管理员开放，而该容器没有权限（ERR_NVGPUCTRPERM）：ncu 不能使用，nsys 不能采集 GPU 指标
doctor-counters-restricted-container-fix = 请用 --cap-add SYS_ADMIN 启动容器；或在宿主机上对所有人开放，然后重启。多数租用的机器两者都不允许：那里只能用 nsys 和 PyTorch 的 profiler。
doctor-counters-restricted-kubernetes = GPU 性能计数器只对管理员开放，而该 pod 没有权限（ERR_NVGPUCTRPERM）：ncu 不能使用，nsys 不能采集 GPU 指标
doctor-counters-restricted-kubernetes-fix = 请为容器加上 securityContext.capabilities.add: ["SYS_ADMIN"]；或让 GPU operator 以 NVreg_RestrictProfilingToAdminUsers=0 加载驱动（driver.kernelModuleConfig）。

doctor-dcgm-ok = 没有看到会占用 GPU 计数器的 DCGM
doctor-dcgm-not-applicable = 没有 NVIDIA 驱动
doctor-dcgm-running = { $names } 正在运行，可能占用 GPU 计数器：此时 ncu 与 nsys 的 GPU 指标会因“已被占用”而失败
doctor-dcgm-running-fix = 采集时请暂停，之后恢复：

doctor-clocks-ok = GPU 时钟没有受到限制；也没有锁定，因此短测试的用时会有百分之几的波动
doctor-clocks-locked = GPU 时钟已设定（GPU { $gpus }）：便于比较，但比不设定时慢
doctor-clocks-not-applicable = 没有 nvidia-smi 可供查询
doctor-clocks-unknown = nvidia-smi 没有给出时钟受限的原因
doctor-clocks-hot = GPU 因过热而降频（GPU { $gpus }）：现在测得的用时偏慢
doctor-clocks-hot-fix = 请检查散热以及机器上的其他负载；nvidia-smi -q -d PERFORMANCE 会显示原因。
doctor-clocks-slowed = GPU 被硬件降频（GPU { $gpus }）：供电或过热
doctor-clocks-slowed-fix = nvidia-smi -q -d PERFORMANCE 会显示原因；需由机器的管理者处理。
doctor-clocks-power-capped = GPU 运行在功率上限（GPU { $gpus }）：负载下属正常，但会使两次运行有差别
doctor-clocks-power-capped-fix = 比较时请把时钟锁定在上限以下，之后复位：

doctor-perf_events-ok = 可以对所有进程的 CPU 采样（perf_event_paranoid { $level }）
doctor-perf_events-ok-tree = 可以对作业自身进程的 CPU 采样（perf_event_paranoid { $level }）
doctor-perf_events-not-applicable = 该内核没有 perf events
doctor-perf_events-paranoid = 不允许 CPU 采样（perf_event_paranoid { $level }）：stepscope nsys --with cpu 采集不到；其余正常
doctor-perf_events-paranoid-fix = 允许采样，直到下次启动：
doctor-perf_events-filtered = 不允许 CPU 采样：被容器的 seccomp 配置禁止；stepscope nsys --with cpu 采集不到
doctor-perf_events-filtered-fix = 请用 --cap-add PERFMON 或 --security-opt seccomp=unconfined 启动容器。

doctor-ptrace-ok = 可以查看运行中的进程
doctor-ptrace-children-only = 进程只能查看自己启动的进程（ptrace_scope { $scope }）：py-spy 不能用于运行中的作业
doctor-ptrace-children-only-fix = 请用 stepscope record --on-demand 启动作业，它不需要该权限；或允许查看，直到下次启动：
doctor-ptrace-admin-only = 只有管理员可以查看进程（ptrace_scope { $scope }）：py-spy 不能用于运行中的作业
doctor-ptrace-admin-only-fix = 请用 stepscope record --on-demand 启动作业，它不需要该权限；或以 root 运行 py-spy。
doctor-ptrace-never = 任何人都不能查看进程（ptrace_scope { $scope }）：py-spy 不能用于运行中的作业
doctor-ptrace-never-fix = 请用 stepscope record --on-demand 启动作业，它不需要该权限。

doctor-container-ok = 该容器具有采集可能需要的全部权能（capabilities）
doctor-container-not-applicable = 这不是容器
doctor-container-lacking = 该容器缺少 { $names }：计数器、CPU 采样或 py-spy 可能被拒绝；PyTorch 的 profiler 可以使用
doctor-container-lacking-fix = 请用 { $options } 启动容器。

doctor-disk-ok = { $folder } 剩余 { BYTES($free_bytes) }
doctor-disk-unknown = 不能得知 { $folder } 的剩余空间
doctor-disk-unknown-fix = 请用 --out DIR 指定其他文件夹。
doctor-disk-little = { $folder } 剩余 { BYTES($free_bytes) }：够少数 rank 的短窗口使用
doctor-disk-little-fix = 请用 --out DIR 指定其他文件夹，并用 TMPDIR 指定其他临时文件夹。
doctor-disk-full = { $folder } 剩余 { BYTES($free_bytes) }：采集会被截断
doctor-disk-full-fix = 请用 --out DIR 指定其他文件夹，并用 TMPDIR 指定其他临时文件夹。
