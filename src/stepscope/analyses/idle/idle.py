"""Why the GPU idles: the gaps between activities, divided among causes (see docs/tables/).

A gap may have several causes; each nanosecond of it has one. Exact: without a selection the rows of a rank sum to the
``idle_ns`` of the table ``summary``, as do its gaps; the parts of a gap sum to its length. With steps selected it
is the idle time within their time on the GPU's clock.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.idle.gap_causes import gap_parts, parts_of
from stepscope.analyses.idle.gap_parts import CAUSES, UNKNOWN, source_lines
from stepscope.analyses.idle.gaps import LANES, find_gaps, inside_windows
from stepscope.analyses.steps.steps import gpu_windows, rank_steps
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, union
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE

MICRO_NS = 10_000
"""Gaps shorter than this are micro: work that was queued follows the work before it within 0.4 to 3 us (at most 10 us
across streams), while a launch that comes too late costs at least 5 us."""

PER_STEP = "note-idle-per-step"
"""Says over how many steps times per step are means."""

_TOTAL = pl.col("part_ns").sum().alias("duration_ns")


def idle(profile: Profile, by: str = "", source: bool = False) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``idle``, most time first.

    Args:
        by: "" for a row per rank and cause; ``device`` or ``stream`` for gaps of each device or stream, in columns of
            these names; ``gap`` for a row per gap of the rank, with the activities around it and its parts by cause.
        source: a row for each place on the host as well, not only the one with most time.
    """
    rows = _each_gap if by == "gap" else _by_cause
    frames = [rows(rank, by, source) for rank in profile.ranks]
    if not frames:
        return pl.DataFrame(schema=TABLES["idle"].schema)
    found = pl.concat(frames)
    keys = [name for name in ("device", "stream") if name in found.columns]
    longest = ["duration_ns", "start_ns"] if by == "gap" else ["duration_ns", "cause", "host_event", "source"]
    order = ["rank", *keys, *longest]
    return found.sort(order, descending=[name == "duration_ns" for name in order])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What share of the idle time has no cause, and why."""
    if len(frame) == 0:
        return []
    parts = [gap_parts(rank) for rank in profile.ranks]
    total = sum(int(part["part_ns"].sum()) for part in parts)
    unknown = pl.concat(parts).filter(pl.col("cause") == UNKNOWN)
    lost = int(unknown.filter(pl.col("at_ns").is_null())["part_ns"].sum())
    begun = int(unknown["part_ns"].sum()) - lost
    found = _of_steps(profile)
    if lost >= 0.01 * total > 0:
        found.append(Message("note-idle-launch-lost", share_pct=100 * lost / total))
    if begun >= 0.01 * total > 0:
        found.append(Message("note-idle-late-start", share_pct=100 * begun / total))
    return found


def _of_steps(profile: Profile) -> list[Message]:
    """Over how many steps times per step are means; the other columns are of everything that is selected."""
    counts = {len(_step_windows(rank)[0]) for rank in profile.ranks}
    if 0 in counts:
        return []
    return [Message(PER_STEP, steps=counts.pop() if len(counts) == 1 else None)]


def _step_windows(rank: Rank) -> Union:
    """The whole steps on the GPU's clock that times per step are means over; none where no step is marked."""
    windows = gpu_windows(rank_steps(rank).filter(~pl.col("cut")))
    return windows if rank.all_steps.source != WHOLE else (windows[0][:0], windows[1][:0])


def _placed(rank: Rank, lane: str) -> pl.DataFrame:
    """Parts of gaps with their gap: columns of `gap_parts`, device, stream, start_ns and length_ns (of the gap)."""
    gaps = find_gaps(rank, lane)
    length = (pl.col("end_ns") - pl.col("start_ns")).alias("length_ns")
    parts = gap_parts(rank, lane)
    of_gap = gaps.select(pl.col("device", "stream", "start_ns").gather(parts["gap"]), length.gather(parts["gap"]))
    return pl.concat([parts, of_gap], how="horizontal")


def _by_cause(rank: Rank, by: str, source: bool) -> pl.DataFrame:
    parts = _placed(rank, by)
    keys = [*LANES[by], "cause"]
    if source:
        parts = _with_source(rank, parts)
        keys += ["host_event", "source"]
    longest = pl.col("part_ns").max()
    rows = parts.group_by(keys).agg(
        _TOTAL,
        pl.col("gap").n_unique().cast(pl.Int64).alias("gaps"),
        longest.alias("longest_ns"),
        pl.col("part_ns").filter(pl.col("length_ns") < MICRO_NS).sum().alias("micro_ns"),
        pl.col("start_ns").filter(pl.col("part_ns") == longest).min(),
    )
    if not source:
        rows = rows.join(_top_places(rank, parts, keys), keys, "left", nulls_equal=True)
    whole = pl.col("duration_ns").sum().over(LANES[by]) if LANES[by] else pl.col("duration_ns").sum()
    rows = rows.join(_per_step(rank, by, parts, keys), keys, "left", nulls_equal=True)
    rows = rows.with_columns(
        pl.lit(rank.number).alias("rank"),
        (100.0 * pl.col("duration_ns") / whole).alias("share_pct"),
        (pl.col("duration_ns") - pl.col("micro_ns")).alias("macro_ns"),
    )
    schema = TABLES["idle"].schema
    return rows.select(
        pl.col("rank").cast(pl.Int64), *LANES[by], *(pl.col(n).cast(t) for n, t in schema.items() if n != "rank")
    )


