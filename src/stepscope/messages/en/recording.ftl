# Recordings: which of several is shown, and why another is not.

recording-span = span { $span } of { $spans } of { $worker }
recording-span-other = span { $span } of { $spans } of { $worker }; show it with --span { $span }
recording-beside = beside the recording by { $recorder }, which the tables of rank { $rank } show
recording-no-rank = belongs to no rank: neither the recording nor its name says one
recording-process = process { $process }, one of { $ranks } ranks in this file
recording-process-together = process { $process } did no work on a GPU ({ NUMBER($events) } events): shown with rank { $rank }
recording-process-apart = process { $process } did no work on a GPU ({ NUMBER($events) } events), and nothing says which rank it helps: not shown
recording-left = { $left } of { $count } recordings are not in the other tables; the note says why
recording-kernels-beside = the tables of kernel reports are of it; it has no times, so it is not on the timeline of rank { $rank }
recording-hangs-beside = the tables of hangs are of it; it is not on the timeline of rank { $rank }
recording-pipeline-beside = the tables of the input pipeline are of it; its clock is its own, so it is not on the timeline of rank { $rank }
recording-bandwidths-beside = the tables of bandwidth over the run are of it; it is not on the timeline of rank { $rank }
recording-samples-beside = the table host_samples is of it; it does not say when it began, so it is not on the timeline of rank { $rank }
recording-memory-beside = the memory tables are of it; the others of the recording by { $recorder } of rank { $rank }
recording-of-machine = of the machine, and so of each of its ranks: network cards and switches ({ NUMBER($events) } samples)
recording-one-clock = on the clock of the recording by { $recorder }: both count from 1970 (± { TIME($uncertainty_ns) })
recording-assumed-zone = on the clock of the recording by { $recorder }: its times name no zone, only { $zone } makes them cover it (assumed, ± { TIME($uncertainty_ns) })
recording-no-zone-fits = not joined: its times name no zone, and in none do they cover the recording by { $recorder }
recording-several-zones = not joined: its times name no zone, and several make them cover the recording by { $recorder } ({ $zones })
recording-no-clock = not joined: it has no clock in common with the recording by { $recorder }
recording-before = { $kind ->
        [memory_snapshot] the memory tables are of it, on no common clock
       *[other] not joined
    }: it ends { TIME($gap_ns) } before the recording by { $recorder } begins
recording-after = { $kind ->
        [memory_snapshot] the memory tables are of it, on no common clock
       *[other] not joined
    }: it begins { TIME($gap_ns) } after the recording by { $recorder } ends
recording-same-time = of the same { TIME($shared_ns) } as the recording by { $recorder }, whose events the tables show: none is counted twice
recording-snapshot-one-clock = the memory tables are of it; both it and the recording by { $recorder } count from 1970
recording-by-annotations = the memory tables are of it; { $count } annotations put it on the clock of the recording by { $recorder } (± { TIME($uncertainty_ns) })
recording-gpus-shared = not joined: { $ranks } ranks say GPU { LABEL($gpu) }, on several machines or each as its first, and nothing says which of them the log is of
recording-gpus-none = not joined: no rank worked on a GPU that it has samples of
