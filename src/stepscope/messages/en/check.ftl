# Checks of a recording: what was found, and what it means.

## What was found

check-count = { $count }
check-share = { PCT($share_pct, digits: 2) }
check-time = { TIME($time_ns) }
check-of = { $part } of { $whole }
check-yes = yes
check-no = no
check-none = none
check-recorded = recorded
check-none-happened = nothing of this kind happened
check-not-recorded = not recorded
check-cut-off = cut off
check-sentences = { $sentences }
check-more = { $count } more

## The file

check-events = { BYTES($json_bytes) } of JSON
check-events-recorder = recorded by { $recorder }
check-nsys-diagnostics = Nsight Systems noted { $warnings ->
    [one] 1 warning
   *[other] { NUMBER($warnings) } warnings
} and { $errors ->
    [one] 1 error
   *[other] { NUMBER($errors) } errors
} about this recording; its own window, or nsys export, shows their texts
check-nsys-foreign = samples and context switches of programs other than the recorded one are left out
check-nsys-graphs = { $graphs ->
    [one] 1 CUDA graph was recorded as a whole, without its kernels
   *[other] { NUMBER($graphs) } launches of CUDA graphs were recorded as a whole, without their kernels
}: record again with nsys profile --cuda-graph-trace=node
check-complete = the file ends as it should
check-failed = { $what } failed
check-incomplete = { $reason }; events after the cut are missing ({ BYTES($lost_bytes) } of an unfinished event were dropped)
check-incomplete-events = { $reason }; events after the cut are missing
check-files-lost = { $files }: the tables lack what it held
check-file-unread = { $file } could not be read
check-file-cut = { $file } is cut off within a row
check-beside = { $found }
check-beside-one = { $name }: { $found }
check-damaged-none = every event is valid JSON
check-damaged-no-events = every event can be read
check-damaged = skipped: { $events ->
        [one] 1 event
       *[other] { $events } events
    } of broken JSON and { $entries ->
        [one] 1 entry that is not an event
       *[other] { $entries } entries that are not events
    }
check-damaged-events = skipped: { $events ->
        [one] 1 damaged event
       *[other] { $events } damaged events
    }
check-damaged-events-in = skipped: { $events ->
        [one] 1 damaged row
       *[other] { $events } damaged rows
    } in { $files }
check-damaged-kernel = kernel { LABEL($kernel) }{ $name ->
        [none] {""}
       *[other] {" "}({ $name })
    }
check-damaged-kernels = { $kernels }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more parts
    }{ $file ->
        [none] {""}
       *[other] {" "}of { $file }
    } could not be read: times and shares are without { $count ->
        [one] it
       *[other] them
    }
check-doubled = { $events ->
        [one] 1 event has
       *[other] { $events } events have
    } a key twice: its last value counts; of two args the arguments of both are kept
check-broken-none = every timed event has a start and a duration
check-broken = excluded from all times: { $reasons }
check-broken-start = { $events } without a valid start time
check-broken-duration = { $events } without a valid duration
check-broken-negative = { $events } with a negative duration
check-clock-good = no activity starts before its launch
check-clock-whole = whole ns
check-clock-rounded-value = { $times } rounded
check-clock-rounded = { $times ->
        [one] 1 timestamp
       *[other] { $times } timestamps
    } finer than 1 ns rounded
check-clock-negative = { $events ->
        [one] 1 event starts
       *[other] { $events } events start
    } before time zero
check-clock-early-value = { $activities } before launch
check-clock-early = { $activities ->
        [one] 1 activity starts before its launch
       *[other] { $activities } activities start before their launches
    }, by up to { TIME($worst_ns) }: host and GPU clocks differ
check-stream-overlaps = { $activities ->
        [one] 1 activity runs
       *[other] { $activities } activities run
    } on over later activities of the same stream by more than { TIME($tolerance_ns) }: the recorded end is damaged. { TIME($cut_ns) } of recorded duration is not counted; each ends where the next activity of its stream starts. Longest: { $example }, recorded { TIME($recorded_ns) }, counted { TIME($kept_ns) }
