### `stepscope check` and `stepscope baseline`: whether recordings regressed.

gate-fine = No regression: { $parts }.
gate-regressed = Regression: { $parts }{ $more ->
    [0] { "" }
   *[other] , and { $more } more
}.
gate-unknown = Inconclusive: { $parts }{ $more ->
    [0] { "" }
   *[other] , and { $more } more
}.
gate-cause = Largest cause: { $cause }; it makes the step { TIME($size_ns) } slower (simulated).
gate-fine-step = the step takes { TIME($new_ns) } (before: { TIME($base_ns) })
gate-fine-counts = no exact count grew by more than { PCT($of_pct) }
gate-fine-budgets = { $count ->
    [one] the budget is kept
   *[other] all { $count } budgets are kept
}
gate-refused = the baseline was not recorded in the same way
gate-clause = { $what }: { $base ->
    [none] { $new }
   *[other] { $base } -> { $new }
} ({ $why })
gate-clause-budget = { $what }: { $new ->
    [none] no figure
   *[other] { $new }
}, { $least ->
    [yes] at least
   *[no] at most
} { $limit } allowed ({ $why })

gate-step = step time
gate-count-grew = exact count
gate-count-more = more, within the tolerance
gate-set-differs = it decides nothing
gate-count-no-more = no more than before
gate-count-traded = more, but the step is clearly faster
gate-count-varies = it varies between the steps of a recording
gate-count-new-peak = the baseline has no such figure
gate-step-others = steps that do other work are not compared, and with them a step takes { TIME($base_ns) } -> { TIME($new_ns) }
gate-step-range = { $way ->
    [longer] { RANGE(TIME($near_ns), TIME($far_ns)) } slower
    [shorter] { RANGE(TIME($near_ns), TIME($far_ns)) } faster
   *[around] between { TIME($near_ns) } faster and { TIME($far_ns) } slower
} { $factored ->
    [yes] with
   *[no] without
} the speed of the host factored out, 95 % interval
gate-budget-kept = kept
gate-budget-exceeded = exceeded
gate-budget-mixed = kept by { $kept } of { $count } recordings
gate-no-rows = the table { $table } has no rows{ $why ->
    [none] { "" }
   *[other] : { $why }
}
gate-no-values = no row has a value in { $column }
gate-no-steps = no steps were recorded to divide by
gate-allow-setup = Nothing was compared: save a baseline of this setup, or compare with --allow-other-setup.

gate-cannot-read-budgets = cannot read the budgets in { $path }
gate-cannot-check = cannot check the budget { $name }
gate-cannot-read-budget = cannot read budget { $number } in { $path }
gate-budget-example = Write entries as [[budget]], table = "kernels", column = "total_ns", per = "step", most = "12 ms"
gate-no-toml = it is no TOML: { $reason }
gate-no-budgets = it holds other things than [[budget]] entries
gate-unknown-key = there is no key { $key }
gate-known-keys = Keys: { $keys }
gate-no-text = { $key } is no text
gate-no-such-table = there is no table { $table }
gate-no-such-grouping = table { $table } has no grouping { $by }
gate-list-tables = Run stepscope show --list to see tables and their groupings.
gate-unknown-figure = figure or per is not known
gate-known-figures = figure is one of { $figures }; per is "step" or left out
gate-no-column = the figure needs a column
gate-no-such-column = table { $table } has no numbers in a column { $column }
gate-known-columns = Columns with numbers: { $columns }
gate-does-not-add = rows of { $column } in { $table } overlap: their sum counts time more than once
gate-adding-columns = Take figure { $figures }{ $columns ->
    [none] { "" }
   *[other] , or sum one of { $columns }
}
gate-no-limit = it has neither most nor least
gate-no-quantity = { $value } is no quantity of this column
gate-units = Write a number, or a number and a unit: { $units }

gate-cannot-name = cannot name a baseline { $name }
gate-bad-name = it has other characters than letters, digits, ".", "_" and "-"
gate-good-name = Choose another name, as main or release-1.2.
gate-cannot-save = cannot save the baseline { $name }
gate-several-setups = the recordings differ in device, versions or options of the profiler
gate-one-setup = Save recordings of one setup at a time.
gate-not-local = { $path } is not a file on this machine
gate-copy-first = Copy the recording here first.
gate-no-baseline = cannot find the baseline { $name }
gate-not-there = there is neither such a file nor such a name in { $folder }
gate-known-baselines = Saved names: { $names }
gate-save-first = Save one with stepscope baseline save { "NAME" } RECORDING
gate-nothing-to-check = name a --baseline or a --budget
gate-saved = { $replaced ->
    [yes] replaced
   *[no] saved
} baseline { $name }: { $count ->
    [one] one recording
   *[other] { $count } recordings
}, { BYTES($size_bytes) }, { $setup }
gate-saved-none = no baselines in { $folder }
gate-removed = removed { $count ->
    [one] one setup
   *[other] { $count } setups
} of baseline { $name }

gate-side-new = New
gate-side-base = Base
gate-title-check = check
gate-title-base = base
gate-title-new = new
gate-title-limit = limit
gate-title-outcome = outcome
gate-outcome-fine = fine
gate-outcome-regressed = regressed
gate-outcome-unknown = inconclusive
gate-section-checks = What was checked
gate-section-checks-says = a step; counts are exact
gate-checks-fine = { $count ->
    [one] One other check is fine
   *[other] { $count } other checks are fine
}: --all
gate-title-name = name
gate-title-saved = saved
gate-title-recordings = recordings
gate-title-size = size
gate-title-setup = setup
gate-list-first = Run stepscope baseline list to see all names.
gate-cannot-read-history = cannot read the history { $path }
gate-other-file = Name another file.
gate-too-large = it has { BYTES($size) }, more than the { BYTES($most) } that a page reads
gate-shorten = Keep its last lines in a file of their own.
gate-history-broken = { $count ->
    [one] One line
   *[other] { $count } lines
} of { $path } could not be read.
gate-history-short = Change points need { $least } runs of one setup; there { $count ->
    [one] is 1
   *[other] are { $count }
}.
gate-history-same = No change point in { $count } runs of this setup.
gate-history-change = Change point: { $what } { $before } -> { $after } from run { $run } of { $runs } on ({ $day }{ $label ->
    [none] { "" }
   *[other] , { $label }
}).
gate-repeat-agreed = decided after { $count } recordings, in { $folder }: two checks in a row agree
gate-repeat-ended = ended after { $count } recordings, in { $folder }: not decided by then
gate-repeat-hopeless = ended after { $count ->
    [one] one recording
   *[other] { $count } recordings
}, in { $folder }: more of them would not decide it
gate-repeat-counted = { $count ->
    [one] one recording
   *[other] { $count } recordings
}, in { $folder }
gate-cannot-repeat = cannot record { $command }
gate-command-failed = it ended with exit code { $code }
gate-run-alone = Make it run with stepscope record first.
gate-not-recorded = nothing of it was recorded
gate-run-record = See what stepscope record says of it.
