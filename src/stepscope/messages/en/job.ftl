### What the ranks of a job say together.

job-straggler = Rank { LABEL($rank) } is a straggler: it delays the other ranks by { TIME($lateness_ns) } a step ({ PCT($lateness_pct) } of the job's step of { TIME($step_ns) }), in { $late_steps } of { $steps } { $steps ->
    [one] step
   *[other] steps
}.
job-more-stragglers = { $count ->
    [one] Another straggler: { $others }.
   *[other] More stragglers: { $others }{ $more ->
        [0] { "" }
       *[other] { " " }and { $more } more
    }.
}
job-late-by = rank { LABEL($rank) } by { TIME($lateness_ns) }
job-cause = { $several ->
    [yes] Cause on rank { LABEL($rank) }
   *[no] Cause
}: { $cause }{ $detail ->
    [none] { "" }
   *[other] , { $detail }
}.
job-without = Without the straggler a step of the job would take ~{ TIME($step_ns) } ({ RANGE(TIME($low_ns), TIME($high_ns)) }){ $at_best ->
    [yes] { " " }at best, as far as it is not waiting for other pipeline stages then
   *[no] { "" }
}.
job-exposed = Exposed communication of the job's step: { PCT($wait_pct) } waiting for another rank, { PCT($transfer_pct) } transfer{ $has_rest ->
    [yes] , { PCT($rest_pct) } could not be separated
   *[no] { "" }
} (mean over ranks){ $names_one ->
    [yes] ; { PCT($waited_for_pct) } of the waiting ends when rank { LABEL($rank) } arrives
   *[no] { "" }
}.
job-start-skew = The ranks begin the first recorded step { TIME($spread_ns) } apart, rank { LABEL($rank) } last, because the profiler does not start on all of them at once: the others wait for it in the first collective, which is not the job's own waiting.
job-undetermined = Cannot determine which rank is a straggler: no collective that involves all its ranks was found on several of them.
job-ranks-undetermined = { $count ->
    [one] Cannot determine whether rank { $ranks } is a straggler
   *[other] Cannot determine whether ranks { $ranks } are stragglers
}: too few of their collectives can be compared.
job-doubt = Cannot determine whether rank { LABEL($rank) }, which the others wait for most, is late because of its own work: inspect it.
job-missing = Some collectives are not recorded on all their ranks: what looks like transfer may be waiting for one of them.
job-failed = The ranks could not be compared: a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it.