check-graph-captures = of what CUDA graphs replay has operators, by the recording of their capture in { $folder }
check-graph-edges = dependencies between nodes of CUDA graphs; the critical path follows those between activities{ $rest ->
        [0] {""}
        [one] ; 1 joins a node that is not an activity, such as an event record or a host function
       *[other] ; { $rest } join nodes that are not activities, such as event records and host functions
    }
check-nested = CPU events nest
check-overlapping = CPU events end after the event that encloses them ({ $parts }); they keep their whole length, and self times count no time twice
check-overlapping-in = { $events } in table { $table }
check-categories-known = every timed event is of a known category
check-categories = timed events kept but not analysed, of category { $categories }, for example { $example }
check-unread = events of other kinds than X kept but not analysed, of phase { $phases }, for example { $example }
check-assumed-times = its lines hold no times: samples are taken to be { TIME($interval_ns) } apart, the default of dcgmi; record with dcgmi dmon ... | ts "%Y-%m-%dT%H:%M:%.S"
check-counters = { $counters ->
        [one] 1 counter
       *[other] { $counters } counters
    } sampled over time{ $gpus ->
        [0] {""}
        [one] {" "}on 1 GPU
       *[other] {" "}on { $gpus } GPUs
    } (table telemetry, timeline)
check-counters-refused = { $counters ->
    [one] 1 counter
   *[other] { $counters } counters
} could not be sampled, as { $example }: { $reason }
check-counters-missing = { $samples ->
        [one] 1 sample
       *[other] { $samples } samples
    } without a finite value, as of { $example }, shown as missing
check-counters-unplaced = { $events ->
        [one] 1 sample
       *[other] { $events } samples
    } without a valid time or without any value, in no table
check-counters-clocks = sampling SM and memory activity can lock the GPU clocks, so kernels may not take the time that they take without it
check-overhead-none = no event of the profiler's own work; its cost per call is still part of CPU times{ $waits ->
        [0] {""}
        [one] ; 1 wait for a free slot in the launch queue ({ $event })
       *[other] ; { $waits } waits for a free slot in the launch queue ({ $event })
    }
check-overhead = { $events ->
        [one] 1 event
       *[other] { $events } events
    } of the profiler's own work: { $kinds }{ $more ->
        [0] {""}
       *[other] , and { $more } more kinds
    }{ $waits ->
        [0] {""}
        [one] ; 1 wait for a free slot in the launch queue ({ $event })
       *[other] ; { $waits } waits for a free slot in the launch queue ({ $event })
    }
check-times = { $found }: timestamps are broken or from two clocks, and so are sums over them
check-times-long = { $events ->
        [one] 1 event lasts
       *[other] { $events } events last
    } more than a day
check-times-span = the first and the last event are { FIXED($days, digits: 1) } days apart
check-times-span-value = span
check-kernel-details = { $occupancy ->
        [0] {""}
       *[other] { $occupancy ->
            [one] 1 kernel
           *[other] { $occupancy } kernels
        } with an occupancy outside 0 to 100 %, left out{ $registers ->
            [0] {""}
           *[other] {"; "}
        }
    }{ $registers ->
        [0] {""}
       *[other] { $registers ->
            [one] 1 kernel
           *[other] { $registers } kernels
        } with a negative number of registers
    }

## GPU activity

check-gpu-activity = kernels, memcpys and memsets
check-gpu-cut-off = the file is cut off before any GPU event: what the GPU did is unknown
check-gpu-calls-only = { $launches ->
        [one] 1 call
       *[other] { $launches } calls
    } gave the GPU work, but no GPU activity was recorded: { $recorder ->
    [rocprofv3] rocprofv3 was not asked for it (--kernel-trace --memory-copy-trace), or its files are not here
   *[other] another profiler held CUPTI, or the recorded window was too short
}
check-gpu-foreign = no event is of a category that torch.profiler writes
check-gpu-mindspore = the folder holds neither kernels (activity_execute_timestamp) nor operators (op_execute_timestamp)
check-host-only = only the CPU was recorded{ $kineto ->
    [yes] ; on a GPU add ProfilerActivity.CUDA to activities
   *[no] {""}
}
check-host-only-no-gpu = only the CPU was recorded: the program saw no GPU
check-host-only-unused = { $recorded ->
    [yes] the GPU was recorded, and did nothing in these steps
   *[no] only the CPU was recorded: when the window began, the program had not used the { $gpus ->
        [one] GPU
       *[other] { $gpus } GPUs
    } that it sees
}
check-linked-all = every activity has its launch{ $by_flow ->
        [0] {""}
       *[other] , { $by_flow } through flow arrows
    }
