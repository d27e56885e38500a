# Titles of the timeline's tracks.

lane-stream = stream { $stream ->
    [none] (no number)
   *[other] { $stream }
}
lane-of = { $title } · { $of }
lane-packed = { $streams ->
    [one] 1 stream
   *[other] { $streams } streams
}: { $of }
lane-other-streams = { $streams ->
    [one] 1 other stream
   *[other] { $streams } other streams
}
lane-other-threads = { $threads ->
    [one] 1 other thread
   *[other] { $threads } other threads
}
lane-compute = compute
lane-communication = communication
lane-copies = copies
lane-idle = idle, by cause
lane-annotations = annotations
lane-sync = sync events
lane-gpu-busy = GPU busy
lane-sm-efficiency = SM efficiency
lane-queue = queue depth
lane-queue-of = queue depth · stream { $stream }
lane-queue-of-others = queue depth · { $streams ->
    [one] 1 other stream
   *[other] { $streams } other streams
}
lane-memory-allocated = memory allocated · { $device }
lane-memory-reserved = memory reserved · { $device }
lane-compilations = compiling (torch.compile)
lane-counter-of-gpu = { $counter } · GPU { $gpu }
lane-counter-of-process = { $counter } · process { $process }
lane-main = main thread
lane-autograd = autograd thread
lane-worker = data loader worker
lane-pinning = data loader pinning
lane-feeder = queue feeder
lane-watchdog = watchdog of collectives
lane-threads-without-number = threads without a number
lane-thread = thread { $thread ->
    [none] (no name)
   *[other] { $thread }
}
lane-numbered = { $title } { $thread ->
    [none] (no name)
   *[other] { $thread }
}
lane-group = { $description ->
    [none] group { $group }
    [default_pg] default ({ $group })
   *[other] { $description } ({ $group })
}
lane-untimed-records = { $records ->
    [one] 1 collective of the dumps has no time (time_created_ns) and is
   *[other] { NUMBER($records) } collectives of the dumps have no time (time_created_ns) and are
} not on the timeline; the page Hangs needs none
lane-dumps-beside = the collectives in the flight recorder dumps of ranks { $ranks } are not on this timeline, which is that of the traces; a run of the dumps alone shows them
lane-overlapping = { $events ->
    [one] 1 event overlaps another one of its track without lying inside it; such have rows below
   *[other] { $events } events overlap another one of their track without lying inside it; such have rows below
}
lane-outside = { $events ->
    [one] { $events } event
   *[other] { $events } events
} of the operating system { $events ->
    [one] lies
   *[other] lie
} before the first event of the program or after its last one, outside the time shown
lane-shared = only the { $most } streams of a GPU and { $most } threads of a rank with most time have tracks of their own; the others share one, and the details of an event name its stream or thread
