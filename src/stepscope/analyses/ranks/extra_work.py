"""The kernels, memcpys or host events of which one rank has more than another before the same collectives."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.host.host_events import host_events
from stepscope.analyses.idle.gap_causes import parts_of
from stepscope.analyses.idle.gap_parts import DATA_LOADING, HOST_LATE, SYNC
from stepscope.analyses.idle.gaps import find_gaps, gaps_within
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, covered_within, union
from stepscope.schema import KERNEL, MEMCPY, MEMSET
from stepscope.store.profile import Rank

_SLOWER, _SAME = 1.15, 0.1
"""Kernels that each take this many times as long, while their number differs by less than this part."""

_STEP = r"^ProfilerStep#"
_LONGEST = 60
_HOST_CAUSES = [SYNC, HOST_LATE, DATA_LOADING]


def extra_kernels(late: Rank, other: Rank, windows: tuple[Union, Union], steps: int) -> Message:
    """Which kernels a late rank ran more or longer than another.

    Args:
        windows: starts and ends on each rank's own clock.
        steps: over so many steps.
    """
    table = _compared(_kernels(late, windows[0]), _kernels(other, windows[1]), ["range", "operator", "name"])
    slower = _slower(table)
    if slower is not None:
        return Message("cause-slower-kernels", times=slower, rank=other.number)
    by_range = table.group_by("range").agg(pl.col("more_ns").sum()).sort("more_ns", "range", descending=[True, False])
    top = table.filter(pl.col("range") == by_range["range"][0]).sort("more_ns", "name", descending=[True, False])
    row = top.row(0, named=True)
    more = {
        "what": f"{row['operator']} ({_short(row['name'])})" if row["operator"] else _short(row["name"]),
        "more_ns": round(by_range["more_ns"][0] / steps),
        "rank": other.number,
        "kernels": max(0, round((row["calls"] - row["calls_other"]) / steps)),
    }
    if row["range"]:
        return Message("cause-extra-kernels-in-range", range=row["range"], **more)
    return Message("cause-extra-kernels", **more)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."


def _slower(table: pl.DataFrame) -> float | None:
    """How many times as long the kernels take that both ranks ran, where that is the difference; else None."""
    shared = table.filter((pl.col("calls") > 0) & (pl.col("calls_other") > 0))
    extra = table.filter((pl.col("calls") - pl.col("calls_other")).abs() > _SAME * pl.col("calls"))
    more = int(table["more_ns"].sum())
    if len(shared) == 0 or more <= 0 or int(extra["more_ns"].sum()) > 0.5 * more:
        return None
    times = (shared["total_ns"] / shared["calls"]) / (shared["total_ns_other"] / shared["calls_other"])
    weights = shared["total_ns"].to_numpy()
    order = np.argsort(times.to_numpy())
    middle = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    factor = float(times.to_numpy()[order][min(int(middle), len(order) - 1)])
    return factor if factor >= _SLOWER else None


def _kernels(rank: Rank, windows: Union) -> pl.DataFrame:
    """Time and number of computing kernels inside windows: columns range, operator, name, total_ns, calls."""
    whole = rank.whole
    frame = whole.activity.filter((pl.col("activity") == KERNEL) & ~pl.col("communication"))
    frame = _inside(frame, windows)
    trace = whole.trace
    columns = [
        _ranges(whole, frame),
        trace.text(trace.frame("operator", ["name"])["name"].gather(frame["operator"])).fill_null("").alias("operator"),
        trace.text(frame["name"]).fill_null("").alias("name"),
        frame["inside_ns"],
    ]
    sums = (pl.col("inside_ns").sum().alias("total_ns"), pl.len().cast(pl.Int64).alias("calls"))
    return pl.DataFrame(columns).group_by("range", "operator", "name").agg(*sums)


def _ranges(rank: Rank, activity: pl.DataFrame) -> pl.Series:
    """Named range of the host in which each activity was launched; empty for none, and for a step."""
    trace = rank.trace
    if not trace.rows("runtime") or len(activity) == 0:
        return pl.Series("range", [""] * len(activity), dtype=pl.String)
    place = trace.frame("runtime", ["process", "thread"])[activity["launch"]]
    row = pl.Series(innermost_rows(rank, "annotation", place.with_columns(activity["launch_start_ns"].alias("at"))))
    names = trace.text(trace.frame("annotation", ["name"])["name"].gather(row.set(row < 0, None))).fill_null("")
    return names.set(names.str.contains(_STEP), "").alias("range")


def _inside(frame: pl.DataFrame, windows: Union) -> pl.DataFrame:
    """Activities that lie in windows, with inside_ns, the part of each that does."""
    within = covered_within(union(*windows), frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy())
    return frame.with_columns(pl.Series("inside_ns", within, dtype=pl.Int64)).filter(pl.col("inside_ns") > 0)


def _compared(mine: pl.DataFrame, theirs: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    table = mine.join(theirs, on=keys, how="full", suffix="_other", coalesce=True, nulls_equal=True)
    numbers = [name for name in table.columns if name not in keys]
    table = table.with_columns(pl.col(numbers).fill_null(0))
    return table.with_columns((pl.col("total_ns") - pl.col("total_ns_other")).alias("more_ns")).sort("more_ns", *keys)


def extra_copies(late: Rank, other: Rank, windows: tuple[Union, Union], steps: int) -> Message:
    """Which memcpys and memsets a late rank ran more than another."""
    mine, theirs = (_copies(rank, part) for rank, part in zip((late, other), windows, strict=True))
    row = _compared(mine, theirs, ["name"]).row(-1, named=True)
    copies = max(0, round((row["calls"] - row["calls_other"]) / steps))
    more_ns = round(row["more_ns"] / steps)
    return Message("cause-extra-copies", what=row["name"], more_ns=more_ns, rank=other.number, copies=copies)


def _copies(rank: Rank, windows: Union) -> pl.DataFrame:
    frame = _inside(rank.whole.activity.filter(pl.col("activity").is_in([MEMCPY, MEMSET])), windows)
    names = rank.trace.text(frame["name"]).fill_null("").alias("name")
    return (
        pl.DataFrame([names, frame["inside_ns"]])
        .group_by("name")
        .agg(pl.col("inside_ns").sum().alias("total_ns"), pl.len().cast(pl.Int64).alias("calls"))
    )


def extra_idle(late: Rank, other: Rank, windows: tuple[Union, Union], steps: int) -> tuple[str, str, Message | None]:
    """Why the GPU of a late rank is idle longer than another's: cause, host event, and both with the time."""
    mine, theirs = (_idle(rank, part) for rank, part in zip((late, other), windows, strict=True))
    table = _compared(mine, theirs, ["cause", "event"])
    if len(table) == 0:
        return "", "", None
    row = table.row(-1, named=True)
    more_ns = round(row["more_ns"] / steps)
    detail = Message("cause-extra-idle", more_ns=more_ns, rank=other.number)
    if row["event"]:
        detail = Message("cause-extra-idle-in", event=row["event"], more_ns=more_ns, rank=other.number)
    return row["cause"], row["event"], detail


