### The recommendations of a report.

recommendation-heading = Recommendations
recommendation-heading-says = savings without profiler overhead, simulated{ $straggler ->
    [yes] , of a straggler as recorded
   *[no] { "" }
}{ $unmarked ->
    [yes] , with the whole recording as one step
   *[no] { "" }
}; they do not add up
recommendation-none = No recommendation exceeds run-to-run variation.
recommendation-none-because = No recommendations: { $reason }.
recommendation-more = and { $count } more (stepscope show findings)
recommendation-minor = Minor, below run-to-run variation: { $titles }
recommendation-note = Note: { $title }. { $advice }
recommendation-saving = { $possible ->
    [yes] may save
   *[no] saves
} ~{ TIME($saving_ns) }{ $unmarked ->
    [yes] { "" }
   *[no] { " " }a step
}, { PCT($saving_pct) } ({ RANGE(PCT($low_pct), PCT($high_pct)) })
recommendation-saving-per-sample = { $possible ->
    [yes] may save
   *[no] saves
} { PCT($saving_pct) } of the time per sample ({ RANGE(PCT($low_pct), PCT($high_pct)) })
recommendation-details = { $saving }; { $confidence ->
    [high] high
    [medium] medium
   *[low] low
} confidence: { $reason }
recommendation-details-of-ranks = { $saving }; { $confidence ->
    [high] high
    [medium] medium
   *[low] low
} confidence: { $reason }; most on rank { LABEL($rank) }, seen on { $seen } of { $ranks } ranks
recommendation-top = The top recommendation below { $saving }.
recommendation-top-on-rank = The top recommendation below { $saving }, on rank { LABEL($rank) }.
recommendation-unknown = Not in the recording: { $what }.
recommendation-was = was: { $code }