check-unlinked = { $activities ->
        [one] 1 activity
       *[other] { $activities } activities
    } ({ PCT($time_pct, digits: 2) } of GPU time) without a launch in the trace{ $cut ->
        [yes] : the file is cut off before their launch calls
       *[no] { $before ->
            [0] {""}
           *[other] ; { $before } of them run before anything launched here: work queued before the recording began
        }
    }
check-launches-all = every launch call has its activity
check-launches-lost = { $lost } of { $calls } launch calls have no activity: still queued when the recording ended, dropped by the profiler, captured into a graph, or copied by the CPU
check-attributed-all = all GPU time was launched inside operators
check-attributed = GPU time launched inside operators; { $outside ->
        [0] {""}
       *[other] { $outside ->
            [one] 1 activity was
           *[other] { $outside } activities were
        } launched outside of any{ $graphs ->
            [0] {""}
           *[other] , { $graphs } of them by replaying a CUDA graph, which records no operators
        }{ $unlinked ->
            [0] {""}
           *[other] {"; "}
        }
    }{ $unlinked ->
        [0] {""}
        [one] 1 activity has no launch in the trace
       *[other] { $unlinked } activities have no launch in the trace
    }
check-communication-all = all { $kernels } communication kernels carry their collective's name and sizes
check-communication = { $named } of { $kernels } communication kernels carry their collective's name and sizes; the others are recognized by their operator or name

## Steps

check-steps-profiler = ProfilerStep ranges
check-steps-unreadable = ProfilerStep ranges with unreadable numbers ("{ $name }"): numbered in order of time, from 0
check-steps-optimizer = no ProfilerStep ranges; cut at the ends of { $name }
check-steps-annotation = no ProfilerStep ranges; each "{ $name }" is taken as a step
check-steps-serving = each iteration of the inference server ("{ $name }") is a step
check-steps-whole-served = the ranges of an inference server's iterations are missing: the whole trace is taken as one step
check-steps-foreign = steps are not known: the whole trace counts as one
check-steps-snapshot = no range ProfilerStep#N or Optimizer.step in the history: all of it is taken as one step; put record_function("ProfilerStep#0") around each step
check-steps-whole-recorder = no range at the top of a thread repeats: the whole recording is taken as one step; put a range around each step (torch.cuda.nvtx.range("step"))
check-steps-whole-mindspore = MindSpore's timeline marks no steps on a CPU: the whole recording is taken as one step
check-steps-no-timeline = { $file ->
    [none] the recording has no timeline, so that neither steps nor their times are known
   *[other] { $file } is missing, so that neither steps nor their times are known: copy it, too, or export it again (torch_npu.profiler.profiler.analyse)
}
check-steps-unknown-category = the category of the ranges that repeat is not analysed: the whole recording is taken as one step
check-steps-points = points that MindSpore's profiler recorded
check-steps-whole = no ProfilerStep ranges, optimizer steps or repeated ranges: the whole trace is taken as one step; call profiler.step() in the loop
check-steps-repeated = { $count } repeated
check-steps-repeated-detail = step { $steps } occurs more than once: selecting it takes all
check-steps-none = { $kind ->
    [kernel_report] reports of kernels
    [flight_recorder] dumps of the flight recorder
    [communication_log] logs of NCCL Inspector
    [compile_log] logs of torch.compile
    [host_samples] samples of the host
    [input_pipeline] recordings of an input pipeline
   *[telemetry] samples of the machine
} hold no steps; a trace of the program does
check-steps-whole-all = no step is cut by the recorded window
check-window-steps = { $single ->
    [yes] step { $first }
   *[no] steps { $first } to { $last }
}
check-window-budget = the window was ended before it had more events than --max-events allows
check-window-foreign = the window was cut short: the program started a profiler of its own
check-window-ended = the process ended within the window ({ $how }): only what was recorded until then is here
check-steps-cut = { $count ->
        [one] step { $steps } is incomplete
       *[other] steps { $steps } are incomplete
    }; { $every ->
        [yes] no step is whole: means are of what was read of them
       *[no] { $count ->
            [one] means leave it out
           *[other] means leave them out
        }
    }
