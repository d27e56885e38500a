"""Tables about how long a step takes without profiler overhead, and about what would make it shorter."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, flag, message, ns, number, text

STEP_TIME = Table(
    "step_time",
    "step time as recorded and without profiler overhead, and the bottleneck",
    (
        count("rank", "rank of the process"),
        count("steps", "steps it was taken over"),
        ns("recorded_ns", "time of a step as recorded"),
        ns("unprofiled_low_ns", "lower end of the range that follows"),
        ns("unprofiled_ns", "time of a step without profiler overhead, simulated"),
        ns("unprofiled_high_ns", "upper end"),
        text("bound", "the bottleneck: host, data_loading, compute, communication or copies"),
        number("host_pct", "share of the step that is bound by the host"),
        number("data_loading_pct", "the same of the data loader"),
        number("compute_pct", "the same of kernels that compute"),
        number("communication_pct", "the same of communication"),
        number("copies_pct", "the same of memcpys and memsets"),
        number("host_speed", "time of the same events over that on the host of the calibration; null if unknown"),
    ),
    per_rank=True,
)

FINDINGS = Table(
    "findings",
    "recommendations: what makes the step longer, what fixing it would save, and the evidence",
    (
        count("rank", "rank of the process"),
        text("id", "identifies the finding, the same in every run"),
        message("title", "what was seen"),
        text("category", "kind of thing it is"),
        text(
            "severity", "high (10 % of the step or more), medium, low (below run-to-run variation), or note: no saving"
        ),
        ns("saving_low_ns", "lower end of the saving, a step"),
        ns("saving_ns", "saving a step, without profiler overhead; null for a note"),
        ns("saving_high_ns", "upper end"),
        number("saving_pct", "saving in per cent of the step without profiler overhead"),
        number("saving_low_pct", "lower end"),
        number("saving_high_pct", "upper end"),
        flag("at_least", "whether the saving is a lower bound"),
        flag("per_sample", "whether the saving is of each sample's time: the step itself becomes longer"),
        text("confidence", "how sure: high, medium or low; empty for a note"),
        message("confidence_reason", "why so sure, and no surer"),
        message("method", "how the saving was estimated"),
        message("advice", "what to do"),
        message("unknown", "what the recording does not show about it; null for nothing"),
        text("what_if", "the change of `stepscope what-if` that comes near to fixing it; empty without one"),
        message("evidence", "file and line where it begins, how many times a step, and when first"),
        ns("spent_ns", "time that it takes a step, as recorded"),
        ns("start_ns", "start of its first range, on the trace's clock; null where it has no range"),
        ns("end_ns", "end of that range"),
        text("change", "lines to change in the program, as they would be, with what they were behind them"),
        text("links", "pages of documentation, separated by spaces"),
        count("ranks", "ranks on which this finding was seen"),
        flag("largest", "whether its saving is the largest of those ranks: the row that reports show"),
    ),
)
