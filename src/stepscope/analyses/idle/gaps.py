"""Gaps: stretches inside a span of GPU activity in which none runs, and what stands around each.

The span reaches from the first start to the last end of all activity, of one device or of one stream. A gap ends where
an activity starts, and belongs to the call that launched that one: with an earlier call there would have been no gap.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from stepscope.analyses.host.threads import runtime_calls
from stepscope.analyses.steps.steps import rank_steps, step_windows
from stepscope.analyses.steps.unions import union_of
from stepscope.analyses.text_order import text_places
from stepscope.numeric.intervals import Ints, Union, union
from stepscope.store.linking import links
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_start
from stepscope.store.step_detection import WHOLE
from stepscope.store.ties import with_places

LANES = {"": [], "device": ["device"], "stream": ["device", "stream"]}
"""What gaps are looked for in: a whole rank, each of its devices, each of their streams."""

_WAITS_FOR_EVENT = r"(?i)stream_?wait_?event"
_BEFORE_ALL = int(np.iinfo(np.int64).min)


_SCHEMA = {
    "device": pl.Int64,
    "stream": pl.Int64,
    "start_ns": pl.Int64,
    "end_ns": pl.Int64,
    "busy_start_ns": pl.Int64,
    "previous": pl.UInt32,
    "next": pl.UInt32,
    "launch": pl.UInt32,
    "call_start_ns": pl.Int64,
    "call_end_ns": pl.Int64,
    "process": pl.Int64,
    "thread": pl.Int64,
    "before_process": pl.Int64,
    "before_thread": pl.Int64,
    "queued": pl.Boolean,
    "waits": pl.Boolean,
    "inner": pl.Boolean,
}


@per_rank
def find_gaps(rank: Rank, lane: str = "") -> pl.DataFrame:
    """Gaps of a rank, by lane and start; with steps selected what of them lies in these steps' time on the GPU's clock.

    Columns: device, stream (null where the lane is wider), start_ns, end_ns, busy_start_ns (since when the host kept
    up: the end of the last gap before it that a late launch ended), previous and next (rows of table activity), launch
    (row of table runtime that launched the next one),
    call_start_ns, call_end_ns, process, thread (of that call), before_process, before_thread (of the call that launched
    anything last before it), queued (its launch is not recorded, but came before the gap), waits (a wait for an event
    was queued just before it), inner (the next activity is not the first of its launch, as inside a CUDA graph).
    """
    if rank.chosen is None:
        return _all_gaps(rank, lane)
    gaps = find_gaps(rank.whole, lane)
    if rank.all_steps.source == WHOLE:
        return gaps
    return gaps_within(gaps, union(*step_windows(rank_steps(rank))))


def gaps_within(gaps: pl.DataFrame, windows: Union) -> pl.DataFrame:
    """What of each gap lies in each window, in the order of the gaps."""
    row, start, end = inside_windows(gaps, windows)
    return gaps[row].with_columns(pl.Series("start_ns", start, pl.Int64), pl.Series("end_ns", end, pl.Int64))


def inside_windows(gaps: pl.DataFrame, windows: Union) -> tuple[Ints, Ints, Ints]:
    """Row, start and end of what of each gap lies in each window, in the order of the gaps."""
    start, end = gaps["start_ns"].to_numpy(), gaps["end_ns"].to_numpy()
    first = np.searchsorted(windows[1], start, side="right")
    count = np.maximum(np.searchsorted(windows[0], end, side="left") - first, 0)
    row = np.repeat(np.arange(len(gaps)), count)
    window = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    return row, np.maximum(start[row], windows[0][window]), np.minimum(end[row], windows[1][window])


def _all_gaps(rank: Rank, lane: str) -> pl.DataFrame:
    keys = LANES[lane]
    activity = _ordered(rank)
    if keys:
        activity = activity.filter(pl.len().over(keys) > 1)  # between neighbours; of one that stands alone none
    lanes = activity.partition_by(keys, maintain_order=True) if keys and len(activity) else [activity]
    gaps = [_lane_gaps(part, keys) for part in lanes if len(part)]
    if not gaps:
        return pl.DataFrame(schema=_SCHEMA)
    found = _since_late(_with_launches(rank, pl.concat(gaps)), keys)
    return found.select(pl.col(name).cast(dtype) for name, dtype in _SCHEMA.items())


def _ordered(rank: Rank) -> pl.DataFrame:
    """Activity by start; what starts at once in an order that does not depend on the file's.

    With the column ``bound_ns``: by when it was launched at the latest, its own launch recorded or not. A stream does
    its work in order, so that is the earliest launch of what follows on it.
    """
    columns = ["row", "start_ns", "end_ns", "duration_ns", "device", "stream", "launch", "launch_start_ns", "name"]
    activity = with_places(rank.trace, "activity", rank.activity.select(columns))
    activity = activity[by_start(activity["start_ns"].to_numpy(), partial(_settled, rank, activity))]
    bound = pl.col("launch_start_ns").cum_min(reverse=True).backward_fill().over("device", "stream")
    inner = pl.col("launch").is_not_null() & ~pl.col("launch").is_first_distinct()
    return activity.with_columns(bound.alias("bound_ns"), inner.alias("inner")).drop("name", "place")


def _settled(rank: Rank, activity: pl.DataFrame, rows: Ints) -> Ints:
    """Some rows in order: what takes no time first, and what goes on for longest."""
    tied = activity[rows].with_columns(pl.Series("alphabet", text_places(rank.trace, activity["name"][rows])))
    keys = ("launch_start_ns", pl.col("end_ns").neg(), "device", "stream", "alphabet", "place")
    found = tied.select(pl.arg_sort_by("start_ns", pl.col("duration_ns") == 0, *keys, nulls_last=True))
    settled: Ints = rows[found.to_series().to_numpy()]
    return settled


def _lane_gaps(activity: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Gaps of one lane with their neighbours."""
    busy_start, busy_end = union_of(activity)
    first, last = int(activity["start_ns"].to_numpy().min()), int(activity["end_ns"].to_numpy().max())
    begin, end = np.append(first, busy_end), np.append(busy_start, last)
    real = end > begin
    begin, end = begin[real], end[real]
    following = activity[np.searchsorted(activity["start_ns"].to_numpy(), end, side="left")]
    by_end = activity.sort("end_ns", pl.col("duration_ns") > 0, maintain_order=True)
    previous = by_end[np.searchsorted(by_end["end_ns"].to_numpy(), begin, side="right") - 1]
    lane = [following[key] if key in keys else pl.lit(None, pl.Int64).alias(key) for key in ("device", "stream")]
    return pl.DataFrame({"start_ns": begin, "end_ns": end}).with_columns(
        *lane,
        pl.lit(first, pl.Int64).alias("first_ns"),
        previous["row"].alias("previous"),
        following["row"].alias("next"),
        following["launch"],
        following["inner"],
        (following["launch"].is_null() & (following["bound_ns"] <= pl.Series(begin))).fill_null(False).alias("queued"),
    )


