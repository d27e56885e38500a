# Words for the values of columns that have few.

value-cause-host_late = late launch
value-cause-sync = synchronization
value-cause-data_loading = data loading
value-cause-memory_copy = memory copy
value-cause-communication_wait = waiting for communication
value-cause-launch_latency = launch latency
value-cause-dependency = inter-kernel gap
value-cause-unknown = unknown

value-bottleneck-uncoalesced = uncoalesced access
value-bottleneck-bank-conflicts = bank conflicts
value-bottleneck-divergence = divergent branches
value-bottleneck-partial-warps = partial warps
value-bottleneck-occupancy = low occupancy
value-bottleneck-small-grid = small grid
value-bottleneck-tail = tail effect
value-bottleneck-atomics = contended atomics
value-bottleneck-local-memory = local memory
value-bottleneck-double-precision = FP64
value-bottleneck-dram = DRAM bandwidth
value-bottleneck-l2 = L2 bandwidth
value-bottleneck-l1 = L1/TEX bandwidth
value-bottleneck-compute = compute-bound
value-bottleneck-latency = latency-bound
value-bottleneck-unknown = not measured

value-yes = yes
value-no = no
