### `stepscope prove` and `stepscope ledger`: what findings promised and what came.

proof-inside = { $finding } promised { $promised } of the step and saved { $came }: inside the range.
proof-less = { $finding } promised { $promised } of the step and saved { $came }: less than promised.
proof-more = { $finding } promised { $promised } of the step and saved { $came }: more than promised.
proof-unclear = { $finding } promised { $promised } of the step and saved { $came }: the steps are too uncertain to say whether that is inside the range.
proof-range = { PCT($best_pct) } ({ RANGE(PCT($low_pct), PCT($high_pct)) })
proof-steps = The step without the profiler: { TIME($before_ns) } -> { TIME($after_ns) }{ $work ->
    [none] { "" }
   *[other] , for the work of one step before (a step does { $work } times as much now)
}.
proof-both-measured = Both steps were measured without the profiler.
proof-one-estimated = One of the steps was measured without the profiler, the other one is estimated.
proof-both-estimated = Both steps are estimated: recordings that carry step times measured without the profiler give a narrower answer.
proof-is-gone = The finding is gone.
proof-still = The recording after the fix still has the finding.

proof-cannot-prove = cannot prove { $finding }
proof-no-saving = it promises no saving
proof-per-sample = its saving is per sample
proof-name-work = Say how many times as many samples a step has after the fix, as --work 8
proof-no-such-finding = cannot find { $finding }
proof-not-in = { $path } has no such finding
proof-which = cannot choose a finding
proof-gone = { $count ->
    [0] no finding with a saving is gone
   *[other] { $count } findings with a saving are gone
}
proof-findings = { $names ->
    [none] No finding of the recording before promises a saving
   *[other] Name one with --finding: { $names }
}
proof-no-step = cannot compare the steps of { $path }
proof-no-step-time = its step without the profiler is not known
proof-record = Record whole steps with CPU events.
proof-cannot-read = cannot read the ledger { $path }
proof-make-one = stepscope prove BEFORE AFTER makes one

proof-before = Before
proof-after = After
proof-empty = No predictions in { $path }.
proof-coverage = { $count ->
    [one] 1 prediction
   *[other] { $count } predictions
} tested: { $inside } inside the promised range, { $outside } outside, { $unclear } inconclusive.
proof-section-kinds = By finding
proof-section-later = Ranges of later predictions
proof-section-predictions = Predictions
proof-all = all
proof-title-finding = finding
proof-title-tested = tested
proof-title-inside = inside
proof-title-device = device
proof-title-known = conclusive
proof-title-factor = width
proof-too-few = unchanged: fewer than { $least }
proof-title-error = error, points
proof-title-date = date
proof-title-after = after
proof-title-label = fix
proof-title-promised = promised
proof-title-came = came
proof-title-outcome = outcome
proof-outcome-inside = inside
proof-outcome-less = less
proof-outcome-more = more
proof-outcome-unclear = inconclusive
