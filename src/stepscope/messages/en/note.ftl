# What a reader of a table must know beside its rows.

## Why a table is empty

note-no-rows = no rows: nothing of this kind happened in the selection
note-table-failed = no rows: { $what } could not be computed, a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it
note-no-rows-because = no rows: { $reason }
note-no-rows-unread = no rows: { $files } could not be read, see health
note-no-rows-unreadable = no rows: { $name } could not be read: { $reason }
note-no-rows-cut = no rows: up to where it is cut off, the recording has { $lack }
note-lack-cut = { $lack } up to where it is cut off
note-no-rows-not-recorded = no rows: the recording has { $lack }; record with { $option }
note-no-rows-not-recorded-with = no rows: the recording has { $lack }; { $option ->
        [none] stepscope reads nothing of that from { $recorder }
       *[other] { $profiler } records this with { $option }{ $ascend ->
            [yes] {" "}on Ascend
           *[no] {""}
        }
    }
note-no-rows-not-recorded-by = no rows: the recording has { $lack }; it is by { $recorder }, and torch.profiler records this with { $option }
note-no-rows-apart = no rows: only { $name }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    } would have them, and no table shows that ({ $note }); it can be opened by itself
note-no-rows-none-used = no rows: the recording has { $lack }: the program used no GPU in what was recorded
note-of-rank = rank { LABEL($rank) }: { $note }
note-unattributed = (unattributed)
note-share = { $name } { PCT($share_pct, digits: 1) }

## Steps

note-trace-none = no rows: the recording has neither operators nor GPU activity with its launch
note-trace-unmarked = no steps are marked, so the whole trace is divided as one step{ $by_profiler ->
    [yes] ; call prof.step() or use a schedule
   *[no] { "" }
}
note-trace-host-clock = steps without GPU activity are divided by CPU time
note-trace-no-model = no forward or backward pass was found: all time counts as interval
note-trace-no-backward = no backward pass was found, as in inference: everything from the first computation to the end counts as forward
note-trace-no-scopes = no operator lies in the scope Gradients, which MindSpore names in graph mode only: what is forward and what is backward is not known, and all of it counts as forward
note-trace-backward-unrecorded = an optimizer ran, but its backward pass was not recorded: forward and backward are indistinguishable
note-trace-several-backward = several backward passes per step: what lies between them counts as forward, data loading included
note-trace-recorder = steps are divided where the recorder says; it does not tell forward and backward apart, and the first step counts in no average
note-trace-uneven = rank { LABEL($rank) } waits { TIME($interval_ns) } before its forward pass, { PCT($more_pct) } longer than the mean of { NUMBER($ranks) } ranks ({ TIME($mean_ns) }): MindInsight calls cards uneven beyond { PCT($limit_pct) }. It is { PCT($share_pct, digits: 1) } of the rank's step
note-steps-cut = { $cut } of { $steps } steps are cut by the recorded window

## Idle time and waits

note-sync-none = no rows: no call blocked the CPU, as it should be
note-sync-after-steps = { $calls ->
        [one] 1 call
       *[other] { $calls } calls
    } ({ PCT($share_pct) } of the time) came after the last step: the profiler's own, when it stops
note-idle-per-step = times per step are the mean of { $steps ->
    [none] each rank's whole steps
    [one] 1 whole step
   *[other] { $steps } whole steps
} on the GPU timeline; the other columns are of everything that is selected
note-idle-launch-lost = { PCT($share_pct) } of the idle time: the launch of the next activity was not recorded (before the window, or lost)
note-idle-late-start = { PCT($share_pct) } of the idle time: work was launched, but the GPU started late: another process used it, or activity is missing
note-queue-before = { $launches } launches were queued when the recording began: queue depths start above zero, perhaps higher than shown
note-queue-streams = { $streams } more streams with fewer launches are left out: shown are the { $most } with most of each rank
note-launches-no-activity = { $calls ->
        [one] 1 call
       *[other] { $calls } calls
    } without recorded activity: it ran outside the window, or was lost
note-launches-no-call = { $activities ->
        [one] 1 activity
       *[other] { $activities } activities
    } without a recorded call, mostly launched before the window

## Critical path

note-path-none = no rows: the selected steps take no time
note-path-inferred = { $inferred } of { $waits } waits for events of other streams on the path are inferred from timestamps{ $option ->
        [none] {""}
       *[other] : record CUDA sync events with { $option }
    }
