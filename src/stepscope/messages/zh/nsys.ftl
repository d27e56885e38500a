# stepscope nsys 对作业所说的话。

nsys-done = 已采集并导出 { $reports } 份 Nsight Systems 报告：{ $folder }
nsys-printed-steps = 上面的命令在脚本自己调用 torch.cuda.profiler.start 与 stop 之间采集；不加 --print 运行时，stepscope 会在相应的迭代进行这些调用
nsys-left-out = Nsight Systems { $version } 不能采集 “{ $record }”，已略去
nsys-ends-job = Nsight Systems { $version } 会在窗口结束时终止作业：请使用更新的版本，或改用 --after 和 --duration
nsys-not-exported = { $report } 已采集，但 nsys export 失败：{ $reason }
nsys-raw = { $raw } 已采集，但没有生成报告：缺少导入程序或导入失败。可在带有导入程序的安装上运行：QdstrmImporter -i { $raw } -o { $report }
nsys-nothing = Nsight Systems 没有采集任何内容
nsys-no-range = 没有打开名为 “{ $name }” 的 NVTX 区间：不带 @DOMAIN 的名称指默认域，NAME@* 指任意域
nsys-no-calls = 脚本没有调用 torch.cuda.profiler.start，或没有使用 CUDA
nsys-ended-before = 作业是否在 { NUMBER($after) } 秒内就结束了？--after 指定从何时开始采集
nsys-not-allowed = 已略去 “{ $record }”
