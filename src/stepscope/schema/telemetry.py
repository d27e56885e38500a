"""The table about counters over time."""

from __future__ import annotations

from stepscope.schema.columns import Grouping, Table, amount, ident, label, mean, named, rank, share, statistic, step

TELEMETRY = Table(
    "telemetry",
    "counters over time: power, clocks, SM and DRAM activity of each GPU",
    (
        rank(),
        ident("gpu", "number of the GPU; null of a counter of the host", "GPU"),
        named("process", "process that the recording gives the counter"),
        named("counter", "its name, without the unit; of several series the name of the series behind it"),
        label("unit", "unit of the values; null where the name does not say"),
        amount("samples", "samples with a value", adds=True),
        mean("mean", "mean of the samples"),
        mean("min", "least of them"),
        mean("p50", "median", "Median"),
        mean("p95", "95th percentile", "P95"),
        mean("max", "greatest of them"),
        statistic("interval_ns", "median time between two samples, over the whole recording", "Sampling interval"),
        share("coverage_pct", "share of the time with a sample no older than two intervals", "Coverage"),
        amount("missing", "samples without a finite value, which count nowhere else", adds=True),
    ),
    key=("rank", "gpu", "process", "counter", "unit"),
    rows="counter",
    title="Counters over time",
    recordings=("trace", "telemetry"),
    first=("rank", "gpu", "counter", "unit", "samples", "mean", "min", "p95", "max", "interval_ns", "coverage_pct"),
    groupings=(
        Grouping(
            "step",
            ("rank", "gpu", "process", "counter", "unit", "step"),
            (step(),),
            rows="counter in a step",
            first=("rank", "gpu", "counter", "unit", "step", "samples", "mean", "min", "max", "coverage_pct"),
        ),
    ),
    needs=("telemetry",),
    per_rank=True,
)
