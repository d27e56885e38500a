### Collectives as NCCL Inspector measured them.

inspector-bandwidth = { $op }{ $link ->
    [none] {""}
   *[other] {" "}{ $link }
} of { RANGE(BYTES($from_bytes), BYTES($to_bytes)) } in { $communicator }: median bus bandwidth { NUMBER($busbw, maximumSignificantDigits: 3) } GB/s without waiting, over { NUMBER($calls) } { $calls ->
    [one] call
   *[other] calls
}, the most transfer time.
inspector-slow = Slow: { $op }{ $link ->
    [none] {""}
   *[other] {" "}{ $link }
} of { RANGE(BYTES($from_bytes), BYTES($to_bytes)) } in { $communicator } has { NUMBER($busbw, maximumSignificantDigits: 3) } GB/s, { PCT($of_others_pct) } of the { NUMBER($others, maximumSignificantDigits: 3) } GB/s of alike ones, over { NUMBER($calls) } { $calls ->
    [one] call
   *[other] calls
}.
inspector-late = Rank { LABEL($rank) } ({ $file }) arrives last in { PCT($last_pct) } of its { NUMBER($calls) } matched collectives, { TIME($late_ns) } in total after the next one.
inspector-late-together = Ranks { $ranks } arrive last together in { PCT($last_pct) } of their { NUMBER($calls) } matched collectives, { TIME($late_ns) } in total after the next one.
inspector-slow-more = { $count ->
    [one] 1 more communicator or link is slow, too
   *[other] { NUMBER($count) } more communicators and links are slow, too
}: see collective_bandwidth.
inspector-calls = { NUMBER($calls) } { $calls ->
    [one] call
   *[other] calls
} in { NUMBER($logs) } { $logs ->
    [one] log
   *[other] logs
}; { PCT($complete_pct) } of them with a line of every rank.
inspector-rank = { NUMBER($calls) } { $calls ->
    [one] collective
   *[other] collectives
}, { TIME($total_ns) } in total, waiting included.