check-inside-steps-all = all GPU time was launched inside steps
check-inside-steps = GPU time launched inside steps; { $outside ->
        [one] 1 activity was launched outside, or its
       *[other] { $outside } activities were launched outside, or their
    } launch is unknown
check-host-ahead-not = the GPU finishes each step's work within that step
check-host-ahead-steps = { $late } of { $steps } { $steps ->
        [one] step
       *[other] steps
    }
check-host-ahead = in step { LABEL($step) } the GPU ends { TIME($lag_ns) } after the step's CPU range of { TIME($range_ns) }: the CPU runs ahead, so a step's length is its GPU period (period_ns), not its CPU duration (duration_ns)

## What was recorded

check-cannot-show-cut = cannot show { $views }: it may be lost with the end of the file
check-cannot-show = cannot show { $views }; record with { $option }
check-cannot-show-with = cannot show { $views }: { $option ->
        [none] stepscope reads nothing of that from { $recorder }
       *[other] { $profiler } records it with { $option }{ $ascend ->
            [yes] {" "}on Ascend
           *[no] {""}
        }
    }
check-cannot-show-by = cannot show { $views }: this recording is by { $recorder }; torch.profiler records it with { $option }

## Several ranks

check-skipped = not read: { $files }
check-skipped-file = { $file } ({ $reason })
check-spans-value = { $span } of { $spans }
check-spans-several = several
check-spans = { $processes ->
        [one] one process recorded several spans
       *[other] { $processes } processes recorded several spans each
    }; shown: { $files }; choose others with --span N
check-joined-value = { $count } joined
check-joined = { $files }
check-joined-one = { $file }: { $note }
check-recordings-value = { $count } not shown
check-recordings-both = { $beside }; { $alone }
check-recordings-beside = beside the recording that the tables show, { $count ->
    [one] rank { $ranks } has
   *[other] ranks { $ranks } have
} { $files }
check-recordings-no-rank = of no rank: { $files }
check-processes-value = { $processes } in { $files ->
        [one] one file
       *[other] { $files } files
    }
check-processes = { $ranks ->
        [one] one is a rank
       *[other] { $ranks } are ranks
    }{ $together ->
        [0] { "" }
        [one] ; one without work on a GPU is shown with it
       *[other] ; { $together } without work on a GPU are shown with it
    }{ $apart ->
        [0] { "" }
        [one] ; one without work on a GPU is not shown, only listed in recordings
       *[other] ; { $apart } without work on a GPU are not shown, only listed in recordings
    }
check-ranks = { $ranks } ranks
check-ranks-named = as recorded or as in the file names
check-ranks-guessed = { $guessed } of { $ranks } numbered by order
check-ranks-guessed-detail = these files name no rank or one that is taken: are they ranks of one run? Compare runs one by one; numbered were { $files }
check-ranks-by-process = numbered in the order of their process numbers: the recording names no rank (MPI_RANKS). Processes that torchrun starts mostly have this order
check-ranks-missing = the { $dumps ->
        [yes] { $count ->
            [one] dump of rank { $missing } is missing: what it was doing is not known
           *[other] dumps of ranks { $missing } are missing: what they were doing is not known
        }
       *[no] { $count ->
            [one] file of rank { $missing } is missing: waiting for it cannot be separated from transfer
           *[other] files of ranks { $missing } are missing: waiting for them cannot be separated from transfer
        }
    }
