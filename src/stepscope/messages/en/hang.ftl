### Collectives that did not end, from dumps of the flight recorder.

hang-call = { $collective }{ $number ->
    [none] {""}
   *[other] {" "}{ LABEL($number) }
} of { $group ->
    [default_pg] the default group
   *[other] group { $group }
}

hang-not-entered = { $suspects_count ->
    [one] Rank { $suspects }
   *[other] Ranks { $suspects }
} never entered { $call }; { $waiting_count ->
    [0] no rank waits
    [one] rank { $waiting } waits
   *[other] { $waiting_count } ranks ({ $waiting }) wait
}{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}{ $source ->
    [none] {""}
   *[other] {" "}at { $source }
}. { $last }
hang-last = Rank { LABEL($rank) } last called { $call }{ $source ->
    [none] {""}
   *[other] {" "}at { $source }
}{ $done ->
    [yes] {" "}and completed it.
   *[other] , which has not completed.
}
hang-last-none = The dump of rank { LABEL($rank) } holds no collective.

hang-cycle = Ranks wait for each other: { $parts }.
hang-cycle-part = { $waiting_count ->
    [one] rank { $waiting } waits
   *[other] ranks { $waiting } wait
} for { $missing_count ->
    [one] rank { $missing }
   *[other] ranks { $missing }
} to enter { $call }
hang-other-order = Ranks { $ranks } called { $first } and { $second } in different orders, and neither completed.

hang-kind = { $ranks_count ->
    [one] rank { $ranks } has
   *[other] ranks { $ranks } have
} { $value }
hang-different-collectives = Ranks called different collectives as { $call }: { $kinds }.
hang-different-sizes = Ranks called { $call } with different sizes: { $kinds }.
hang-different-dtypes = Ranks called { $call } with different data types: { $kinds }.

hang-not-started = { $suspects_count ->
    [one] Rank { $suspects } has
   *[other] Ranks { $suspects } have
} called { $call } but not started it on the GPU{ $waiting_count ->
    [0] {""}
    [one] ; rank { $waiting } waits in it
   *[other] ; { $waiting_count } ranks ({ $waiting }) wait in it
}{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}.
hang-none-started = All { $members } ranks called { $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] , the last one at { CLOCK($since_epoch_ns) }
}, and none has started it on the GPU.
hang-not-completed = { $suspects_count ->
    [one] Rank { $suspects } has
   *[other] Ranks { $suspects } have
} started { $call } and not completed it{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}; { $finished_count ->
    [one] rank { $finished } has
   *[other] ranks { $finished } have
} completed it.
hang-none-completed = { $waiting_count ->
    [0] Ranks { $suspects }
   *[other] All { $members } ranks
} entered { $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] , the last one at { CLOCK($since_epoch_ns) }
}, and none has completed it.
hang-unfinished = { $suspects_count ->
    [0] All { $members } ranks entered { $call } and none has completed it
    [one] Rank { $suspects } has entered { $call } and not completed it
   *[other] Ranks { $suspects } have entered { $call } and not completed it
}{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}{ $finished_count ->
    [0] {""}
    [one] ; rank { $finished } has
   *[other] ; ranks { $finished } have completed it
}.
hang-no-dump = { $waiting_count ->
    [one] Rank { $waiting } waits
   *[other] { $waiting_count } ranks ({ $waiting }) wait
} in { $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}; the dumps do not say whether { $suspects_count ->
    [one] rank { $suspects }
   *[other] ranks { $suspects }
} entered it.

hang-unknown-members = { $waiting_count ->
    [one] Rank { $waiting } waits
   *[other] { $waiting_count } ranks ({ $waiting }) wait
} in { $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}; the dumps do not say which other ranks the group has.

hang-advice-not-entered = Look at what the missing rank does after its last call: an exception, a data loader without data, a branch that only some ranks take. Its stack at the time: py-spy dump --pid PID.
hang-advice-order = Call the collectives of all groups in the same order on every rank.
hang-advice-messages = Pair each send with a recv: of two ranks let one receive first, or post both sides with torch.distributed.batch_isend_irecv.
hang-advice-collectives = Look at the lines that called them: ranks take different branches, or a rank has skipped or repeated an earlier collective.
hang-advice-sizes = Make the tensors alike on all ranks, as by padding a last batch that is smaller or dropping it.
hang-advice-not-started = Look at the GPU's earlier work on these ranks: a kernel that does not end, or a stream that waits for an event.
hang-advice-transfer = If it was no ongoing transfer when the dump was written, look at the network and the GPUs: NCCL_DEBUG=INFO, ibstat, Xid errors in dmesg.
hang-advice-no-dump = Get the dumps of these ranks: a process that was killed writes none, so look at its exit status and the system's log.
hang-advice-unknown-members = Compare what the ranks wait in, in the table hang_ranks: gloo does not record the members of groups.

hang-coverage = Dumps of { $dumps } of { $ranks } ranks are here{ $absent_count ->
    [0] {""}
    [one] ; none of rank { $absent }, which is not to say that it is missing from the job
   *[other] ; none of ranks { $absent }, which is not to say that they are missing from the job
}.
hang-members-guessed = The dumps do not say which ranks some groups have: taken to be those that recorded them, and of the default group all that are named.
hang-overwritten = The dumps of { $ranks_count ->
    [one] rank { $ranks } begins
   *[other] ranks { $ranks } begin
} with later collectives than the job: earlier ones were overwritten (TORCH_FR_BUFFER_SIZE).
hang-none = No collective hangs: all { NUMBER($records) } recorded ones, in { $groups ->
    [one] one process group
   *[other] { $groups } process groups
} on { $ranks ->
    [one] one rank
   *[other] { $ranks } ranks
}, have completed.
hang-following = { NUMBER($count) } { $count ->
    [one] other hang follows from this: its missing ranks wait, too.
   *[other] other hangs follow from this: their missing ranks wait, too.
}
hang-more = { NUMBER($count) } more { $count ->
    [one] hang
   *[other] hangs
} in the table hangs.
hang-rank-idle = Waits in no collective: all { NUMBER($records) } recorded ones have completed.
hang-rank-waits = Waits in { $call }{ $since_epoch_ns ->
    [none] {""}
   *[other] {" "}since { CLOCK($since_epoch_ns) }
}{ $source ->
    [none] {""}
   *[other] {" "}at { $source }
}{ $pending ->
    [one] {""}
   *[other] {" "}({ NUMBER($pending) } not completed)
}.
hang-event = { $outcome ->
    [completed] Completed.
    [done] Finished. The dump does not say when, so only its call is shown.
    [not_started] Not finished: scheduled, and not started on the GPU up to the last time that any dump of the job holds. It is drawn until then.
   *[unfinished] Not finished up to the last time that any dump of the job holds. It is drawn until then.
}
hang-event-seen = { $started_ns ->
    [none] {""}
   *[other] Its start was seen { TIME($started_ns) } after the call.{" "}
}{ $completed_ns ->
    [none] {""}
   *[other] Its completion was seen { TIME($completed_ns) } after the call.{" "}
}PyTorch's watchdog looks only now and then, so what it saw had happened before.
hang-event-ranks = { $ranks_count ->
    [one] Rank { $ranks }
   *[other] Ranks { $ranks }
} { $reached ->
    [missing] never entered it.
    [waiting] entered it and did not finish it.
    [finished] finished it.
    [absent] { $ranks_count ->
        [one] has no dump here, so whether it entered is not known.
       *[other] have no dumps here, so whether they entered is not known.
    }
   *[unknown] may have entered it: what the { $ranks_count ->
        [one] dump holds begins
       *[other] dumps hold begins
    } later.
}
