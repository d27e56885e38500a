### Changes of what-if: what each stands for (description), what no recording shows about it (unknown), what it affects.

change-no-straggler-description = a straggler works like the others: the job without waiting for it
change-no-straggler-unknown = whether the rank can do without the work, or share it with the others
change-affects-straggler = { TIME($wait_ns) } a step, in which the other ranks wait for rank { LABEL($rank) }
change-op-description = CPU and GPU time of an operator, including all that it calls
change-op-unknown = whether the operator can be made this fast
change-kernel-description = time of kernels, memcpys and memsets by name
change-kernel-unknown = whether the kernels can be made this fast
change-host-description = CPU time inside operators, Python frames or annotated ranges by name
change-host-unknown = whether the CPU code can be made this fast
change-no-python-description = without the CPU time of a file's own Python code
change-no-python-unknown = whether the step can do without this code
change-no-sync-description = no call waits for the GPU (no synchronization)
change-no-sync-unknown = whether the program can do without the values that it waits for
change-no-data-wait-description = the next batch is always ready
change-no-data-wait-unknown = whether enough workers can keep up: worker processes are not recorded
change-overlap-communication-description = communication overlaps everything else; best case
change-overlap-communication-unknown = how much kernels and communication slow each other down when they overlap
change-tensor-cores-description = matrix multiplications (GEMMs) run on Tensor Cores
change-tensor-cores-unknown = whether the accuracy of the smaller type is sufficient for this model
change-cuda-graph-description = the launches of a step become one, of a CUDA graph
change-cuda-graph-unknown = whether a CUDA graph is possible: fixed shapes, no synchronization, no data-dependent branches
change-gpu-description = another GPU, scaled by the peaks of both
change-gpu-unknown = how close to its peaks the kernels of the other GPU come, and how fast its host is
change-kernel-report-description = a profiled kernel without what its report says limits it; best case
change-kernel-report-unknown = how much of what limits the kernels can be removed: their reports say the most
change-fix-description = the fix of a finding, by its id
change-fix-unknown = whether the fix is possible in this program (see its recommendation)
change-no-such-report = no kernel report beside this trace has a cause to remove for this function
change-no-such-profiled = no kernel of these steps has the grid and block that were profiled
change-take-report = Take a function from stepscope show kernel_reports that has calls and a saving.
change-no-such-finding = these steps have no finding of this id
change-take-finding = take an id from stepscope show findings --columns id
change-affects-fix = { TIME($host_ns) } of CPU time and { TIME($gpu_ns) } of GPU time a step, which the fix saves

change-affects-both = { TIME($host_ns) } of CPU time and { TIME($gpu_ns) } of GPU time a step, in { $activities ->
    [one] 1 activity
   *[other] { $activities } activities
}
change-affects-gpu = { TIME($gpu_ns) } of GPU time a step, in { $activities ->
    [one] 1 activity
   *[other] { $activities } activities
}
change-affects-host = { TIME($host_ns) } of CPU time a step, in { $ranges ->
    [one] 1 range
   *[other] { NUMBER($ranges, maximumFractionDigits: 1) } ranges
}
change-affects-launches = { $launches ->
    [one] 1 kernel launch
   *[other] { $launches } kernel launches
} a step
change-affects-waits = { $waits ->
    [one] 1 wait
   *[other] { NUMBER($waits, maximumFractionDigits: 1) } waits
} a step
change-affects-data-loading = { TIME($wait_ns) } a step, waiting for { $batches ->
    [one] 1 batch
   *[other] { NUMBER($batches, maximumFractionDigits: 1) } batches
}

change-nothing-such = these steps have none
change-no-launches = these steps launch nothing
change-all-in-graphs = all GPU work of these steps is in CUDA graphs already
change-all-on-tensor-cores = all run on Tensor Cores already
change-no-gain-on-tensor-cores = no GEMM that runs without them is known to gain
change-unknown-tensor-core-peaks = the Tensor Core peaks of this device are unknown
change-unknown-peaks = the peaks of the recorded device are unknown

### Changes that cannot be made

change-cannot = cannot change { $text }
change-no-such-change = there is no such change
change-changes = Changes: { $changes }.
change-incomplete = it is incomplete, or has too many parts
change-write-as = Write it as { $asked }.
change-factor-too-large = its factor is above { $most }
change-take-smaller = Take a smaller one.
change-empty-pattern = its pattern is empty
change-write-pattern = Write one, or give a name.
change-invalid-pattern = its pattern is not a valid regular expression
change-correct-pattern = Correct it, or give a name.
change-no-such-operator = no operator of the steps has this name
change-no-such-kernel = no kernel, memcpy or memset of the steps has this name
change-no-such-range = no operator, Python frame or range of the steps has this name
change-no-such-frame = no recorded Python frame of the steps has this name
change-take-name = Take the name from stepscope show, or write a pattern between slashes.
change-name-file = Name it as in its frames, without folders, as in no-python:train.py; record with with_stack=True.
change-leave-out = Leave this change out.
change-cannot-use-graph = cannot use a CUDA graph
change-cannot-overlap = cannot overlap communication
change-cannot-use-tensor-cores = cannot use Tensor Cores
change-give-tensor-core-peaks = Give them with --peak tf32=... and --peak memory=...
change-cannot-change-gpu = cannot change the GPU to { $name }
change-unknown-peaks-of = the peaks of { $name } are unknown
change-see-peak = See --peak.
change-no-such-straggler = the rank is not a straggler in the selected ranks and steps
change-take-straggler = Take a rank that stepscope show stragglers calls a straggler.
change-select-ranks = It needs the recordings of several ranks: select them, or all.
change-no-such-rank = the rank is not among those whose steps can be simulated
change-take-rank = Take a selected rank with CPU events.
