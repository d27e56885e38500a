"""Tables about how long a step takes without profiler overhead, and about what would make it shorter."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import (
    Table,
    amount,
    flag,
    ident,
    label,
    message,
    moment,
    named,
    ns,
    rank,
    rate,
    share,
    statistic,
    step,
)

STEP_TIME = Table(
    "step_time",
    "step time as recorded and without profiler overhead, and its bottleneck",
    (
        rank(),
        amount("steps", "steps it was measured over"),
        statistic("recorded_ns", "time of a step as recorded"),
        statistic("unprofiled_low_ns", "lower end of the range that follows", "Without profiler, low"),
        statistic("unprofiled_ns", "time of a step without profiler overhead, estimated", "Without profiler"),
        statistic("unprofiled_high_ns", "upper end", "Without profiler, high"),
        statistic("measured_low_ns", "lower end of the range that follows", "Measured, low"),
        statistic(
            "measured_ns", "time of a step measured without the profiler; null where the recording has none", "Measured"
        ),
        statistic("measured_high_ns", "upper end", "Measured, high"),
        label(
            "bound",
            "bottleneck of most of the step: host, data_loading, compute, communication or copies",
            "Bottleneck",
        ),
        share("host_pct", "share of the step whose bottleneck is the host", "Host-bound"),
        share("data_loading_pct", "the same for the data loader", "Input-bound"),
        share("compute_pct", "the same for kernels that compute", "Compute-bound"),
        share("communication_pct", "the same for communication", "Communication-bound"),
        share("copies_pct", "the same for memcpys and memsets", "Memcpy-bound"),
        rate("host_speed", "time of the same events over that on the calibration host; null if unknown"),
    ),
    key=("rank",),
    rows="rank",
    needs=("trace",),
    per_rank=True,
)

FINDINGS = Table(
    "findings",
    "bottlenecks, what fixing each would save, and the evidence",
    (
        rank(),
        ident("id", "names the finding, the same in every run", "ID", dtype=pl.String),
        message("title", "what was found", "Finding"),
        label("category", "kind of bottleneck"),
        label(
            "severity",
            "high (10 % of the step or more), medium, low (below run-to-run variation), or note: no saving",
        ),
        statistic("saving_low_ns", "lower end of the saving, per step", "Saving, low"),
        statistic("saving_ns", "saving per step, without profiler overhead; null for a note"),
        statistic("saving_high_ns", "upper end", "Saving, high"),
        share("saving_pct", "saving in per cent of the step without profiler overhead", "Saving %"),
        share("saving_low_pct", "lower end", "Saving low %"),
        share("saving_high_pct", "upper end", "Saving high %"),
        flag("per_sample", "whether the saving is of each sample's time: the step itself becomes longer"),
        label("confidence", "how sure: high, medium or low; empty for a note"),
        message("confidence_reason", "why this confidence", "Reason"),
        message("method", "how the saving was derived"),
        message("advice", "what to do", "Recommendation"),
        message("unknown", "what the recording does not show about it; null for nothing"),
        named(
            "what_if",
            "the change of `stepscope what-if` that simulates the fix; empty for notes",
            "What-if",
        ),
        message("evidence", "file and line where it begins, how many times a step, and when for longest"),
        statistic("spent_ns", "time it takes per step, as recorded", "Time spent"),
        moment("start_ns", "start of its longest range, on the trace's clock; null where it is not a range"),
        moment("end_ns", "end of that range"),
        named("change", "lines to change in the program, as they would be, followed by what they were", "Code change"),
        named("links", "pages of documentation, separated by spaces", "Documentation"),
        amount("ranks", "ranks on which this finding was seen", "Ranks"),
        flag("largest", "whether its saving is the largest of those ranks: the row that reports show"),
    ),
    key=("rank", "id"),
    rows="finding",
    first=("rank", "id", "severity", "saving_pct", "saving_low_pct", "saving_high_pct", "confidence", "evidence"),
)

OCCURRENCES = Table(
    "occurrences",
    "every time that a finding occurs",
    (
        rank(),
        ident("id", "names the finding, the same in every run", "ID", dtype=pl.String),
        message("title", "what was found", "Finding"),
        ident("occurrence", "number of the occurrence on the rank, in order of time"),
        step("step in which it begins; null before the first"),
        moment("start_ns", "start, on the trace's clock"),
        ns("duration_ns", "how long it takes"),
        named("name", "event of the host that it is; null where it is a range between events", "Event"),
        label("thread", "thread of the host; null for the lateness of a straggler"),
        amount("of", "occurrences of the finding on the rank, also those that are not listed", "Of"),
    ),
    key=("rank", "id", "occurrence"),
    rows="occurrence",
    first=("rank", "id", "occurrence", "of", "step", "start_ns", "duration_ns", "name", "thread"),
    in_report=False,
)
