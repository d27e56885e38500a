# What a recording may lack, and what cannot be shown without it.

need-gpu-lack = no GPU activity
need-gpu-views = anything of the GPU
need-runtime-lack = no CUDA or HIP calls
need-runtime-views = launches
need-os-calls-lack = no calls of the C library
need-os-calls-views = the calls in which the host waits for files, locks and other threads
need-cpu-samples-lack = no samples of the CPU
need-cpu-samples-views = which functions the CPU ran
need-thread-switches-lack = no context switches
need-thread-switches-views = how long threads were on a CPU
need-page-faults-lack = no page faults of unified memory
need-page-faults-views = page faults of unified memory
need-operators-lack = no operators
need-operators-views = self times and GPU time by operator
need-shapes-lack = no input shapes
need-shapes-views = operators by shape and FLOPs
need-stacks-lack = no Python stacks
need-stacks-views = source lines and modules
need-counters-lack = no hardware counters
need-counters-views = hardware counters of kernels
need-telemetry-lack = no counters over time
need-telemetry-views = power, clocks and activity of the GPU over time
need-memory-lack = no memory events
need-memory-views = memory over time
need-snapshot-lack = no memory snapshot
need-snapshot-views = segments, fragmentation, categories, growth by stack and out-of-memory events
