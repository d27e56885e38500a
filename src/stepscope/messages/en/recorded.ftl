# What a recording holds.

recorded = { $held }
recorded-activity = GPU work
recorded-runtime = CUDA calls
recorded-operators = operators
recorded-shapes = shapes
recorded-stacks = Python stacks
recorded-modules = modules
recorded-flops = FLOPs
recorded-memory = memory events
recorded-snapshot = segments and blocks
recorded-history = history of allocations
recorded-annotations = ranges
recorded-os-calls = calls of the operating system
recorded-samples = CPU samples
recorded-switches = context switches
recorded-page-faults = page faults
recorded-cuda-memory = CUDA allocations
recorded-kernel-reports = profiled kernels
recorded-collectives = the last collectives
recorded-input-pipeline = input pipeline
recorded-cpu-usage = CPU use
recorded-bandwidths = bandwidth of collectives
recorded-compilations = compilations
recorded-counters = counters