note-path-untraced = { PCT($share_pct) } of the path is CPU time outside any operator or call{ $option ->
        [none] {""}
       *[other] : record with { $option } to see what Python does there
    }
note-path-unknown = { PCT($share_pct, digits: 1) } of the path is unknown: it waits for work whose launch was not recorded

## Roofline and utilization

note-mfu-no-shapes = no FLOPs: no input shapes were recorded{ $option ->
        [none] {""}
       *[other] ; record with { $option }
    }
note-mfu-no-matrix-kernel = no FLOPs: no GEMM, convolution or attention kernel was launched in a step
note-mfu-no-matrix-operator = no FLOPs: no matrix multiplication with recorded shapes launched work in a step (CUDA graphs hide their operators)
note-mfu-partly = only { PCT($modelled_pct) } of the time of a step's matrix kernels has a FLOPs model: actual utilization is higher{ $hidden ->
        [yes] , and it is not shown below half
       *[no] {""}
    }
note-roofline-no-shapes = models cover { PCT($share_pct, digits: 2) } of GPU time, excluding communication and copies to and from the host: no input shapes were recorded{ $option ->
        [none] {""}
       *[other] ; record with { $option }
    }
note-roofline-coverage = models cover { PCT($share_pct, digits: 2) } of GPU time, excluding communication and copies to and from the host
note-roofline-coverage-without = models cover { PCT($share_pct, digits: 2) } of GPU time, excluding communication and copies to and from the host; not covered: { $operators }
note-roofline-no-peaks = no roofline: { $reason }; give peaks with --peak bf16=989e12 --peak memory=3.35e12 or --peaks FILE
note-roofline-peaks = peaks of { $device ->
        [none] the device
       *[other] { $device }
    }, dense: { $rates } ({ $source })
note-roofline-cache = rows bound by cache ({ PCT($share_pct, digits: 1) } of GPU time) exceed memory bandwidth: their data was still in the cache
note-roofline-above = { $what } reaches { PCT($roof_pct) } of the peak of { $peak }: the device ran above its data-sheet clock, or the model or the peak does not apply
note-peak-compute = { $dtype } { RATE($rate, unit: "FLOP/s") }
note-peak-memory = memory { RATE($rate, unit: "B/s") }
note-peaks-computed = multiprocessors × units × clock, as recorded
note-peaks-no-device = the recording does not say which device it is
note-peaks-unnamed = the recording does not name the device
note-peaks-unknown = the peaks of “{ $device }” are unknown
note-peaks-by-make = { $source }; identified by its compute units and memory, since its name was not recorded
note-peaks-halved = { $source }, halved where given with sparsity
note-peaks-divided = { $source }, halved where given with sparsity, divided by the number of GPUs
note-peaks-given = given: { $given }{ $rest ->
        [none] {""}
       *[other] ; else { $rest }
    }

## GPU

