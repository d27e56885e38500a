### The report as one HTML file: what it holds and what it does not.

page-view = { $table }{ $by ->
    [none] { "" }
   *[other] { " " }by { $by }
}{ $source ->
    [yes] { " " }with source lines
   *[no] { "" }
}
page-first-rows = { $table }: the first { $rows } of { $total } rows
page-no-rows = { $table }: none of { $total } rows
page-failed = { $what }: a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it
page-timeline = the timeline
page-cut = this report holds the first { $rows } of { $total } rows; the command below prints all
page-no-timeline = the timeline: there is no room for it
page-range = { RANGE(TIME($start_ns), TIME($end_ns)) }
page-merged-events = the timeline: events shorter than { TIME($shorter_ns) } are merged{ $exact ->
    [yes] , none of them from { $ranges }
   *[no] { "" }
}
page-left-out = not included: { $what }
page-quotes = { $places ->
    [one] it quotes one place
   *[other] it quotes { $places } places
} in source files of this machine: { $files }{ $more ->
    [0] { "" }
   *[other] {" "}and { $more } more
}; --no-source leaves them out
page-unquoted = source files: { $quoted } of { $places } quoted places
page-ranks = ranks other than { $shown }: of { $ranks } ranks it holds the timeline, operators and kernels of these only
page-not-everything = this report does not hold everything: { $command } shows it
page-whole = of the whole recording, regardless of the selection: a report holds no other; { $command } follows the selection
