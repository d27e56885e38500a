"""Hardware counters of each profiled range (see docs/tables/).

CUPTI's range profiler runs kernels one by one and counts what the hardware did in each; Kineto writes one event per
range, with the counters as its arguments and without a kernel event. The i-th range belongs to the i-th kernel launch
if there are as many of the one as of the other; else no range has an operator.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.presence import COUNTER_CATEGORY
from stepscope.messages import Message
from stepscope.numeric.nested import NOBODY
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank
from stepscope.store.ties import with_places

_LAUNCHES = r"(?i)launch\w*kernel"


def counters(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``counters``, by range and metric in order of time.

    Args:
        by: "" for each range, ``kernel`` for the sum over the ranges of one name and operator.
    """
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["counters"].schema.items()]
    rows = pl.concat([_rank_counters(rank) for rank in profile.ranks])
    if by == "":
        return rows
    summed = rows.group_by("rank", "name", "op", "metric", maintain_order=True).agg(
        pl.col("range").min().alias("first"), pl.col("ranges", "value").sum()
    )
    return summed.sort("rank", "first", "metric").with_columns(pl.lit(None).alias("range")).select(columns)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    found = []
    for rank in profile.ranks:
        ranges, launches = len(_ranges(rank)), len(_launches(rank))
        if ranges and ranges != launches:
            found.append(Message("note-counters-unpaired", rank=rank.number, ranges=ranges, launches=launches))
    return found


def _ranges(rank: Rank) -> pl.DataFrame:
    """Profiled ranges in order of time: event, name (code), start_ns, selected steps or not."""
    codes = rank.trace.codes(lambda text: text == COUNTER_CATEGORY)
    frame = rank.trace.frame("other", ["event", "category", "name", "start_ns", "duration_ns", "broken"])
    frame = frame.filter(
        pl.col("category").is_in(codes.implode()) & (pl.col("broken") == 0) & pl.col("duration_ns").is_not_null()
    )
    return frame.sort("start_ns", "duration_ns", rank.trace.text(frame["name"]), "event").select(
        "event", "name", "start_ns"
    )


def _launches(rank: Rank) -> pl.DataFrame:
    """Calls that launch one kernel each, in order of time: process, thread, at."""
    codes = rank.trace.codes(lambda text: text.str.contains(_LAUNCHES))
    frame = rank.trace.frame("runtime", ["name", "process", "thread", "start_ns", "duration_ns"]).with_row_index("row")
    frame = with_places(rank.trace, "runtime", frame.filter(pl.col("name").is_in(codes.implode())))
    return frame.sort("start_ns", "duration_ns", "place").select("process", "thread", pl.col("start_ns").alias("at"))


def _rank_counters(rank: Rank) -> pl.DataFrame:
    trace = rank.trace
    ranges = _ranges(rank).with_row_index("range")
    ranges = ranges.with_columns(trace.text(ranges["name"]), _operators(rank, len(ranges)))
    ranges = ranges.filter(rank.inside(ranges["start_ns"]))
    if len(ranges) == 0:
        return pl.DataFrame(schema=TABLES["counters"].schema)
    extras = trace.frame("extras", ["event", "level", "key", "value"])
    values = extras.filter((pl.col("level") == 1) & pl.col("event").is_in(ranges["event"].implode()))
    values = values.with_columns(
        trace.text(values["key"]).alias("metric"), trace.text(values["value"]).cast(pl.Float64, strict=False)
    )
    rows = ranges.join(values.filter(pl.col("value").is_not_null()), "event", "inner")
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["counters"].schema.items()]
    rows = rows.with_columns(pl.lit(rank.number).alias("rank"), pl.lit(1).alias("ranges"))
    return rows.sort("range", "metric").select(columns)


def _operators(rank: Rank, ranges: int) -> pl.Series:
    """Name of the operator that launched each range; null where ranges and launches differ in number."""
    launches = _launches(rank)
    if len(launches) != ranges:
        return pl.Series("op", [None] * ranges, dtype=pl.String)
    rows = pl.Series("row", innermost_rows(rank, "operator", launches))
    names = rank.trace.frame("operator", ["name"])["name"]
    return rank.trace.text(names.gather(rows.set(rows == NOBODY, None))).alias("op")