note-utilization-no-steps = no steps in the recording: shares are of the whole trace, from its first event to its last
note-utilization-no-details = no SM efficiency and no occupancy: the kernels carry neither blocks per SM nor estimated occupancy (ROCm's profiler records none)
note-utilization-no-sm = no SM efficiency: the kernels carry no blocks per SM (Nsight Systems does not record them)
note-utilization-no-blocks = up to { PCT($most_pct, digits: 1) } of compute kernel time lacks blocks per SM and counts as zero in sm_efficiency: read it as a lower bound
note-utilization-no-occupancy = up to { PCT($most_pct, digits: 1) } of compute kernel time lacks an estimated occupancy and is excluded from its mean
note-activity-cut = { $activities ->
        [one] 1 activity runs
       *[other] { $activities } activities run
    } on over later activities of the same stream: { TIME($cut_ns) } of recorded duration is not counted, see stream_overlaps in health
note-kernels-of-one = no rows: this is measured for single kernels only, and the report holds ranges of kernels; profile with ncu --replay-mode kernel
note-kernels-page = no rows: a CSV page does not hold this; open the report (.ncu-rep) itself
note-kernels-not-collected = no rows: these metrics were not collected; record with { $option }
note-kernels-no-rules = no rows: no rule of Nsight Compute reports anything for these kernels; { $option } applies all rules
note-kernels-other = { PCT($share_pct, digits: 1) } of kernel time is of kind other: { $names ->
        [one] 1 kernel name
       *[other] { $names } kernel names
    } that no rule matches
note-short-kernels = { $kernels ->
        [one] 1 kernel ({ PCT($kernels_pct, digits: 1) } of all) runs
       *[other] { $kernels } kernels ({ PCT($kernels_pct, digits: 1) } of all) run
    } for less than { TIME($short_ns) }, together { PCT($time_pct, digits: 1) } of kernel time; { $shorter } of them take less time than the call that launched them{ $graphs ->
        [0] {""}
       *[other] ; { $graphs } were launched by CUDA graphs
    }
note-fusion-none = no rows: nowhere do { $least } elementwise, norm, reduce or cast kernels follow one another, each launched separately
note-fusion-estimate = { PCT($saving_pct, digits: 1) } of GPU time, if one fused kernel per sequence takes as long as the longest kernel in it, or as its norms and reductions where those take longer; whether the kernels may be fused, and whether the step waits for the GPU at all, is not checked here (see critical_path)
note-counters-unpaired = rank { LABEL($rank) }: { $ranges } profiled ranges but { $launches } kernel launches: they cannot be paired, so no range has an operator
note-telemetry-no-sample = { $rows ->
    [one] 1 row has
   *[other] { $rows } rows have
} no sample, as of { $counters }: the selection is shorter than the sampling interval, or lies outside the samples
note-eager-captures = the eager trace is the recording of the graph captures beside it, in { $folder }
note-eager-none = no CUDA graph ran in the selection: nothing to map to the eager trace
note-eager-matched = { PCT($matched_pct, digits: 2) } of the time of CUDA graphs and of work without a recorded launch is mapped to the operators that launched the same kernels in the eager trace{ $all ->
        [yes] {""}
       *[no] ; the rest differs there, or has no operator, and stays as it is
    }
note-iterations-unseen = { $count ->
    [one] the time of 1 iteration is unknown: in it the GPU waits for work that is not in this file
   *[other] the time of { $count } iterations is unknown: in them the GPU waits for work that is not in this file
}
note-iterations-none = no rows: no inference server (vLLM, SGLang) marked its iterations
note-graphs-none = no rows: no CUDA graph was launched in the selection
note-graphs-share = graphs run { PCT($share_pct, digits: 2) } of all GPU time
note-graphs-lost = { $lost } of { $launches } graph launches have no activity in the recording
note-graphs-unnumbered = no graph ids were recorded: graphs that run the same kernels in the same order share a row
note-sequences-none = no rows: no call launches two or more kernels, and no sequence repeats; { PCT($outside_pct, digits: 1) } of kernel time is launched outside operators
note-sequences-outside = { PCT($outside_pct, digits: 1) } of kernel time is launched outside operators

## Host

note-operators-outside = { PCT($outside_pct, digits: 2) } of GPU time was launched by no recorded operator
note-operators-backward = CPU time of the backward pass that the column Backward CPU excludes: { $parts }
note-backward-recompute = recomputed forward work { PCT($share_pct, digits: 2) }
note-backward-hook = hooks before functions { PCT($share_pct, digits: 2) }
note-backward-communication = communication of ready gradients { PCT($share_pct, digits: 2) }
note-backward-unknown = forward operators not recorded { PCT($share_pct, digits: 2) }
note-operators-no-stack = no stack is known: the recording has no Python stacks; record with { $option }
note-operators-no-module = no module is known: the recording has no nn.Module calls; record with { $option }
note-operators-no-source = no source line is known: the recording has no Python stacks; record with { $option }
note-operators-no-shape = no shape is known: the recording has no input shapes; record with { $option }
note-operators-no-dtype = no dtype is known: the recording has no input types; record with { $option }
note-modules-annotated = { PCT($share_pct, digits: 1) } of GPU time has its module from annotations of CUDA graphs (module_fqn)
note-modules-none = no rows: no nn.Module was called in the recording
note-modules-outside = { PCT($outside_pct, digits: 2) } of GPU time belongs to no module: { $parts }
note-modules-unlinked = launch not recorded { PCT($share_pct, digits: 2) }
note-modules-backward = backward of operators outside modules { PCT($share_pct, digits: 2) }
note-modules-optimizer = optimizer { PCT($share_pct, digits: 2) }
note-modules-other = other code outside modules { PCT($share_pct, digits: 2) }
note-flame-graph-no-stacks = frames are operators and annotated ranges: Python stacks were not recorded{ $option ->
        [none] {""}
       *[other] {" "}({ $option })
    }
note-flame-graph-outside = { PCT($outside_pct, digits: 1) } of GPU time belongs to no frame: it was launched outside all of them, or its launch was not recorded
note-instances-none = no rows: nothing has this name; names are those of the tables kernels, operators and annotations
note-instances-few = outliers are not marked for names with fewer than { $least } instances
note-annotations-none = no annotated ranges were recorded{ $by_torch ->
        [yes] : mark parts of the program with torch.profiler.record_function
       *[no] {""}
    }
note-annotations-outside = { PCT($outside_pct, digits: 1) } of GPU time is in no range; a range holds what its own thread launches, and what the autograd engine launches while that thread waits
note-annotations-outside-unlinked = { PCT($outside_pct, digits: 1) } of GPU time is in no range ({ PCT($unlinked_pct, digits: 1) }: launch not recorded); a range holds what its own thread launches, and what the autograd engine launches while that thread waits

## Data loading

note-loading-fine = data loading is not the bottleneck: { PCT($waits_pct, digits: 1) } of the step waits for a batch and { PCT($copies_pct, digits: 1) } is exposed copies to the GPU (threshold { PCT($threshold_pct) })
note-loading-fine-waits = data loading is not the bottleneck: { PCT($waits_pct, digits: 1) } of the step waits for a batch (threshold { PCT($threshold_pct) })
note-loading-fine-copies = data loading is not the bottleneck: { PCT($copies_pct, digits: 1) } of the step is exposed copies to the GPU (threshold { PCT($threshold_pct) })
note-loading-fine-no-fetch = data loading is not the bottleneck: no batch is fetched (threshold { PCT($threshold_pct) })
note-loading-transfer = copies to the GPU delay the steps: { TIME($lost_ns) } of { TIME($step_ns) } { $steps ->
        [one] in total
       *[other] per step
    } ({ PCT($lost_pct) }) nothing computes while a copy runs{ $pageable ->
        [none] {""}
       *[other] ; { $pageable }
    }
note-loading-pageable = { PCT($share_pct) } of the bytes come from pageable memory
note-loading-handover = handing batches over from the worker processes delays the steps: { TIME($lost_ns) } of { TIME($step_ns) } { $steps ->
        [one] in total
       *[other] per step
    } ({ PCT($lost_pct) }) { $gpu ->
        [yes] the GPU is idle
       *[no] the program waits
    }, although { $seen ->
        [yes] a batch is ready
       *[no] fetches are short, so batches are ready
    }
note-loading-processing = input processing delays the steps: { TIME($lost_ns) } of { TIME($step_ns) } { $steps ->
        [one] in total
       *[other] per step
    } ({ PCT($lost_pct) }) { $gpu ->
        [yes] the GPU is idle
       *[no] the program waits
    } because the next batch is not ready{ $single_process ->
        [yes] : the main process makes the batches itself (num_workers=0)
       *[no] , in { $empty } of { $fetches } fetches
    }
note-loading-epochs = { $epochs ->
        [one] one epoch boundary of
       *[other] { $epochs } epoch boundaries of
    } { TIME($epoch_ns) }{ $epochs ->
        [one] {""}
       *[other] {" "}each
    }; the verdict excludes that time
note-loading-unsure = record with { $option } to distinguish slow workers from a slow hand-over of their batches
note-loading-no-gpu = no GPU activity was recorded, so all of the wait counts as exposed
note-loading-no-loader = no data loader was found in the recording (looked for enumerate(DataLoader)#..., annotations such as data_loading or get_batch, frames of known loaders)
note-loading-by-name = recognized as the data loader by name: { $names }
note-loading-elsewhere = the loader's ranges are on other threads than the steps, or outside them: no step waits for them

## Memory

note-memory-device-of-rank = rank { LABEL($rank) } { $device }
note-memory-peak = { $device }: peak { $peak }{ $step ->
        [none] {""}
       *[other] , in step { LABEL($step) }
    }{ $reserved ->
        [none] {""}
       *[other] ; { $reserved }
    }
note-memory-peak-bytes = { BYTES($peak_bytes) }
note-memory-peak-of-device = { BYTES($peak_bytes) }, { PCT($capacity_pct, digits: 1) } of the device's { BYTES($capacity_bytes) }
note-memory-reserved = at most { BYTES($reserved_bytes) } reserved by the allocator
note-memory-grows = { $device }: grows by { BYTES($step_bytes) } a step, in each of { $steps } steps
note-memory-grows-by = { $device }: grows by { BYTES($step_bytes) } a step, in each of { $steps } steps; most of the { BYTES($kept_bytes) } that stay is allocated by { $operator }{ $source ->
        [none] {""}
       *[other] {" "}at { $source }
    }
note-memory-no-totals = { $device }: the recording has no totals, so they are summed from its events: a lower bound
note-memory-long = { $changes } changes; --by slice shows 100 time intervals, --by step one row per step
note-memory-no-addresses = events without an address: which release belongs to which allocation is unknown
note-memory-outside = { PCT($outside_pct, digits: 1) } of the bytes were allocated outside operators: by Python code, or on a thread without operators

## Ranks and communication

note-ranks-one-open = one rank is open: which rank waits for which is unknown; open the folder of all ranks
note-ranks-no-communication = no rank has a communication kernel
note-unmatched-alone = { $lost } of { $calls } communication kernels { $lost ->
        [one] has
       *[other] have
    } no partner on another rank
note-unmatched-partly = { $part } of { $matched } matched kernels lack partners on some ranks of their group: the last rank to arrive may not be open
note-unmatched-by-order = kernels without recorded metadata were matched by stream, name and order
note-waits-none = no rank waits for another
note-job-own-time = the steps of the fastest and the slowest rank are without waiting for other ranks; waiting is the mean over ranks
note-clocks-one-rank = one rank is open: there is no other clock to compare with
note-clocks-apart = { $count ->
        [one] rank { $ranks }: no collective joins its
       *[other] ranks { $ranks }: no collective joins their
    } clock to the job's, so it is not corrected
note-communication-none = no rows: no communication kernel ran in the selection
note-communication-with-waiting = durations include waiting for other ranks: the shortest call waited least
note-communication-unsized = { $unsized } of { $calls } calls have no recorded size: bytes exclude them
note-sizes-unsized = { $unsized } of { $calls } calls have no recorded size
note-sizes-small = { PCT($calls_pct, digits: 1) } of the calls with a size are below 1 MiB
note-sizes-small-timed = { PCT($calls_pct, digits: 1) } of the calls with a size are below 1 MiB; they take { PCT($transfer_pct, digits: 1) } of the transfer time
note-sizes-small-merged = { PCT($calls_pct, digits: 1) } of the calls with a size are below 1 MiB; they take { PCT($transfer_pct, digits: 1) } of the transfer time; at the bandwidth of larger calls of their kind they would transfer { TIME($saved_ns) } less, over all ranks: the most that merging them could save
note-links-none = no rows: no two ranks communicate alone, by messages or in a group of two; larger groups cannot distinguish links
note-links-slow = { $slow } of { $links } links are slow: { $named }
note-links-alone = { $alone } of { $links } links have fewer than { $least } comparable links
note-pipeline-no-messages = no rows: no message between two ranks was found whose sender and receiver were recorded
note-pipeline-no-steps = no rows: no step of a rank with messages was selected
note-pipeline-one-way = messages go in one direction only: in a training pipeline gradients return
note-pipeline-no-stage = the stage of { $unknown } of { $ranks } ranks is unknown: messages form a cycle, as in interleaved schedules
note-experts-none = no rows: no all-to-all ran in the selection, so no experts exchanged tokens
note-experts-even = every all-to-all is balanced: either the experts are, or each rank pads its parts to one size
note-experts-unmatched = loads exclude { $lost } of { $calls } calls, whose other ranks were not found
note-metadata-none = no rows: the file holds events only, or none of the metadata that is read from a trace

## Memory snapshots

note-snapshot-no-history = { $file } has no event history: record with torch.cuda.memory._record_memory_history(); shown is what was there at the end
note-snapshot-before = { BYTES($before_bytes) } were allocated before the history of { $file } began
note-snapshot-no-segments = { $file } lists no segments, so what was allocated before its history is not known
note-snapshot-beside = memory of rank { LABEL($rank) } is from the snapshot { $file }, not from its trace
note-snapshot-clock = the clock of { $file } is not that of the trace: its times cannot be compared, and steps do not limit it
note-snapshot-unknown = { PCT($unknown_pct, digits: 0) } of the memory over time has no known category
note-snapshot-alive = of each point in time the { $largest } largest stacks are named, the others are summed up by category
note-memory-diff-no-base = nothing to compare with: name the recording before the change with --base PATH
note-memory-diff-peaks = { $device }: peak { BYTES($base_bytes) } before, { BYTES($new_bytes) } after
note-memory-diff-alone = { $device }: only in the recording { $side ->
        [before] before
       *[other] after
    }
note-memory-ranks = rank { LABEL($rank) } peaks: { BYTES($peak_bytes) } on { $device }{ $above_bytes ->
        [0] {""}
       *[other] , { BYTES($above_bytes) } more than the median of { $ranks }
    }{ $category ->
        [none] {""}
       *[other] ; of { $category } it holds { BYTES($category_bytes) } more than the median
    }
note-blocks-then = segments and blocks after entry { LABEL($event) } of the history; of what was released since, sizes are those asked for, rounded up to 512 bytes
note-blocks-astray = { $blocks ->
        [one] 1 allocation lies
       *[other] { $blocks } allocations lie
    } in no segment that is known of then
note-snapshot-part = of { $file } only what was alive at { RANGE(TIME($begin_ns), TIME($end_ns)) } of its history is shown{ $entries ->
        [0] {""}
        [one] ; 1 entry is left out
       *[other] ; { $entries } entries are left out
    }
note-snapshot-holes = { BYTES($hole_bytes) } ({ PCT($hole_pct, digits: 1) } of what is reserved) are free between blocks in use; { BYTES($whole_free_bytes) } are whole segments, which empty_cache() gives back
note-snapshot-few-steps = rank { LABEL($rank) }: the history is too short to tell what grows: at least three steps, or 100 entries
note-snapshot-few-whole-steps = rank { LABEL($rank) }: the part shown holds fewer than three whole steps, too few to tell what grows
note-snapshot-no-growth = rank { LABEL($rank) }: no stack grew in nearly each of { $steps ->
        [one] { $steps } step or part
       *[other] { $steps } steps or parts
    } of the history
note-snapshot-growth-of-a-pass = rank { LABEL($rank) }: { $stacks ->
        [one] { $stacks } stack
       *[other] { $stacks } stacks
    } of parameters, activations, gradients or optimizer state grew, but no steps are known: one pass may be why
note-snapshot-little-growth = rank { LABEL($rank) }: { $stacks ->
        [one] { $stacks } more stack grew
       *[other] { $stacks } more stacks grew
    } by less than 1 MiB and less than 0.1 % of the peak per step
note-snapshot-no-oom = memory did not run out in the history
note-snapshot-holders = { $holders }
note-snapshot-holder = { BYTES($size_bytes) } of { $category } in { $blocks ->
        [one] { $blocks } block
       *[other] { $blocks } blocks
    }{ $source ->
    [none] {""}
   *[other] {" "}at { $source }
}
note-snapshot-category = { $category ->
    [before] allocated before the recording
   *[other] { $category }
}
note-hardware-few-samples = no energy of a step from fewer than { $least } samples in the steps, or where these leave much of them out: GPU { $gpus }
note-cuda-memory-before = totals count from the start of the recording: what was allocated before it is missing unless Nsight Systems noted it, and what memory pools hold in reserve is not read
note-cuda-memory-unread = { $rows ->
        [one] 1 row is
       *[other] { $rows } rows are
    } left out: neither allocation nor release, or without a size
note-npu-steps = the profiler takes what started in a step and adds up whole intervals; measured is what was launched in it, as unions; copies, events and waits of the host are in the free time of both
note-npu-links = SDMA is the sum of HCCS, PCIE and SIO: its bytes are those of these once more
note-npu-memory-peak = { $device }, { $component }: peak { BYTES($peak_bytes) }{ $operator ->
        [none] {""}
       *[other] ; of the operators { $operator } held most, { BYTES($bytes) }
    }
note-npu-ai-cpu = { NUMBER($calls) ->
        [one] 1 kernel
       *[other] { NUMBER($calls) } kernels
    } ran on AI CPUs, { TIME($total_ns) }, { PCT($share_pct) } of kernel time: { $types }; they are scalar and slow, so a type, shape or operator that AI Cores take is faster
