# What a profiler adds up itself.

totals-host-time = host time is no GPU time: operators take { TIME($host_ns) } on the host, from launch to synchronization or to the end of the launch, and { TIME($activity_ns) } of GPU activity
totals-activity = GPU activity of an operator is what CUPTI counts for it, memcpys, memsets and calls included: it may be more than its kernels take
totals-first-launch = operator, stream, grid and block are those of the first launch of a kernel; other operators may launch it too
