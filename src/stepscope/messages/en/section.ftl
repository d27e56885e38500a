### Headings and lines of the sections of the text report.

section-after = after { $name }
section-breakdown = Step breakdown
section-breakdown-note = { $ranges ->
    [one] CPU range
   *[other] mean of { $ranges } CPU ranges
}
section-communication = Communication
section-communication-matched = waiting: for the rank that arrives last; bus: GB/s during transfer
section-communication-unmatched = including waiting
section-compute = GPU compute
section-counters = { $ranges ->
    [one] 1 profiled range
   *[other] { $ranges } profiled ranges
} with { $counters ->
    [one] 1 counter
   *[other] { $counters } counters
}
section-critical-path = Critical path
section-critical-path-note = { $steps ->
    [one] one step
   *[other] over { $steps } steps
}: at each point in time exactly one thing is critical
section-data-loading = Data loading
section-detailed = details below are of ranks { $ranks } only (the latest, the fastest, the first); others: --rank N
section-elsewhere = { $gpu ->
    [yes] GPU idle, CPU elsewhere (Python, ...)
   *[no] CPU elsewhere (Python, ...)
}
section-events = { $events ->
    [one] 1 event
   *[other] { $events } events
}
section-exposed-communication = exposed communication
section-exposed-memcpy = exposed memcpy
section-exposed-memset = exposed memset
section-fusion = Fusion candidates
section-fusion-note = runs of kernels that one kernel might replace; estimated saving of GPU time
section-gemm = GEMM throughput of a step: { $rate }{ $peak ->
    [none] { "" }
   *[other] , { $peak }
}{ $recomputed ->
    [yes] ; { PCT($mfu_pct, digits: 1) } without what checkpointing recomputes
   *[no] { "" }
}; models cover { PCT($modelled_pct, digits: 1) } of its GEMM kernel time.
section-gemm-unknown = The GEMM throughput of a step is unknown: models cover { PCT($modelled_pct, digits: 1) } of the time of its GEMM kernels.
section-gpu-time = GPU time
section-gpu-time-note = from the first activity to the last
section-health = Health of the recording
section-not-recorded = { $cut ->
    [yes] not recorded, or lost with the end of the file: { $checks }
   *[no] not recorded: { $checks } (stepscope show health says which option does)
}
section-on-rank = { $every ->
    [yes] every rank, e.g. rank
   *[no] rank
} { LABEL($rank) }:
section-healthy = ok: nothing dropped, damaged or unlinked
section-idle = GPU idle time by cause
section-idle-note = { PCT($idle_pct, digits: 1) } of the time between first and last activity{ $per_step ->
    [yes] ; per step: mean of { $steps ->
        [none] the whole steps
        [one] 1 step
       *[other] { $steps } steps
    }
   *[no] { "" }
}
section-in-operators = { $gpu ->
    [yes] GPU idle, CPU in operators
   *[no] CPU in operators
}
section-kernels = Top kernels
section-launches = Launches
section-gpu-unnamed = GPU not named
section-launches-note = medians; latency: call to start on an idle stream; queueing: behind earlier work
section-loader = { $gpu ->
    [yes] GPU idle, CPU waiting for the data loader
   *[no] CPU waiting for the data loader
}
section-memcpy = Memcpys
section-memory = Memory
section-memory-note = peak allocated by PyTorch, and what was alive then
section-modules = Modules
section-modules-note = including what they call; stepscope show modules --by class shows all
section-more = and { $count } more ({ $command })
section-failed = The section { $section } is missing: a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it
section-more-time = and { $count } more with { TIME($rest_ns) } of { $gpu ->
    [yes] GPU
   *[no] CPU
} time ({ $command })
section-next = Next: { $command }
section-no-gpu = no GPU recorded
section-of-rank = rank { LABEL($rank) } · {""}
section-of-ranks = { $every ->
    [yes] every rank
   *[no] ranks { $ranks }
}{ $differ ->
    [yes] , e.g. rank { LABEL($rank) }
   *[no] {""}
} · {""}
section-operators = Top operators
section-operators-note = self time: without the operators they call
section-outside-modules = outside modules
section-peak = { PCT($share_pct, digits: 1) } of the peak ({ $type }: { $peak })
section-peaks = { PCT($share_pct, digits: 1) } of the peaks that apply ({ $together ->
    [none] several types
   *[other] { $together } together, mostly { $type }
})
section-ranges = Annotated ranges
section-ranges-note = GPU time launched inside, and of the backward of what was called inside
section-ranks = { $ranks ->
    [one] 1 rank
   *[other] { $ranks } ranks
}{ $world ->
    [0] { "" }
   *[other] { " " }of { $world }
}
section-roofline = Roofline and MFU
section-roofline-note = most time above the roofline first
section-runtime = { $gpu ->
    [yes] GPU idle, CPU in runtime calls
   *[no] CPU in runtime calls
}
section-short-kernels = Short kernels
section-short-kernels-note = under 10 us: done before the CPU has launched the next
section-slowest = the { $shown } slowest of { $ranks } ranks
section-step-count = { $steps ->
    [one] 1 step
   *[other] { $steps } steps
}
section-step-trace = Step trace
section-step-trace-note = mean of { $steady ->
    [yes] the steady
   *[no] all
} steps, { $clock ->
    [gpu] on the GPU timeline
    [recorder] as the profiler divided them
   *[other] on the CPU timeline
}
section-steps = Steps
section-steps-each = { $steps ->
    [one] 1 step each
   *[other] { $steps } steps each
}
section-steps-note = CPU: its range; GPU: from the end of the previous step's work to the end of its own
section-sync = Blocking (synchronizing) calls
section-sync-note = until the GPU, a copy or memory is ready
section-tail = remaining reduction, optimizer
section-total = total
section-backward-passes = { $passes } passes, forward between them
section-until = until { $name }
section-until-compute = until the first compute
section-utilization = GPU utilization
section-utilization-note = shares of the steps on the GPU timeline
section-verdict = Verdict
section-cpu-ahead = CPU runs ahead of the GPU: use the GPU period as step time
section-whole-report = The whole report