def _idle(rank: Rank, windows: Union) -> pl.DataFrame:
    """Idle time inside windows by cause and what the host was in: columns cause, event, total_ns, calls.

    The table ``idle`` calls it a synchronisation where the GPU idles because the host had waited for it. That all ranks
    do: what one of them does longer than the others is what its host does after the wait.
    """
    whole = rank.whole
    gaps = gaps_within(find_gaps(whole), union(*windows))
    parts = parts_of(whole, gaps, "").sort("part_ns", descending=True).unique("gap", keep="first", maintain_order=True)
    parts = parts.sort("gap")
    gaps = gaps[parts["gap"]]
    busy = pl.Series("busy", _host_busy(whole, gaps), dtype=pl.String)
    by_host = parts["cause"].is_in(_HOST_CAUSES)
    rows = pl.DataFrame([parts["cause"], parts["event"].fill_null("").zip_with(~by_host, busy).alias("event")])
    rows = rows.with_columns((gaps["end_ns"] - gaps["start_ns"]).alias("total_ns"))
    cause = pl.when(pl.col("cause") == SYNC).then(pl.lit(HOST_LATE)).otherwise("cause").alias("cause")
    return rows.group_by(cause, "event").agg(pl.col("total_ns").sum(), pl.len().cast(pl.Int64).alias("calls"))


def _host_busy(rank: Rank, gaps: pl.DataFrame) -> pl.Series:
    """What the thread that launched next was in during each gap."""
    place = gaps.select("process", "thread")
    start = gaps["start_ns"].to_numpy()
    end = np.clip(gaps["call_start_ns"].fill_null(0).to_numpy(), start, gaps["end_ns"].to_numpy())
    return host_events(rank, place, place, start, end)["event"]
