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


def _rows(rank: Rank) -> pl.DataFrame:
    switches = rank.trace.frame("thread_switch", [*PLACE, "start_ns", "cpu", "running"])
    # At one moment a thread leaves a CPU before it comes to another one.
    switches = switches.sort(*PLACE, "start_ns", "running", "cpu")
    next_of = [pl.col(name).shift(-1).over(PLACE).alias(f"next_{name}") for name in ("start_ns", "running")]
    frame = switches.with_columns(*next_of, rank.inside(switches["start_ns"]).alias("inside"))
    start = frame["start_ns"].to_numpy()
    end = frame["next_start_ns"].fill_null(frame["start_ns"]).to_numpy()
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