def _per_step(rank: Rank, by: str, parts: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Mean of each row's time over the steps that are whole: columns keys and per_step_ns, null without such a step.

    Args:
        parts: all parts, columns of `_placed` and keys.
    """
    windows = _step_windows(rank)
    count = len(windows[0])
    rows = parts.select(keys).unique()
    if count == 0:
        return rows.with_columns(pl.lit(None, pl.Int64).alias("per_step_ns"))
    gaps = find_gaps(rank, by)
    of, start, end = inside_windows(gaps, union(*windows))
    uncut = (gaps["start_ns"].to_numpy()[of] == start) & (gaps["end_ns"].to_numpy()[of] == end)
    whole = np.zeros(len(gaps), np.bool_)
    whole[of[uncut]] = True
    cut = gaps[of[~uncut]].with_columns(pl.Series("start_ns", start[~uncut]), pl.Series("end_ns", end[~uncut]))
    places = cut.select("device", "stream").with_row_index("gap")
    cut_parts = parts_of(rank, cut, by).join(places, "gap")
    if "source" in keys:
        cut_parts = _with_source(rank, cut_parts)
    inside = parts.select(*keys, "part_ns").filter(whole[parts["gap"].to_numpy()])
    mine = pl.concat([inside, cut_parts.select(*keys, "part_ns")])
    sums = mine.group_by(keys).agg(pl.col("part_ns").sum().alias("inside_ns"))
    mean = (pl.col("inside_ns").fill_null(0) / count).round(0, mode="half_to_even").alias("per_step_ns")
    return rows.join(sums, keys, "left", nulls_equal=True).select(*keys, mean)


def _with_source(rank: Rank, parts: pl.DataFrame) -> pl.DataFrame:
    return parts.with_columns(source_lines(rank, parts)).rename({"event": "host_event"})


def _top_places(rank: Rank, parts: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The event with most time of each row, and the source line with most of that."""
    events = parts.group_by(*keys, "event").agg(_TOTAL)
    top = events.sort("duration_ns", "event", descending=[True, False], nulls_last=True).unique(
        keys, keep="first", maintain_order=True
    )
    inside = parts.join(top.drop("duration_ns"), [*keys, "event"], "semi", nulls_equal=True)
    inside = inside.with_columns(source_lines(rank, inside))
    lines = inside.group_by(*keys, "event", "source").agg(_TOTAL)
    lines = lines.sort("duration_ns", "source", descending=[True, False], nulls_last=True)
    found = lines.unique(keys, keep="first", maintain_order=True)
    return found.select(*keys, pl.col("event").alias("host_event"), "source")


def _each_gap(rank: Rank, by: str, source: bool) -> pl.DataFrame:
    """A row per gap: its largest part says the cause."""
    parts = _placed(rank, "")
    order = pl.col("cause").replace_strict({cause: i for i, cause in enumerate(CAUSES)}, return_dtype=pl.Int8)
    by_cause = parts.group_by("gap", "cause").agg(_TOTAL)
    cause = by_cause.sort(pl.col("duration_ns"), order, descending=[True, False]).unique("gap", keep="first")
    main = parts.join(cause.select("gap", "cause"), ["gap", "cause"], "semi")
    main = main.sort("part_ns", "event", descending=[True, False]).unique("gap", keep="first")
    main = main.with_columns(source_lines(rank, main))
    gaps = find_gaps(rank).with_row_index("gap")
    names = rank.trace.frame("activity", ["name"])["name"]
    around = [rank.trace.text(names.gather(gaps[name])).alias(f"{name}_activity") for name in ("previous", "next")]
    rows = gaps.select("gap", *around).join(main, "gap")
    pivoted = by_cause.pivot("cause", index="gap", values="duration_ns")
    rows = rows.join(pivoted, "gap").with_columns(
        (pl.col(name) if name in pivoted.columns else pl.lit(0)).fill_null(0).cast(pl.Int64).alias(f"{name}_ns")
        for name in CAUSES
    )
    total = pl.col("length_ns").sum()
    micro = pl.col("length_ns") < MICRO_NS
    rows = rows.with_columns(
        pl.lit(rank.number).alias("rank"),
        pl.col("length_ns").alias("duration_ns"),
        (100.0 * pl.col("length_ns") / total).alias("share_pct"),
        pl.lit(1).alias("gaps"),
        pl.col("event").alias("host_event"),
        pl.lit(None).alias("per_step_ns"),
        pl.col("length_ns").alias("longest_ns"),
        pl.when(micro).then(pl.col("length_ns")).otherwise(0).alias("micro_ns"),
        pl.when(micro).then(0).otherwise(pl.col("length_ns")).alias("macro_ns"),
    )
    schema = TABLES["idle"].schema
    first = ("rank", "start_ns", "duration_ns", "cause", "host_event", "source")
    rest = [name for name in schema if name not in first]
    columns = [*first, "previous_activity", "next_activity", *(f"{name}_ns" for name in CAUSES), *rest]
    return rows.select(pl.col(name).cast(schema.get(name, rows.schema[name])) for name in columns)
