"""The kernels that operators launch one after the other, and runs of kernels that repeat (see docs/tables/).

By operator, each kernel belongs to the one call that is outermost where its launch starts, so rows share no kernel.
Runs are neighbours on a stream; rows overlap one another, but the occurrences within a row do not.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.gpu.repeats import repeated_runs
from stepscope.analyses.host.annotations import STEP_PATTERN
from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.steps.unions import lengths_by
from stepscope.analyses.text_order import text_places
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import KERNEL, TABLES
from stepscope.store.nesting import PLACE, HostNesting
from stepscope.store.profile import Profile, Rank
from stepscope.store.sorting import by_numbers
from stepscope.store.ties import with_places

ARROW = " -> "
_MOST_NAMES = 24
"""Different neighbours that a text of kernels names."""

_LONGEST_RUN = 12
_MENTIONED_SHARE = 0.01
"""A share of kernel time above which what is outside operators is worth a word."""

_MOST_RUNS, _TRIED = 100, 2_000
"""Rows of runs, and how many candidates are looked at for them."""

_SUMS = ["count", "total_ns", "gap_ns", "host_ns"]


def sequences(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``sequences``, most GPU time first.

    Args:
        by: "" for the exact sequence of each outermost operator, ``annotation`` for that of each innermost named
            range other than a step, ``run`` for the repeated runs of neighbours on a stream with most GPU time.
    """
    make = _runs if by == "run" else _under_annotations if by == "annotation" else _under_operators
    rows = pl.concat([make(rank) for rank in profile.ranks], how="vertical_relaxed")
    keys = ["op", "kernels", "length"]
    sums = [pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name) for name in _SUMS]
    rows = (
        rows.group_by(keys, maintain_order=True)
        .agg(sums)
        .with_columns(
            (pl.col("total_ns") / pl.col("count")).round(0, mode="half_to_even").cast(pl.Int64).alias("mean_ns")
        )
    )
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["sequences"].schema.items()]
    return rows.select(columns).sort("total_ns", *keys, descending=[True, False, False, False])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are none, and the kernels that no operator launched."""
    kernels = [kernels_in_order(rank) for rank in profile.ranks]
    whole = sum(int(frame["duration_ns"].sum()) for frame in kernels)
    outside = sum(int(frame.filter(pl.col("operator").is_null())["duration_ns"].sum()) for frame in kernels)
    share = 100 * outside / max(1, whole)
    if len(frame) == 0:
        return [Message("note-sequences-none", outside_pct=share)]
    return [Message("note-sequences-outside", outside_pct=share)] if outside > _MENTIONED_SHARE * whole else []


def kernels_in_order(rank: Rank) -> pl.DataFrame:
    """Selected kernels in order of launch, as `Rank.activity`."""
    kernels = with_places(rank.trace, "activity", rank.activity.filter(pl.col("activity") == KERNEL))
    kernels = kernels.with_columns(pl.Series("text", text_places(rank.trace, kernels["name"])))
    return by_numbers(kernels, "launch_start_ns", "start_ns", "end_ns", "text", "stream", "place")


def on_streams(rank: Rank, activity: pl.DataFrame) -> pl.DataFrame:
    """Activity as of `Rank.activity`, stream by stream in order of time."""
    activity = with_places(rank.trace, "activity", activity)
    activity = activity.with_columns(pl.Series("text", text_places(rank.trace, activity["name"])))
    return by_numbers(activity, "device", "stream", "start_ns", "end_ns", "text", "launch_start_ns", "place")


def _under_operators(rank: Rank) -> pl.DataFrame:
    kernels = kernels_in_order(rank).filter(pl.col("operator").is_not_null())
    host = rank.nesting("operator")
    at = kernels["launch_start_ns"].to_numpy()
    call = _outermost(host, kernels["operator"].cast(pl.Int64).to_numpy(), at)
    return _by_call(rank, kernels, call, host, rank.trace.frame("operator", ["name"])["name"])


def _under_annotations(rank: Rank) -> pl.DataFrame:
    trace = rank.trace
    kernels = kernels_in_order(rank).filter(pl.col("launch").is_not_null())
    host = rank.nesting("annotation")
    moments = trace.frame("runtime", PLACE)[kernels["launch"]].with_columns(kernels["launch_start_ns"].alias("at"))
    names = trace.frame("annotation", ["name"])["name"]
    steps = trace.codes(lambda text: text.str.contains(STEP_PATTERN))
    is_step = trace.marked("annotation", steps)
    row = innermost_rows(rank, "annotation", moments)
    at = kernels["launch_start_ns"].to_numpy()
    # Out of the steps, and out of whatever ended before.
    while True:
        up = row >= 0
        up[up] = is_step[row[up]] | (host.end[row[up]] <= at[up])
        if not up.any():
            break
        row[up] = host.nesting.parent[row[up]]
    known = row >= 0
    return _by_call(rank, kernels.filter(pl.Series(known)), row[known], host, names)


def _outermost(host: HostNesting, row: Ints, at: Ints) -> Ints:
    """The outermost of the intervals around each of some rows that is open at a moment."""
    found, current = row.copy(), row.copy()
    while True:
        inner = current >= 0
        if not inner.any():
            return found
        is_open = inner.copy()
        is_open[inner] = host.end[current[inner]] > at[inner]
        found[is_open] = current[is_open]
        current[inner] = host.nesting.parent[current[inner]]


def _by_call(rank: Rank, kernels: pl.DataFrame, call: Ints, host: HostNesting, names: pl.Series) -> pl.DataFrame:
    """Calls of equal name with equal sequences of two kernels or more, as one row each.

    Args:
        kernels: in order of launch.
        call: row of each kernel's call in the table of ``host``.
        names: of that table's rows.
    """
    order = np.argsort(call, kind="stable")
    call, kernels = call[order], kernels[order]
    first = np.flatnonzero(np.append(True, call[1:] != call[:-1])) if len(call) else np.empty(0, np.int64)
    length = np.diff(np.append(first, len(call)))
    group = np.repeat(np.arange(len(first)), length)
    start, end = kernels["start_ns"].to_numpy(), kernels["end_ns"].to_numpy()
    duration = end - start
    mine = call[first]
    span = _reduced(np.maximum, end, first) - _reduced(np.minimum, start, first)
    calls = pl.DataFrame(
        {
            "name": names.gather(mine),
            "length": length,
            "sequence": sequence_keys(kernels["name"], group, first),
            "first": first,
            "total_ns": _reduced(np.add, duration, first),
            "gap_ns": span - lengths_by(group, start, end, len(first)),
            "host_ns": host.end[mine] - host.start[mine],
        }
    ).filter(pl.col("length") >= 2)
    rows = calls.group_by("name", "length", "sequence", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("count"), pl.col("total_ns", "gap_ns", "host_ns").sum(), pl.col("first").first()
    )
    return rows.with_columns(
        rank.trace.text(rows["name"]).alias("op"),
        chains(rank, kernels["name"], rows["first"].to_numpy(), rows["length"].to_numpy()).alias("kernels"),
    ).select("op", "kernels", pl.col("length").cast(pl.Int64), *_SUMS)


def _reduced(how: np.ufunc, values: Ints, first: Ints) -> Ints:
    """Values of each group put together; groups begin at ``first``."""
    reduced: Ints = how.reduceat(values, first) if len(first) else np.empty(0, np.int64)
    return reduced


def sequence_keys(codes: pl.Series, group: Ints, first: Ints) -> npt.NDArray[np.uint64]:
    """A number for each group of codes, equal where the codes and their order are.

    The sum of a 64-bit hash of code and place: two different sequences of a trace share one with a chance of one in
    1e13, even if there are a thousand of them.
    """
    place = np.arange(len(group)) - first[group] if len(first) else np.empty(0, np.int64)
    mixed = codes.fill_null(0xFFFFFFFF).cast(pl.UInt64).to_numpy() << np.uint64(32)
    mixed = mixed + place.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return np.add.reduceat(mixed, first) if len(first) else np.empty(0, np.uint64)


def chains(rank: Rank, codes: pl.Series, first: Ints, length: Ints) -> pl.Series:
    """Names in order, ``a -> 3 x b -> c``; one text for each stretch of the codes."""
    places = zip(first.tolist(), length.tolist(), strict=True)
    texts = [chain(rank.trace.text(codes[at : at + count]).to_list()) for at, count in places]
    return pl.Series(texts, dtype=pl.String)


def chain(names: list[str | None]) -> str | None:
    """Names in order as one text, or None where none is known.

    >>> chain(["add", "add", "mul"])
    '2 x add -> mul'
    """
    if all(name is None for name in names):
        return None
    runs: list[tuple[str, int]] = []
    for name in names:
        text = name or "?"
        if runs and runs[-1][0] == text:
            runs[-1] = (text, runs[-1][1] + 1)
        else:
            runs.append((text, 1))
    parts = [f"{count} x {name}" if count > 1 else name for name, count in runs[:_MOST_NAMES]]
    if len(runs) > _MOST_NAMES:
        parts.append(f"({sum(count for _, count in runs[_MOST_NAMES:])} more)")
    return ARROW.join(parts)


def _runs(rank: Rank) -> pl.DataFrame:
    """Repeated runs of neighbours on a stream."""
    kernels = on_streams(rank, rank.activity.filter(pl.col("activity") == KERNEL))
    part = kernels.select(pl.struct("device", "stream").rle_id()).to_series().to_numpy()
    codes = kernels["name"].fill_null(0xFFFFFFFF).cast(pl.Int64).to_numpy()
    found = repeated_runs(codes, part, _LONGEST_RUN)
    start, end = kernels["start_ns"].to_numpy(), kernels["end_ns"].to_numpy()
    time = np.append(0, np.cumsum(end - start))
    gap = np.append(0, np.cumsum(np.maximum(start[1:] - end[:-1], 0))) if len(start) else np.zeros(1, np.int64)
    behind = found.first + found.length
    each = pl.DataFrame(
        {
            "run": found.run,
            "length": found.length,
            "first": found.first,
            "total_ns": time[behind] - time[found.first],
            "gap_ns": gap[behind - 1] - gap[found.first],
        }
    )
    rows = each.group_by("run", "length", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("count"), pl.col("total_ns", "gap_ns").sum(), pl.col("first")
    )
    rows = rows.sort("total_ns", "length", pl.col("first").list.first(), descending=[True, True, False])
    rows = _apart(rows, end - start)
    where = (rows["first"].list.last().to_numpy(), rows["length"].to_numpy())
    operators = rank.trace.frame("operator", ["name"])["name"].gather(kernels["operator"])
    return rows.with_columns(
        chains(rank, operators, *where).alias("op"),
        chains(rank, kernels["name"], *where).alias("kernels"),
        pl.lit(None, pl.Int64).alias("host_ns"),
    ).select("op", "kernels", "length", *_SUMS)


def _apart(runs: pl.DataFrame, duration: Ints) -> pl.DataFrame:
    """Runs without those that share more than half of their time with runs before them.

    Args:
        runs: most important first; column first has the places of the occurrences.
        duration: of the kernel at each place.
    """
    taken = np.zeros(len(duration), np.bool_)
    kept = []
    candidates = runs.select("length", "first", "total_ns").head(_TRIED)
    for number, (length, places, total) in enumerate(candidates.iter_rows()):
        inside = np.add.outer(np.array(places), np.arange(length)).ravel()
        if 2 * int(duration[inside][taken[inside]].sum()) <= total:
            taken[inside] = True
            kept.append(number)
        if len(kept) == _MOST_RUNS:
            break
    return runs[kept]