## Memory snapshots

section-snapshot = memory snapshot
section-memory-categories = Memory at the peak by category
section-memory-categories-note = concluded from stacks and lifetimes
section-memory-ranks = Who peaks, and with what
section-memory-growth = Memory that grows from step to step
section-memory-oom = Out of memory
section-memory-fragmentation = Reserved memory when the snapshot was taken

section-telemetry = Counters over time
section-kernel-report = kernel report
section-profiled = { $kernels ->
    [one] 1 profiled kernel
   *[other] { NUMBER($kernels) } profiled kernels
}{ $ranges ->
    [0] { "" }
   *[other] { " " }and ranges
}
section-kernel-reports = Profiled kernels
section-kernel-reports-note = what limits each, and the most of its time that removing it would save
section-kernel-lines = Source lines
section-kernel-lines-note = where the samples of the longest kernels fall; all: stepscope show kernel_lines
section-kernel-line = { PCT($share_pct) } of the samples at { $place }{ $stall ->
    [none] { "" }
   *[other] , most in { $stall }
}
section-piped = input pipeline
section-input-pipeline = Input pipeline
section-input-pipeline-note = from the consumer to the source: an empty queue makes its consumer wait
section-measured = telemetry
section-hangs = Hangs
section-hangs-note = what did not end, and the ranks that it waits for
section-hang-ranks = Ranks
section-hang-ranks-note = the first collective that each has not completed, else its last one; times in UTC
section-dumps = flight recorder
section-collectives = { $count ->
    [one] 1 recorded collective
   *[other] { NUMBER($count) } recorded collectives
}
section-bandwidths = Bandwidth of collectives
section-bandwidths-note = median over the run, without waiting for the last rank; by NCCL Inspector
section-lateness = Who arrives last
section-lateness-note = late by: after the next rank, over the calls in which it arrived last
section-compilations = Compilations
section-compilations-note = by torch.compile; the longest first
section-recompiles = Recompiles
section-recompiles-note = with the guard that failed; the longest first
section-graph-breaks = Graph breaks
section-graph-breaks-note = where a function could not be compiled as one graph
section-compiled-kernels = Lines of generated kernels
section-compiled-kernels-note = what Inductor made each kernel of
section-compile-logs = { NUMBER($logs) } { $logs ->
    [one] log
   *[other] logs
}, { NUMBER($count) } { $count ->
    [one] compilation
   *[other] compilations
}
section-host-samples = Samples of Python
section-host-samples-note = innermost function of each stack; idle threads are sampled with py-spy --idle only
section-samples = { NUMBER($count) } { $count ->
    [one] sample
   *[other] samples
} of Python stacks
section-logs = { NUMBER($logs) } { $logs ->
    [one] log
   *[other] logs
}, { NUMBER($count) } { $count ->
    [one] measured collective
   *[other] measured collectives
}
section-npu-steps = Steps as the NPU's profiler divides them
section-npu-steps-note = beside what stepscope measures; the definitions differ, see npu_steps
section-npu-memory = NPU memory at its peak
section-npu-memory-note = operators that held most
section-npu-kernels = NPU kernels by shapes
section-npu-kernels-note = cube, vector: share of the time on cores of that kind in which they computed
