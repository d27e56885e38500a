# What stepscope record and attach say of a job.

record-done = recorded { $has_steps ->
    [yes] { $single ->
        [yes] step { $first }
       *[no] steps { $first } to { $last }
    }
   *[no] { $files ->
        [one] 1 window
       *[other] { $files } windows
    }
} of { $has_ranks ->
    [yes] rank { $ranks }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    }
   *[no] { $processes ->
        [one] 1 process
       *[other] { $processes } processes
    }
}: { $folder }
record-times = a step without the profiler took { $has_before ->
    [yes] { TIME($before_ns) } before the window
   *[no] {""}
}{ $has_after ->
    [yes] { $has_before ->
        [yes] , { TIME($after_ns) } after it
       *[no] { TIME($after_ns) } after the window
    }
   *[no] {""}
}
record-slower-after = after the window a step took { NUMBER($slower, maximumFractionDigits: 2) } times as long as before it: the profiler may still cost time, or the job changed
record-salvaged = { $file } is of a process that was killed before it was complete: events are there, step times are not
record-agent-failed = a process could not be prepared for recording: { $reason }
record-budget = { $program } (process { $pid }): the window ended early, after step { $step }: with { NUMBER($events) } events a step, more would exceed --max-events
record-ended-within = { $program } (process { $pid }) ended within the window ({ $how }): what was recorded until then is kept
record-not-written = { $program } (process { $pid }): the recording could not be written: { $reason }
record-snapshot = { $program } (process { $pid }): snapshot of the CUDA allocator in { $file }
record-foreign = { $program } (process { $pid }) uses torch.profiler itself: its own recording goes on, that of stepscope ended there
record-problem = { $program } (process { $pid }): { $reason }
record-nothing = nothing was recorded
record-old-python = { $processes ->
    [one] 1 Python process is
   *[other] { $processes } Python processes are
} older than Python 3.8, which recording needs
record-no-python = no Python process of the command was reached: python -I, -E and -S ignore PYTHONPATH, and containers and remote shells have to pass it on
record-no-steps-taken = { $processes ->
    [one] 1 Python process
   *[other] { $processes } Python processes
} ran, and in none did torch load data, run backward or step an optimizer; for others: --after S --duration S, or --step-on forward
record-not-asked = { $program } (process { $pid }) was never asked to record: stepscope attach { $pid } does, while it runs
record-ended-before = { $program } (process { $pid }) ended before its time had come: --after is too late
record-no-steps-found = { $program } (process { $pid }): no steps were found; name what ends one with --step-on, or record a time with --after S --duration S
record-too-few-steps = { $program } (process { $pid }) took { $steps ->
    [one] 1 step
   *[other] { $steps } steps
}, { $needed } are needed: record earlier ones, with --preset early or --steps A:B
record-not-started = { $command } could not be started: { $reason }
record-report-elsewhere = the report is shown for rank 0 only: stepscope report { $folder }
record-no-report = the report failed ({ $type }): stepscope report { $folder }

## stepscope attach

record-cannot-attach = cannot record process { $pid }
record-no-process = there is no such process
record-check-number = Check its number: ps -ef lists all.
record-not-prepared = it was not started for that, and py-spy is not installed
record-prepare = Start the job with stepscope record --on-demand -- COMMAND, or with KINETO_USE_DAEMON=1 in its environment; or pip install py-spy, which samples Python stacks of any process.
record-asked = { $way ->
    [agent] asked { $processes ->
        [one] 1 process
       *[other] { $processes } processes
    } for the next steps
    [kineto] waiting for Kineto in { $processes ->
        [one] 1 process
       *[other] { $processes } processes
    } to ask for work: it does so every 5 seconds
   *[sampler] not prepared for recording: py-spy samples its Python stacks, without operators and GPU
}
record-attached = recorded { $files ->
    [one] 1 file
   *[other] { $files } files
}: { $folder }
record-no-answer = nothing was recorded: { $way ->
    [agent] no step began in time, or the process ended; --timeout waits longer
    [kineto] no process took the request, or no optimizer stepped in time; --timeout waits longer
   *[sampler] py-spy failed: it may need root, or ptrace allowed (sysctl kernel.yama.ptrace_scope=0)
}
record-unsampled = telemetry ended early or was not written: { $reason }
record-name-folder = Name a folder that can be written with --out.
