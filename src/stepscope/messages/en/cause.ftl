### Why a rank is late, or why no rank is.

cause-compute = compute
cause-copies = memcpys
cause-data-loading = data loading
cause-garbage-collection = garbage collection
cause-host = CPU work
cause-not-recorded = cause not recorded

cause-slower-kernels = the same kernels take { FIXED($times, digits: 2) } times as long as on rank { LABEL($rank) } (slower clock, another process on the GPU, or different work under the same names)
cause-extra-kernels = { $what }: { TIME($more_ns) } a step more than rank { LABEL($rank) }, { $kernels ->
    [0] in kernels that take longer
    [one] in 1 more kernel
   *[other] in { $kernels } more kernels
}
cause-extra-kernels-in-range = { $what } under { $range }: { TIME($more_ns) } a step more than rank { LABEL($rank) }, { $kernels ->
    [0] in kernels that take longer
    [one] in 1 more kernel
   *[other] in { $kernels } more kernels
}
cause-extra-copies = { $what }: { TIME($more_ns) } a step more than rank { LABEL($rank) }, { $copies ->
    [0] in memcpys that take longer
    [one] in 1 more memcpy
   *[other] in { $copies } more memcpys
}
cause-extra-idle = the GPU is idle { TIME($more_ns) } a step longer than on rank { LABEL($rank) }
cause-extra-idle-in = { $event }: the GPU is idle { TIME($more_ns) } a step longer than on rank { LABEL($rank) }
cause-slow-group = { $op } of { BYTES($size_bytes) }: ranks { $ranks } reach { FIXED($gb_per_s, digits: 2) } GB/s, { PCT($of_median_pct) } of the median of { $groups } groups

cause-no-rank-late = No straggler: no rank is late because of its own work
cause-no-rank-late-enough = No straggler: the latest rank, { LABEL($rank) }, is late by { TIME($late_ns) } a step ({ PCT($late_pct, digits: 1) }), less than { PCT($least_pct) }
cause-late-by-chance = Rank { LABEL($rank) } may be a straggler, late by { TIME($late_ns) } a step ({ PCT($late_pct, digits: 1) }): too close to chance variation ({ TIME($chance_ns) }) to be sure
cause-late-in-some-steps = Rank { LABEL($rank) } is late in only { $late_steps } of { $steps } steps, by { TIME($late_ns) } a step on average ({ PCT($late_pct, digits: 1) }): not a straggler, but inspect those steps
cause-straggler-not-selected = { $count ->
    [one] Rank { $ranks }, which is not selected, is a straggler
   *[other] Ranks { $ranks }, which are not selected, are stragglers
}
cause-nothing-judged = no rows: no collective that involves all its ranks was found on several ranks inside a step
cause-slower-clock = its GPU ran at { NUMBER($mhz) } MHz (SM clock), that of rank { LABEL($rank) } at { NUMBER($other_mhz) } MHz, which explains up to { PCT($explained_pct) } of its longer kernels{ $reason ->
    [power-cap] ; the power cap held it down
    [thermal] ; heat held it down
    [hardware] ; its hardware slowed it down
    [power-brake] ; the power brake of the machine held it down
   *[none] {""}
}
