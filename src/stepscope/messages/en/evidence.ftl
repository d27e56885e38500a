### Where a finding was seen.

evidence-found = { $where ->
    [none] { "" }
   *[other] { $where }{ $times ->
        [none] { "" }
       *[other] { ", " }
    }
}{ $times ->
    [none] { "" }
    [0] less than once a step
    [one] once a step
   *[other] { $times } times a step
}{ $ranges ->
    [0] { "" }
   *[other] { $where ->
        [none] { $times ->
            [none] { "" }
           *[other] { ", " }
        }
       *[other] { ", " }
    }{ $ranges ->
        [one] { "" }
       *[other] longest{ " " }
    }at { RANGE(MS($start_ns), MS($end_ns)) }
}
evidence-straggler = Cause: { $cause }; late in { $late_steps } of { $steps } { $steps ->
    [one] step
   *[other] steps
}, at { $votes } of { $collectives } collectives
evidence-straggler-detail = Cause: { $cause }, { $detail }; late in { $late_steps } of { $steps } { $steps ->
    [one] step
   *[other] steps
}, at { $votes } of { $collectives } collectives
