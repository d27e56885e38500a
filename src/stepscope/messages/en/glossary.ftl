### The words of the field as stepscope uses them. `.tables` names the tables that measure the word, in English only.
### scripts/update_glossary makes docs/glossary.md, docs/glossary.zh-CN.md and the glossary of the web app from this.

## Recordings

glossary-recording = recording
    .means = What one recorder wrote about one process or machine, for example a trace of torch.profiler.
    .tables = metadata
glossary-run = run
    .means = Everything recorded of one job: the recordings of all its ranks.
    .tables = metadata, health
glossary-rank = rank
    .means = One process of a distributed job, by its number in the job. A job on one GPU has one rank.
    .tables = summary, metadata
glossary-worker-span = span of a worker
    .means = One of several recordings of the same process, as TensorBoard calls it: the profiler's schedule was active more than once.
    .tables = health
glossary-health = health
    .means = The checks that say which share of a recording can be trusted: launches linked, events dropped or damaged, steps cut, clocks, categories not recorded. Read it before any number.
    .tables = health
glossary-profiler-overhead = profiler overhead
    .means = The time that recording adds to a step, nearly all of it on the CPU. stepscope simulates the step without it and gives the step time as a range.
    .tables = step_time

## Steps

glossary-step = step
    .means = One iteration of the training loop: a `ProfilerStep#N` range; without those, the time between two optimizer steps or a range that repeats; else the whole trace.
    .tables = steps
glossary-cpu-range = CPU range
    .means = The step as the CPU sees it, from the start to the end of its host range. Where the CPU runs ahead of the GPU, it is not the step time.
    .tables = steps
glossary-gpu-period = GPU period
    .means = The step as the GPU sees it: from the end of the previous step's last activity to the end of its own.
    .tables = steps
glossary-gpu-lag = GPU lag
    .means = How long after the end of a step's CPU range the last activity launched in it ends.
    .tables = steps
glossary-step-time = step time
    .means = The mean time of the recorded whole steps; with and without profiler overhead.
    .tables = step_time
glossary-step-breakdown = step breakdown
    .means = The CPU range of a step divided exactly, each point in time counted once: compute, else communication, memcpy, memset, runtime call, data loading, operator, other.
    .tables = steps
glossary-step-trace = step trace
    .means = The step divided exactly into interval, forward and backward, and tail, on the GPU timeline. The interval lies before the model's first kernel, the tail after its last.
    .tables = step_trace

## Work of the GPU

glossary-activity = activity
    .means = Anything that ran on the GPU: a kernel, a memcpy or a memset.
    .tables = summary, kernels, memcpy
glossary-launch = launch
    .means = The CUDA, HIP or driver call that queued an activity. One launch may queue hundreds of them (CUDA graph).
    .tables = launches
glossary-compute = compute
    .means = Kernels that are not communication.
    .tables = summary, kernels
glossary-communication = communication
    .means = Kernels of collectives and of point-to-point messages, such as those of NCCL or RCCL.
    .tables = communication
glossary-memcpy = memcpy, memset
    .means = Copying memory, and setting it to a value, by the GPU's copy engines or the driver. A copy made by a kernel is compute.
    .tables = memcpy
glossary-gemm = GEMM
    .means = General matrix multiplication: kernels that multiply matrices, the core of linear layers.
    .tables = kernels, roofline
glossary-cuda-graph = CUDA graph
    .means = Recorded GPU work that one call replays, so that its kernels need no launches of their own. HIP graph on AMD.
    .tables = graphs
glossary-short-kernel = short kernel
    .means = A kernel of less than 10 us: about what an operator of eager PyTorch and its launch cost on the CPU, so launching such kernels one by one cannot keep the GPU busy.
    .tables = short_kernels, kernel_lengths

## Where GPU time goes

glossary-span = span
    .means = From the start of the first activity to the end of the last one. Exactly: compute + exposed communication + exposed memcpy and memset + GPU idle.
    .tables = summary
glossary-gpu-busy = GPU busy
    .means = Time in which at least one activity runs on the GPU, however few of its SMs that uses.
    .tables = summary, utilization
glossary-gpu-idle = GPU idle
    .means = Time within the span in which no activity runs: span less GPU busy. Table idle divides it among causes.
    .tables = idle, summary
glossary-overlap = overlap
    .means = The share of communication time during which compute runs as well.
    .tables = summary, rank_matrix
glossary-exposed-communication = exposed communication
    .means = Communication during which no compute runs on the same rank. Only this part makes a step longer.
    .tables = summary, communication
glossary-exposed-memory = exposed memcpy and memset
    .means = Memcpys and memsets during which neither compute nor communication runs.
    .tables = summary

## Why the GPU waits

glossary-host-wait = host wait
    .means = The time for which a stream had no work before the next launch began: the GPU waits for the CPU.
    .tables = launches
