### What the critical path consists of.

pathkind-communication = communication
pathkind-compute = GPU compute
pathkind-data-loading = CPU waiting for the data loader
pathkind-gpu-gap = GPU inter-kernel gap
pathkind-launch-latency = launch latency
pathkind-memcpy = memcpy
pathkind-memset = memset
pathkind-operator = CPU in operators
pathkind-other = CPU elsewhere
pathkind-python = CPU in Python
pathkind-runtime = CPU in runtime calls
pathkind-sync-return = return from synchronization
pathkind-unknown = launch not recorded
