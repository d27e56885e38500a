### The verdict on one rank. $unit is `step`, or `trace` where no steps were recorded.

verdict-incomplete = Incomplete recording
verdict-cut-off = The trace is cut off{ $json_bytes ->
    [none] { "" }
   *[other] { " " }after { BYTES($json_bytes) } of JSON
}: { $until_ns ->
    [none] the GPU events, if it had any, are missing
   *[other] GPU events after { TIME($until_ns) }{ $calls ->
        [yes] {""}
       *[no] {" "}and all launch calls
    } are missing
}.
verdict-cut-off-host = { NUMBER($events) } events were read. The figures are of the CPU alone.
verdict-cut-off-events = { NUMBER($events) } events were read. The figures hold up to there only.
verdict-cut-off-steps = { NUMBER($events) } events were read. { $count ->
    [0] No step is whole: figures are of what was read. Record again
    [one] The figures hold for step { $steps } only
   *[other] The figures hold for steps { $steps } only
}.
verdict-straggler = Straggler, delays the other ranks by { TIME($delay_ns) } a step ({ PCT($delay_pct) } of the job's step).
verdict-waits-for = Waits { TIME($wait_ns) } a step ({ PCT($wait_pct) } of the job's step), mostly for rank { LABEL($rank) }.
verdict-host-bound = Host-bound: the GPU is starved of kernel launches (GPU busy { PCT($busy_pct, digits: 1) } of the { $unit }).
verdict-host-and-input-bound = Host-bound: the GPU waits for the CPU, for kernel launches and for the data loader (GPU busy { PCT($busy_pct, digits: 1) } of the { $unit }).
verdict-input-bound = Input-bound: the GPU waits for the data loader during { PCT($loading_pct) } of the { $unit } (GPU busy { PCT($busy_pct, digits: 1) }).
verdict-communication-bound = Communication-bound: exposed communication is { PCT($exposed_pct) } of the { $unit }.
verdict-gpu-bound = GPU-bound: GPU busy { PCT($busy_pct, digits: 1) } of the { $unit }; only less or faster GPU work shortens it.
verdict-gpu-bound-unprofiled = GPU-bound: without profiler overhead, only less or faster GPU work shortens the { $unit } (GPU busy { PCT($busy_pct, digits: 1) } of it in the recording).
verdict-copies-bound = Memcpy-bound: memcpys and memsets that no kernel overlaps take { PCT($exposed_pct) } of the { $unit } (GPU busy { PCT($busy_pct, digits: 1) }).
verdict-two-bounds = Two bottlenecks: { $sides } bound the { $unit } about equally (GPU busy { PCT($busy_pct, digits: 1) }).
verdict-initialization-bound = Host-bound by one-time initialization: { PCT($share_pct) } of the { $unit } is the GPU runtime loading kernels and setting up libraries in the calls that first need them, up to { TIME($longest_ns) } in one call. Record after a warm-up to see what a steady step does.
verdict-initialization = One-time initialization is { PCT($share_pct) } of the { $unit }: the GPU runtime loads kernels and sets up libraries in the calls that first need them, up to { TIME($longest_ns) } in one call. Record after a warm-up to see what a steady step does.
verdict-unclear-queued = Bottleneck unclear: the GPU idles although work is queued. { PCT($share_pct) } of its idle time lies before activities whose launch had returned long before.
verdict-unclear-cause = Bottleneck unclear: { PCT($share_pct) } of the GPU's idle time has no recorded cause.
verdict-unclear-unrecorded = Bottleneck unclear: the CPU waits { TIME($wait_ns) } in { $call } while the GPU does nothing that was recorded: an earlier batch, another process, or one-time setup.
verdict-unclear-delays = Bottleneck unclear: { PCT($share_pct) } of the step are delays that no recorded work explains.
verdict-no-whole-step = Bottleneck unclear: the recording holds no step with all of its GPU work.
verdict-no-host = Bottleneck unclear: no CPU events were recorded.
verdict-several-threads = Bottleneck unclear: several threads launch work at once, as in a server, so the steps of one cannot be simulated.
verdict-gpu-cut-off = What the GPU did is unknown: the file is cut off before its events.
verdict-no-gpu = No GPU activity was recorded.
verdict-cpu-only = CPU only: the { $unit } spends { $part }.
verdict-no-gpu-input-bound = Input-bound: the CPU waits for the data loader during { PCT($loading_pct) } of the { $unit } (no GPU activity was recorded).
verdict-no-gpu-launched = No GPU activity was recorded, although { $launches ->
    [one] 1 call
   *[other] { $launches } calls
} gave the GPU work: how long it took, and whether the CPU waited for it, is unknown.
verdict-foreign = No event is of a category that torch.profiler writes: if this is another tool's Chrome trace, only its timeline can be shown.
verdict-nothing-timed = The recording holds no GPU activity, no ranges and no CUDA calls: only its timeline and its tables of the host can be shown.
verdict-step-interval = Steps begin { TIME($interval_ns) } late, { PCT($share_pct) } of their time: look at the input pipeline.
verdict-step-points = A step takes { TIME($step_ns) } on average ({ $steps ->
    [one] 1 step
   *[other] { $steps } steps
}{ $without_first ->
    [yes] , without the first one
   *[no] { "" }
}): { TIME($interval_ns) } before the forward pass, { TIME($forward_backward_ns) } of forward and backward, { TIME($tail_ns) } after it.
verdict-no-length = The recorded { $unit } has no duration, so shares of it are undefined.

verdict-step-time = { $unit ->
    [trace] Duration of the trace
   *[step] Step time
}: { TIME($step_ns) } recorded{ $steps ->
    [0] { "" }
    [1] { "" }
   *[other] { " " }({ $averaged ->
        [mean] mean
       *[median] median
    } of { $steps }{ $median_ns ->
        [none] { "" }
       *[other] , median { TIME($median_ns) }
    })
}{ $without_profiler ->
    [yes] { $is_measured ->
        [yes] , { TIME($unprofiled_ns) } measured without the profiler ({ RANGE(TIME($unprofiled_low_ns), TIME($unprofiled_high_ns)) })
       *[no] , { $is_same ->
            [yes] about the same
           *[no] ~{ TIME($unprofiled_ns) }
        } excluding profiler overhead ({ RANGE(TIME($unprofiled_low_ns), TIME($unprofiled_high_ns)) })
    }
   *[no] { "" }
}.
verdict-gpu-clock = On the GPU timeline a step takes { TIME($gpu_ns) }; GPU busy refers to that.
verdict-gpu-clock-single = GPU busy refers to { TIME($gpu_ns) }: from when the GPU was done with earlier work to the end of this step's.
verdict-cpu-time = CPU time of it: { $parts }.
verdict-while-idle = While the GPU is idle, the CPU spends { $parts } (shares of the { $unit } on the CPU's clock, in which the GPU is busy { PCT($busy_pct) }).
verdict-lead-in = The GPU's first work begins { TIME($lead_ns) } into the { $unit }; the table of idle time counts gaps between activities only.
verdict-exposed-communication = Exposed communication: { PCT($exposed_pct) } of the { $unit }.
verdict-exposed-memory = Exposed memcpys and memsets: { PCT($exposed_pct) } of the { $unit }.
verdict-cpu-ahead = The CPU runs ahead of the GPU: the GPU period, not the CPU range, is the step time.
verdict-gaps = The GPU idles { PCT($idle_pct) } of the { $unit }, mostly in gaps before work that was already queued.
verdict-only-profiled = In the recording the GPU also waits for the CPU, but only because of profiler overhead.
verdict-tensor-cores = { PCT($eligible_pct) } of kernel time could run on tensor cores, { PCT($used_pct) } does: enable { $tf32 ->
    [yes] TF32 (float32 matmul precision) or autocast
   *[no] autocast with float16
}.

verdict-path-profiled = On the recorded critical path { $lead } leads ({ PCT($share_pct) }), but only because of profiler overhead.
verdict-path-overlap = On the recorded critical path { $lead } leads ({ PCT($share_pct) }): the path of each step ends with it. Steps in a row overlap, so { $bound } limits them.
verdict-lead-gpu = GPU work
verdict-lead-communication = communication
verdict-lead-loader = the data loader
verdict-lead-host = CPU work

verdict-part-runtime = { PCT($share_pct) } in GPU runtime calls
verdict-part-loader = { PCT($share_pct) } waiting for the data loader
verdict-part-operators = { PCT($share_pct) } in operators and what they call
verdict-part-unrecorded = { PCT($share_pct) } outside of GPU runtime calls (operators were not recorded)
verdict-part-other = { PCT($share_pct) } in Python and other code outside operators
verdict-mostly-gpu-bound = GPU-bound, but not only (GPU busy { PCT($busy_pct, digits: 1) } of the { $unit }).
verdict-bound-by = Without profiler overhead the { $unit } is bound { $parts } (simulated).
verdict-bound-by-recorded = The { $unit } is bound { $parts } (simulated).
verdict-captured = CUDA graphs are being captured: { $captured } of { $launches } launches did not run. This recording shows what the graphs hold, not how long a step takes; record a replay for that.
verdict-failed = There is no verdict: a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it.
verdict-side-host = { PCT($share_pct) } by CPU work
verdict-side-loader = { PCT($share_pct) } by the data loader
verdict-side-compute = { PCT($share_pct) } by GPU kernels
verdict-side-communication = { PCT($share_pct) } by communication
verdict-side-copies = { PCT($share_pct) } by memcpys and memsets
verdict-side-unknown = { PCT($share_pct) } by delays of unknown cause

## Memory snapshots

verdict-oom = Out of memory: { BYTES($requested_bytes) } asked{ $source ->
    [none] {""}
   *[other] {" "}at { $source }
}; { $reason }.
verdict-oom-fragmentation = fragmentation is the reason: { BYTES($hole_bytes) } are free in pieces, of which the largest has { BYTES($largest_bytes) }
verdict-oom-limit = a set limit is the reason: it lies from { BYTES($low_bytes) } to below { BYTES($high_bytes) }, { BYTES($reserved_bytes) } were reserved, and { BYTES($free_bytes) } of the device were free
verdict-oom-capacity = capacity is the reason: { BYTES($reserved_bytes) } were reserved{ $free_bytes ->
    [none] {""}
   *[other] , and { BYTES($free_bytes) } of the device were free
}
verdict-oom-others = other processes are the reason: this one had { BYTES($reserved_bytes) } reserved, and { BYTES($free_bytes) } of the device were free
verdict-oom-largest = Largest then: { $largest }.
verdict-oom-evict = It would have fitted with { BYTES($evict_bytes) } in { $blocks ->
        [one] { $blocks } block
       *[other] { $blocks } neighbouring blocks
    } less.
verdict-memory-peak = Peak on { $device }: { BYTES($peak_bytes) }{ $parts ->
    [none] {""}
   *[other] : { $parts }
}.
verdict-memory-end = Allocated on { $device } when the snapshot was taken: { BYTES($peak_bytes) }{ $parts ->
    [none] {""}
   *[other] : { $parts }
}. The peak is not known: no history was recorded.
verdict-memory-part = { $category } { PCT($share_pct, digits: 0) }
verdict-memory-grows = Memory grows{ $step_bytes ->
    [none] {""}
   *[other] {" "}by { BYTES($step_bytes) } a step
}{ $source ->
    [none] {""}
   *[other] {" "}at { $source }
}: { BYTES($alive_bytes) } in { $blocks ->
        [one] { $blocks } block
       *[other] { $blocks } blocks
    } are never released{ $more ->
    [0] {""}
    [one] , and { $more } more stack grows
   *[other] , and { $more } more stacks grow
}.
verdict-memory-holes = Fragmentation: { BYTES($hole_bytes) }, { PCT($share_pct, digits: 0) } of what is reserved, are free between blocks in use.

verdict-kernel-reports = { $kernels ->
    [0] { "" }
    [one] 1 kernel
   *[other] { NUMBER($kernels) } kernels
}{ $kinds ->
    [both] { " and " }
   *[one] { "" }
}{ $ranges ->
    [0] { "" }
    [one] 1 range of kernels
   *[other] { NUMBER($ranges) } ranges of kernels
} profiled by Nsight Compute, { TIME($total_ns) } total{ $kernel ->
    [none] .
   *[other] , { PCT($share_pct) } of it in { $kernel }.
}
verdict-kernel = { $kernel }{ $duration_ns ->
    [none] { "" }
   *[other] { " " }({ $launches ->
            [1] { "" }
           *[other] { NUMBER($launches) } launches,{ " " }
        }{ TIME($duration_ns) }, { PCT($share_pct) })
}: { $says }{ $bound_pct ->
    [none] { "" }
   *[other] ; at most { PCT($bound_pct) } of its time could be saved
}{ $place ->
    [none] .
   *[other] . { PCT($place_pct) } of its samples are at { $place }.
}
verdict-kernels-others = { $kernels ->
    [one] 1 more kernel takes
   *[other] { NUMBER($kernels) } more kernels take
} { TIME($duration_ns) } ({ PCT($share_pct) }).
verdict-telemetry = Telemetry of { $gpus ->
    [0] the host
    [one] 1 GPU
   *[other] { NUMBER($gpus) } GPUs
} over { TIME($span_ns) }: { $counters ->
    [one] 1 counter
   *[other] { NUMBER($counters) } counters
}.
verdict-telemetry-power = GPU { $gpu } took { NUMBER($mean_watt) } W on average and { NUMBER($most_watt) } W at most.
verdict-host = The cores were busy for { PCT($busy_pct) } on average{ $waited ->
    [yes] , and in { PCT($waited_pct) } of the time a process waited for one
   *[no] {""}
}{ $limited ->
    [yes] ; the container was throttled at its limit of cores for { PCT($throttled_pct) } of the time
   *[no] {""}
}.
verdict-throttled-power-cap = GPU { $gpu } was held below its clock by the power cap in { PCT($share_pct) } of { NUMBER($samples) } samples.
verdict-throttled-hardware = GPU { $gpu } was slowed down by its hardware (power or heat) in { PCT($share_pct) } of { NUMBER($samples) } samples.
verdict-throttled-thermal = GPU { $gpu } was slowed down by heat in { PCT($share_pct) } of { NUMBER($samples) } samples.
verdict-throttled-power-brake = GPU { $gpu } was slowed down by the power brake of the machine in { PCT($share_pct) } of { NUMBER($samples) } samples.
verdict-energy = A step takes { FIXED($joule) } J on { $gpus ->
    [one] 1 GPU
   *[other] { NUMBER($gpus) } GPUs
} (mean of { $steps ->
    [one] 1 step
   *[other] { NUMBER($steps) } steps
}, { FIXED($samples) } samples each).
verdict-pcie-full = The PCIe link of GPU { $gpu } is full: { PCT($share_pct) } of what it carries in a direction (95th percentile of { NUMBER($samples) } samples).
verdict-uneven-utilization = GPU { $gpu }{ $rank ->
    [none] {""}
   *[other] {" "}of rank { $rank }
} was used { PCT($own) } of the time, the median of the others (of { NUMBER($gpus) } GPUs) { PCT($usual) }: load imbalance.
verdict-uneven-clock = GPU { $gpu }{ $rank ->
    [none] {""}
   *[other] {" "}of rank { $rank }
} ran at { NUMBER($own) } MHz on average, the median of the others at { NUMBER($usual) } MHz.
verdict-uneven-power = GPU { $gpu }{ $rank ->
    [none] {""}
   *[other] {" "}of rank { $rank }
} took { NUMBER($own) } W on average, the median of the others { NUMBER($usual) } W: it may have less work.
