"""When threads were on a CPU, by the switches that were recorded (see docs/tables/).

A thread runs from a switch that puts it on a CPU to the next one, if that takes it away, and is off the CPU from there
to the next one that puts it on one. Between two switches of one kind another one is missing, so what it did is unknown.
The three add up to the time from its first switch to its last one, or what of that lies in the selected steps.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.threads import named_threads
from stepscope.numeric.intervals import Ints, covered_within, union
from stepscope.schema import TABLES
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Profile, Rank
from stepscope.store.trace import Trace

_PARTS = {"running_ns": (1, 0), "off_cpu_ns": (0, 1)}
"""Whether the switches at both ends put a thread on a CPU."""


def thread_scheduling(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``thread_scheduling``, by rank, then most time on a CPU first."""
    schema = TABLES["thread_scheduling"].schema
    rows = pl.concat([_rows(rank) for rank in profile.ranks])
    known = pl.sum_horizontal("running_ns", "off_cpu_ns", "unknown_ns")
    rows = rows.with_columns(pl.when(known > 0).then(100 * pl.col("running_ns") / known).alias("running_pct"))
    order = ["rank", "running_ns", "process", "thread"]
    return rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort(
        order, descending=[False, True, False, False], nulls_last=True
    )


def switches_in_order(trace: Trace) -> pl.DataFrame:
    """The switches thread by thread, each with what it begins.

    Columns row (in the stored table), process, thread, start_ns, end_ns (of the thread's next switch; of the last one
    its own moment), cpu, running, next_running (of the next switch; null of the last one).
    """
    switches = trace.frame("thread_switch", [*PLACE, "start_ns", "cpu", "running"]).with_row_index("row")
    # At one moment a thread leaves a CPU before it comes to another one.
    switches = switches.sort(*PLACE, "start_ns", "running", "cpu")
    end, running = (pl.col(name).shift(-1).over(PLACE) for name in ("start_ns", "running"))
    return switches.with_columns(end.fill_null(pl.col("start_ns")).alias("end_ns"), running.alias("next_running"))


def _rows(rank: Rank) -> pl.DataFrame:
    frame = switches_in_order(rank.trace)
    frame = frame.with_columns(rank.inside(frame["start_ns"]).alias("inside"))
    start, end = frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()
    frame = frame.with_columns(pl.Series("length", _inside(rank, start, end)), pl.Series("whole", end - start))
    conditions = {
        name: (pl.col("running") == here) & (pl.col("next_running") == there) for name, (here, there) in _PARTS.items()
    }
    off = conditions["off_cpu_ns"]
    lengths = [pl.col("length").filter(condition).sum().alias(name) for name, condition in conditions.items()]
    came = pl.col("cpu").filter(pl.col("running") == 1)
    found = frame.group_by(PLACE, maintain_order=True).agg(
        *lengths,
        pl.col("length").sum().alias("whole_ns"),
        (pl.col("inside") & (pl.col("running") == 0)).sum().alias("switches"),
        ((came != came.shift(1)) & pl.col("inside").filter(pl.col("running") == 1)).sum().alias("migrations"),
        pl.col("whole").filter(off & (pl.col("length") > 0)).max().alias("longest_off_cpu_ns"),
    )
    found = found.with_columns((pl.col("whole_ns") - pl.col("running_ns") - pl.col("off_cpu_ns")).alias("unknown_ns"))
    shown = found.filter((pl.col("whole_ns") > 0) | (pl.col("switches") > 0))
    return named_threads(rank.trace, shown).with_columns(pl.lit(rank.number).cast(pl.Int64).alias("rank"))


def _inside(rank: Rank, start: Ints, end: Ints) -> Ints:
    """How much of each stretch lies in the selected steps; all of it without a selection."""
    if rank.chosen is None:
        whole: Ints = end - start
        return whole
    steps = union(rank.steps["start_ns"].to_numpy(), rank.steps["end_ns"].to_numpy())
    return covered_within(steps, start, end)