check-ranks-more = not all ranks of the job are here: waiting for the others cannot be separated from transfer
check-run-one = nothing in the files contradicts it
check-run-doubtful = doubtful
check-run-doubtful-detail = the files do not look like one run: { $found }; { $certain ->
        [yes] open each run alone
       *[no] either they are two runs, or a clock is off
    }
check-run-sizes = world size { $kinds }
check-run-versions = { $software } version { $kinds }
check-run-kind = { $value } on { $count ->
    [one] rank { $ranks }
   *[other] ranks { $ranks }
}
check-run-beyond = a job of { $size } ranks has no { $count ->
    [one] rank { $ranks }
   *[other] ranks { $ranks }
}
check-run-apart = by their clocks { $later_count ->
    [one] rank { $later } begins
   *[other] ranks { $later } begin
} { TIME($gap_ns) } after { $earlier_count ->
    [one] rank { $earlier }
   *[other] ranks { $earlier }
} ended
check-steps-are = { $steps ->
        [none] without numbers
       *[other] { $steps }
    }
check-steps-same = every rank has the same steps
check-steps-as-many = { $count ->
    [0] no rank has steps
   *[other] every rank has as many: { NUMBER($count) }
}
check-steps-counts = the steps have no numbers, and ranks have different counts: { $counts }
check-steps-count-of = { NUMBER($count) } ({ $several ->
    [yes] ranks
   *[no] rank
} { $ranks })
check-steps-differ = { $differing } of { $ranks } ranks differ
check-steps-differ-detail = most ranks have { $steps ->
        [none] no numbered steps
       *[other] steps { $steps }
    }; { $others }; a step is compared across the ranks that have it
check-steps-of-rank = { $count ->
    [one] rank { $ranks } has
   *[other] ranks { $ranks } have
} { $steps ->
        [none] no numbered steps
       *[other] { $steps }
    }
check-matched-share = { PCT($share_pct, digits: 1) }
check-matched = { $lost } of { $calls } communication kernels { $lost ->
        [one] has
       *[other] have
    } no partner on another rank{ $partly ->
        [0] {""}
       *[other] , { $partly } lack those of some ranks of their group
    }
check-clock-offsets = offsets up to { TIME($offset_ns) }
check-clock-one = one clock
check-clock-apart = not joined
check-clock-wall = wall clocks of the hosts
check-clock-wall-detail = dumps hold times since 1970, as the host of each rank had them: ranks of one host share a clock, those of several only as well as these agree; nothing is corrected
check-clock-detail = { $corrected ->
        [yes] corrected where ranks are compared;{" "}
       *[no] {""}
    }accurate to { TIME($unsure_ns) }, from the ends of { $collectives } collectives{ $apart ->
        [none] {""}
       *[other] ; no collective joins { $apart_count ->
            [one] rank { $apart }
           *[other] ranks { $apart }
        } to the others
    }{ $contradicted ->
        [none] {""}
       *[other] ; in { $contradicted } of them a rank leaves before another arrives: the matching or the clocks are wrong there
    }{ $far ->
        [yes] ; clocks of machines are rarely this far apart: are these ranks of one run?
       *[no] {""}
    }

## Memory snapshots

check-snapshot-no-history = cannot show what happened, only segments and blocks at the end; record with torch.cuda.memory._record_memory_history()
check-snapshot-contradicts = contradicts the end
check-snapshot-negative = the history allocates { BYTES($before_bytes) } more than there is at the end: releases are missing in it
check-snapshot-late = { BYTES($before_bytes) } earlier
check-snapshot-before = so much was allocated before the history began; it is in all levels
check-snapshot-whole = the history begins before the first allocation
check-snapshot-no-stacks = cannot show lines and categories; record with torch.cuda.memory._record_memory_history(stacks="python")
check-snapshot-stacks = of the allocations have a stack
check-snapshot-lost = allocations at an address that was not released before: their ends are missing
check-snapshot-paired = every allocation has its release, or is there at the end
check-snapshot-read = everything in the file is read
check-snapshot-keys = not read: { $keys }
check-snapshot-odd = { $values ->
        [one] { $values } value is of another kind than expected and taken as missing
       *[other] { $values } values are of another kind than expected and taken as missing
    }: { $keys }
