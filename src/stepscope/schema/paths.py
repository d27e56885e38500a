"""Tables about what a step waits for, about ranges the user named, and about the recording itself."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, number, text

COUNTERS = Table(
    "counters",
    "hardware counters of each profiled range",
    (
        count("rank", "rank of the process"),
        count("range", "number of the range, in order of time; null in a sum"),
        count("ranges", "ranges summed in the row"),
        text("metric", "name of the counter"),
        number("value", "its value, or the sum over the ranges"),
        text("op", "operator that launched it; null where ranges and launches cannot be paired"),
        text("name", "kernel or range, as the profiler names it"),
    ),
    by=("kernel",),
    needs=("counters",),
)

METADATA = Table(
    "metadata",
    "what the recording says about itself: versions, options, devices, process groups",
    (
        count("rank", "rank of the process; null where every rank says the same"),
        text("key", "name of the fact, as in the trace"),
        text("value", "what it says"),
    ),
)
