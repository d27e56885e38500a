# What stepscope ncu says before and after a job.

ncu-target = { $function }: { PCT($share_pct) } of the kernels' time, { NUMBER($calls) } { $calls ->
    [one] launch
   *[other] launches
} of { TIME($mean_ns) }{ $kernels ->
    [one] {""}
   *[other] {" "}({ NUMBER($kernels) } kernels of this name)
}
ncu-left-out = { $functions } { $count ->
    [one] is
   *[other] are
} left out: a kernel of communication waits for other ranks, and when it is replayed these do not run it again: the job would hang
ncu-cost = { $launches ->
    [one] 1 launch is
   *[other] up to { NUMBER($launches) } launches are
} replayed { $most ->
    [0] { NUMBER($least) }
   *[other] { NUMBER($least) } to { NUMBER($most) }
} times each: at least { TIME($gpu_ns) } of GPU time. Before each replay ncu restores all memory that the kernel has written, and flushes the caches: with gigabytes written that takes longer than the kernel
ncu-cost-unknown = each launch is replayed { $most ->
    [0] { NUMBER($least) }
   *[other] { NUMBER($least) } to { NUMBER($most) }
} times, up to { NUMBER($count) } launches of each function that matches. Before each replay ncu restores all memory that the kernel has written
ncu-one-rank = of a torchrun rank { $ranks } is examined; the others wait for it in their collectives, which end a job after their timeout (10 minutes by default)
ncu-refused = { $pattern } matches kernels of communication: replayed, they wait for other ranks for ever. Name others with --kernel, or give a trace
ncu-no-set = this version has no set "{ $set }": it has { $sets }
ncu-no-kernels = the trace has no kernels that ncu can examine
ncu-done = { $reports ->
    [one] 1 report
   *[other] { $reports } reports
} of Nsight Compute: { $folder }. To read it: { $command }
ncu-nothing = Nsight Compute examined nothing: did any function that matches run more than { NUMBER($skip) } times? --skip says how many launches of each are passed over; stepscope doctor --for ncu checks what it needs