def _since_late(gaps: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Add the end of each lane's last gap before that a late launch ended; before there was one, the lane's start.

    Gaps of a microsecond between queued activities do not count: there the host was not late.
    """
    late = pl.when(pl.col("call_start_ns") > pl.col("start_ns")).then("end_ns").shift(1).forward_fill()
    since = late.over(keys) if keys else late
    return gaps.with_columns(since.fill_null(pl.col("first_ns")).alias("busy_start_ns"))


def _with_launches(rank: Rank, gaps: pl.DataFrame) -> pl.DataFrame:
    """Add the launching call of each gap, its thread, and that of the call before it."""
    calls = runtime_calls(rank)
    own = calls.select(pl.col(*PLACE, "start_ns", "end_ns").gather(gaps["launch"]))
    launching = _launching(rank, calls)
    start = own["start_ns"].fill_null(_BEFORE_ALL)
    at = np.searchsorted(launching["start_ns"].to_numpy(), start.to_numpy(), side="left") - 1
    earlier = pl.Series(at).set(pl.Series(at < 0), None)
    before = launching.select(pl.col(PLACE).gather(earlier))
    return gaps.with_columns(
        own["start_ns"].alias("call_start_ns"),
        own["end_ns"].alias("call_end_ns"),
        own["process"],
        own["thread"],
        before["process"].alias("before_process"),
        before["thread"].alias("before_thread"),
        _waits(rank, calls, own, launching),
    )


def _launching(rank: Rank, calls: pl.DataFrame) -> pl.DataFrame:
    """The calls that launched anything, selected or not, by start."""
    owners = links(rank.trace)["launch"].unique().drop_nulls()
    threads = pl.DataFrame({"thread": calls["thread"].unique()})
    names = rank.trace.text(threads["thread"].replace(-1, None).cast(pl.UInt32))
    threads = threads.with_columns(names.rank("dense").alias("alphabet"))
    known = calls.select(pl.col(*PLACE, "start_ns", "end_ns").gather(owners)).join(threads, "thread", "left")
    return known.sort("start_ns", "end_ns", "alphabet", nulls_last=True).select(*PLACE, "start_ns")


def _waits(rank: Rank, calls: pl.DataFrame, own: pl.DataFrame, launching: pl.DataFrame) -> pl.Series:
    """Whether a wait for an event stands on each call's thread between it and the call before it that launched."""
    names = rank.trace.codes(lambda text: text.str.contains(_WAITS_FOR_EVENT))
    waiting = calls.select(*PLACE, "start_ns")[rank.trace.rows_with("runtime", names)]
    if len(waiting) == 0:
        return pl.repeat(False, len(own), eager=True).alias("waits")
    asked = own.select(*PLACE, "start_ns").with_row_index("gap").drop_nulls("start_ns").sort("start_ns")
    found = asked.select("gap", "start_ns")
    for name, events in (("wait", waiting.sort("start_ns")), ("launch", launching)):
        latest = asked.join_asof(
            events.with_columns(pl.col("start_ns").alias(name)),
            on="start_ns",
            by=PLACE,
            allow_exact_matches=False,
            check_sortedness=False,
        )
        found = found.with_columns(latest[name])
    waited = found.filter(pl.col("wait").is_not_null() & (pl.col("wait") > pl.col("launch").fill_null(_BEFORE_ALL)))
    return pl.Series("waits", np.isin(np.arange(len(own)), waited["gap"].to_numpy()))
