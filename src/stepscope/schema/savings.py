"""Tables about how long a step takes without the profiler, and about what would make it shorter."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

STEP_TIME = Table(
    "step_time",
    "step time as recorded and without the profiler, and which side holds it back",
    (
        count("rank", "rank of the process"),
        count("steps", "steps it was taken over"),
        ns("recorded_ns", "time of a step as recorded"),
        ns("unprofiled_low_ns", "lower end of the range that follows"),
        ns("unprofiled_ns", "time of a step without the profiler, estimated"),
        ns("unprofiled_high_ns", "upper end"),
        text("bound", "side that holds the step back most: host, data_loading, compute, communication or copies"),
        number("host_pct", "share of the step that the host's work holds back"),
        number("data_loading_pct", "the same of the data loader"),
        number("compute_pct", "the same of kernels that compute"),
        number("communication_pct", "the same of communication"),
        number("copies_pct", "the same of copies and fills"),
        number("host_speed", "time of the same events over that on the host of the calibration; null if unknown"),
    ),
    per_rank=True,
)

FINDINGS = Table(
    "findings",
    "what holds the step back, what mending it would save, and the evidence",
    (
        count("rank", "rank of the process"),
        text("id", "names the finding, the same in every run"),
        text("title", "what was seen"),
        text("category", "kind of thing it is"),
        text("severity", "high (10 % of the step or more), medium, low: seen, not worth mending, or note: no saving"),
        ns("saving_low_ns", "lower end of the saving, a step"),
        ns("saving_ns", "saving a step, without the profiler; null for a note"),
        ns("saving_high_ns", "upper end"),
        number("saving_pct", "saving in per cent of the step without the profiler"),
        number("saving_low_pct", "lower end"),
        number("saving_high_pct", "upper end"),
        text("confidence", "how sure: high, medium or low"),
        text("confidence_reason", "why so sure, and no surer"),
        text("method", "how the saving was derived"),
        text("advice", "what to do"),
        text("unknown", "what the recording cannot tell about it"),
        text("what_if", "the change of `stepscope what-if` that comes near to mending it; empty without one"),
        text("evidence", "file and line where it begins, and how often"),
        ns("spent_ns", "time that it takes a step, as recorded"),
        ns("start_ns", "start of its first range, on the trace's clock; null where it is no range"),
        ns("end_ns", "end of that range"),
        text("change", "lines to change in the program, as they would be, with what they were behind them"),
        text("links", "pages of documentation, separated by spaces"),
    ),
)