glossary-launch-latency = launch latency
    .means = From the start of a launch to the start of its activity on an idle stream, the call itself included.
    .tables = launches, idle
glossary-queueing = queueing
    .means = The time for which launched work waits behind earlier work of its stream. Long queueing is healthy: the GPU has work.
    .tables = launches, queue_depth
glossary-late-launch = late launch
    .means = The cause of idle time in which the CPU had not launched the next activity yet, because it was busy with operators, Python or a library.
    .tables = idle
glossary-synchronization = synchronization
    .means = A call that blocks its CPU thread until the GPU, a copy or memory is ready, such as `cudaStreamSynchronize` or `.item()`. No work is launched meanwhile.
    .tables = sync, idle
glossary-inter-kernel-gap = inter-kernel gap
    .means = Idle time between activities that were already queued: the GPU's own time to go from one to the next, or a dependency between streams.
    .tables = idle
glossary-critical-path = critical path
    .means = The chain of work and waits that determines how long a step takes: at each point in time exactly one thing. Shortening anything else does not shorten the step.
    .tables = critical_path

## Bottlenecks

glossary-bottleneck = bottleneck
    .means = The resource that limits the step: speeding it up a little shortens the step by nearly as much.
    .tables = step_time, critical_path
glossary-host-bound = host-bound
    .means = The CPU cannot launch work as fast as the GPU completes it, so the GPU is starved of kernel launches.
    .tables = step_time, idle
glossary-input-bound = input-bound
    .means = The step waits for the data loader, or for copies of the batch to the GPU.
    .tables = data_loading
glossary-gpu-bound = GPU-bound
    .means = The GPU is busy nearly all the time: only less or faster GPU work shortens the step.
    .tables = step_time, kernels
glossary-communication-bound = communication-bound
    .means = Exposed communication, waiting for other ranks included, limits the step.
    .tables = step_time, communication, stragglers

## CPU side

glossary-operator = operator
    .means = A PyTorch operator such as `aten::mm`, as the CPU calls it. Its GPU time is that of the activities launched while it ran.
    .tables = operators
glossary-self-time = self time
    .means = Time of an operator, range or module without what it calls. Self times add up to the total.
    .tables = operators, annotations, modules
glossary-flame-graph = flame graph
    .means = Time by stack, drawn as boxes in one another: each frame once for all its calls, as wide as the time in it.
    .tables = flame_graph
glossary-frame = frame
    .means = A function, module, range or operator in one place of a stack.
    .tables = flame_graph
glossary-instance = instance
    .means = One execution of a kernel, operator, range or call. An outlier is an instance much longer than the others of its name.
    .tables = instances, durations
glossary-backward-function = backward function
    .means = What the autograd engine runs for an operator of the forward pass, such as `MmBackward0`. Sequence numbers lead from it back to that operator.
    .tables = modules, operators
glossary-user-frame = source line
    .means = File and line of the innermost Python function of the user's own code, recorded with `with_stack=True`. The line is where the function begins.
    .tables = operators, idle
glossary-compilation = compilation
    .means = One translation of a function by `torch.compile`: Dynamo traces it, AOTAutograd splits forward and backward, Inductor generates kernels. The first call pays for it.
    .tables = compilations
glossary-guard = guard
    .means = A condition on which compiled code relies, such as a size, a type or the value of a Python number. It is checked at each call.
    .tables = recompiles
glossary-recompile = recompile
    .means = A further compilation of the same function, because a guard failed. Beyond a limit the function runs eagerly.
    .tables = recompiles
glossary-graph-break = graph break
    .means = A line that `torch.compile` cannot put into a graph: the function is split there, and Python runs in between.
    .tables = graph_breaks

## Many ranks

glossary-hang = hang
    .means = A collective that some rank of its group has not completed while ranks wait in it: until the timeout nothing goes on. Often one rank never entered it.
    .tables = hangs, hang_ranks, hang_calls
glossary-flight-recorder = flight recorder
    .means = What PyTorch keeps of the last collectives of each process (group, number, sizes, state, stack), and writes when one times out.
    .tables = hangs, hang_ranks, collective_records
glossary-straggler = straggler
    .means = A rank that makes the others wait because of its own work, in enough steps and by more than chance.
    .tables = stragglers, job
glossary-lateness = lateness
    .means = How much later than the median of the others a rank arrives at its collectives because of its own work, summed over a step.
    .tables = stragglers
glossary-waiting = waiting
    .means = The part of a collective's kernel before the last rank has arrived. No data moves yet.
    .tables = collectives, rank_waits
glossary-transfer = transfer
    .means = The part of a collective after its last rank has arrived, in which data moves.
    .tables = collectives, communication
glossary-algbw = algorithm bandwidth (algbw)
    .means = Bytes of a collective over its transfer time.
    .tables = communication, collectives
glossary-busbw = bus bandwidth (busbw)
    .means = Algorithm bandwidth times the factor of the operation, such as 2 (n - 1) / n for all-reduce, so that it compares with the speed of the links. Defined as in NCCL tests.
    .tables = communication, collectives