check-snapshot-segments-twice = { $count ->
        [one] { $count } segment that the file lists twice counts once
       *[other] { $count } segments that the file lists twice count once
    }
check-snapshot-blocks-twice = { $count ->
        [one] { $count } block that the file lists in two segments counts once
       *[other] { $count } blocks that the file lists in two segments count once
    }
check-snapshot-in-part = in part
check-snapshot-part = only what was alive at { RANGE(TIME($begin_ns), TIME($end_ns)) } of the history was read, as --between says; { $entries ->
        [one] 1 entry is
       *[other] { $entries } entries are
    } left out
check-snapshot-stray = something follows the pickle and was not read

## Kernel reports

check-kernels-unread = results of { $kinds } are not read: only those of kernels and of ranges are
check-kernels-command-list = command lists
check-kernels-graph = CUDA graphs
check-kernels-no-lines = instructions have no lines; build with a line table: nvcc -lineinfo
check-kernels-no-source = the report holds no text of the lines; record with ncu --import-source yes
check-kernels-rounded = values of the details page are rounded to two decimals; open the report itself, or the raw page
check-samples-doubled = every sample twice
check-kernels-of = { $count } of { $of } kernels
check-kernels-some = of the others stepscope cannot show { $views }; collect it of all kernels with { $option }
check-kernels-speed-of-light = how busy compute and memory units are
check-kernels-occupancy = occupancy and what limits it
check-kernels-memory-access = uncoalesced access
check-kernels-shared-memory = bank conflicts
check-kernels-warp-stalls = what warps wait for

check-flight-overwritten = earlier collectives that the ring buffer no longer holds (TORCH_FR_BUFFER_SIZE)
check-flight-stacks = the lines that called the collectives
check-flight-scheduled = scheduled or retired
check-flight-states = this backend does not record when a collective starts: a collective is done when nothing waits for it any more
check-log-by-gpu = the GPU measured every time
check-log-by-host = the host measured these times: they include how late it noticed
check-log-left-out = calls that the log lacks between others: small messages are left out by default (8 KiB), and a full buffer drops
check-compile-payloads = records whose text has another checksum than it was written with: cut, damaged or edited; what can be read of them is shown
check-compile-times = logs say the time of day but no year, so their records have no time
check-compile-provenance = kernels are led back to lines by the names of nodes in their graph; with INDUCTOR_PROVENANCE=1 Inductor says the lines itself
check-flight-active = only what has not completed
check-flight-active-option = completed collectives were left out (TORCH_INCLUDE_ONLY_ACTIVE=1): whether a rank without a record entered a collective may not be known

## Perfetto traces

check-perfetto-lost = the writer lost packets { NUMBER($gaps) } { $gaps ->
        [one] time
       *[other] times
    }, { NUMBER($lost) } { $lost ->
        [one] event needs
       *[other] events need
    } what was lost, { NUMBER($archives) } compressed { $archives ->
        [one] packet is
       *[other] packets are
    } damaged: events may be missing; give the writer a larger buffer
check-perfetto-unpaired = { $unfinished ->
    [0] {""}
    [one] 1 slice has no end and lasts until the recording ends
   *[other] { NUMBER($unfinished) } slices have no end and last until the recording ends
}{ $alone ->
    [0] {""}
   *[other] { $unfinished ->
        [0] {""}
       *[other] ;{" "}
    }{ $alone ->
        [one] 1 end has no beginning and is left out
       *[other] { NUMBER($alone) } ends have no beginning and are left out
    }
}
check-perfetto-unread = { NUMBER($packets) } { $packets ->
        [one] packet
       *[other] packets
    } of other data sources (scheduler, samples of stacks, Android) not read; { NUMBER($events) } { $events ->
        [one] event
       *[other] events
    } without a time or of an old form left out
check-perfetto-clock = events on a clock that no packet relates to that of the trace: they may not line up with the others
check-rocm-unread = records of rocprofv3 that are not read: counters, allocations, samples of instructions