glossary-bubble = pipeline bubble
    .means = Time in which a pipeline stage could compute but has no microbatch.
    .tables = pipeline
glossary-expert-imbalance = expert imbalance
    .means = The largest load of a rank over the mean load of its group, in all-to-all calls of a mixture of experts.
    .tables = experts

## Findings

glossary-finding = finding
    .means = Something in the recording that costs time, with its evidence, the saving, and how that was derived.
    .tables = findings
glossary-recommendation = recommendation, fix
    .means = What to change because of a finding, as lines of code where possible.
    .tables = findings
glossary-saving = saving
    .means = How much shorter the step would be with the fix, for the step without profiler overhead. Savings do not add up.
    .tables = findings
glossary-range = range
    .means = The lowest and the highest value that an estimate may have, for example because profiler overhead is known only approximately.
    .tables = findings, step_time
glossary-confidence = confidence
    .means = High, medium or low: how narrow the range of a saving is, and whether the recording shows that the fix is possible.
    .tables = findings
glossary-simulated = simulated
    .means = Computed by replaying the recorded work, launches and waits with something changed. Recorded values come from the trace itself.
    .tables = step_time, findings
glossary-what-if = what-if
    .means = A simulation of the step with a change that you choose: `stepscope what-if`.

## GPU efficiency

glossary-sm-efficiency = SM efficiency
    .means = The share of the GPU's multiprocessors (SMs) that have a block of a computing kernel, averaged over time. An estimate from grid sizes.
    .tables = utilization
glossary-occupancy = occupancy
    .means = The share of an SM's warps that are active while a kernel runs, estimated from its registers, shared memory and grid. Low occupancy need not be slow.
    .tables = utilization, kernels, kernel_reports
glossary-kernel-report = kernel report
    .means = What Nsight Compute measured of single kernels, each replayed several times: how busy every unit was, occupancy, and what warps waited for. It holds no times of the program.
    .tables = kernel_reports, kernel_metrics, kernel_rules
glossary-warp-stall = warp stall
    .means = Cycles in which a warp cannot issue its next instruction, by reason: data from memory, a barrier, a busy pipe. They matter where the schedulers have no other warp to issue.
    .tables = kernel_stalls
glossary-wavefront = wavefront
    .means = One pass of the L1/TEX unit over a request of a warp. A request to shared memory without bank conflicts takes one for each 128 bytes.
    .tables = kernel_memory
glossary-eligible-warp = eligible warp
    .means = A warp that could issue its next instruction in this cycle. A scheduler issues one of them; in a cycle without any its issue slot is lost.
    .tables = kernel_details
glossary-coalesced = coalesced access
    .means = Threads of a warp that access neighbouring addresses, so that every byte of the 32-byte sectors that are fetched is used.
    .tables = kernel_reports, kernel_memory
glossary-bank-conflict = bank conflict
    .means = Threads of a warp that access different addresses in one bank of shared memory: the accesses take place one after another.
    .tables = kernel_reports, kernel_memory
glossary-tensor-cores = tensor core eligible
    .means = Work that could run on tensor cores (matrix cores on AMD), by operator, data type and shape, whether or not it does.
    .tables = utilization, operators
glossary-roofline = roofline
    .means = The least time that an operator can take on the device: the larger of FLOPs over peak compute rate and bytes over peak memory bandwidth. `pct_of_roof` is this time over the measured one.
    .tables = roofline
glossary-mfu = MFU, HFU
    .means = Model FLOPs utilization: FLOPs of the model's matrix work over what the device could do in the step at its peak. Hardware FLOPs utilization counts recomputed work, too.
    .tables = mfu
glossary-fusion = kernel fusion
    .means = One kernel in the place of several that follow one another, so that results between them need not go through memory.
    .tables = fusion, sequences

## Memory

glossary-pinned = pinned, pageable
    .means = Pinned host memory cannot be swapped out, so the GPU copies it directly and asynchronously. Copies of pageable memory are staged by the driver while the caller waits.
    .tables = memcpy, sync
glossary-caching-allocator = caching allocator
    .means = PyTorch's allocator of GPU memory: it keeps released blocks and gives them out again, because `cudaMalloc` and `cudaFree` are slow.
    .tables = memory, sync
glossary-allocated = allocated memory
    .means = Memory in blocks that the caching allocator has given out and that are not released yet.
    .tables = memory_timeline, memory_events
glossary-reserved = reserved memory
    .means = Memory that the caching allocator has taken from the driver: allocated memory and cached free blocks.
    .tables = memory_timeline
glossary-active = active memory
    .means = Allocated memory, and released blocks that another stream still uses. PyTorch's memory snapshots show it; traces do not.
glossary-peak = peak
    .means = The largest allocated memory of a device, and what was allocated then.
    .tables = memory_peak
