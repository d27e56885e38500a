"""Checks of the file itself: is it whole, is it valid, are its times usable?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.recording.check import ERROR, OK, WARNING, Check, counted
from stepscope.store.profile import Rank

_BROKEN_REASONS = {
    1: "no usable start time",
    2: "no usable duration",
    3: "negative duration",
}
QUEUE_FULL = "Command Buffer Full"
"""An event of the category of the profiler's own work, but a wait of the program's launches for the GPU."""

_KNOWN_OTHER = {"Trace", "overhead", "cuda_profiler_range", "cpu_instant_event", "user_annotation", "Memory"}


def events(rank: Rank) -> Check:
    return Check("events", OK, f"{rank.trace.events:,}", f"{rank.trace.meta['json_bytes']:,} bytes of JSON")


def complete(rank: Rank) -> Check:
    reason = rank.trace.meta["truncated"]
    if reason is None:
        return Check("complete", OK, "yes", "the file ends as it should")
    lost = int(rank.trace.meta["lost_bytes"])
    return Check(
        "complete",
        ERROR,
        "cut off",
        f"{reason}; events after the cut are missing ({lost:,} bytes of an unfinished event were dropped)",
    )


def damaged(rank: Rank) -> Check:
    meta = rank.trace.meta
    damaged, odd = int(meta["damaged"]), int(meta["not_objects"]) + int(meta["without_phase"])
    if damaged + odd == 0:
        return Check("damaged_events", OK, "0", "every event is valid JSON")
    return Check(
        "damaged_events",
        WARNING,
        f"{damaged + odd:,}",
        f"{damaged:,} events are broken JSON and were skipped, {odd:,} entries are no events",
    )


def broken(rank: Rank) -> Check:
    counts = (
        rank.trace.frame("other", ["broken"])
        .filter(pl.col("broken").is_in(list(_BROKEN_REASONS)))
        .group_by("broken")
        .len()
        .sort("broken")
    )
    if len(counts) == 0:
        return Check("broken_events", OK, "0", "every timed event has a start and a duration")
    reasons = ", ".join(f"{count:,} with {_BROKEN_REASONS[code]}" for code, count in counts.iter_rows())
    return Check("broken_events", WARNING, f"{counts['len'].sum():,}", f"left out of every time: {reasons}")


def clock(rank: Rank) -> Check:
    rounded = int(rank.trace.meta["rounded_times"])
    early = rank.activity.filter(pl.col("start_ns") < pl.col("launch_start_ns"))
    notes = []
    if rounded:
        notes.append(f"{rounded:,} times finer than 1 ns were rounded")
    negative = _negative_times(rank)
    if negative:
        notes.append(f"{negative:,} events start before time zero")
    if len(early):
        worst = int(early.select((pl.col("launch_start_ns") - pl.col("start_ns")).max()).item())
        notes.append(
            f"{len(early):,} activities start before their launch, by up to {worst:,} ns: host and GPU clocks differ"
        )
        return Check("clock", WARNING, f"{len(early):,} before launch", "; ".join(notes))
    value = "whole ns" if not rounded else f"{rounded:,} rounded"
    return Check(
        "clock", WARNING if negative else OK, value, "; ".join(notes) or "no activity starts before its launch"
    )


def _negative_times(rank: Rank) -> int:
    tables = ("activity", "operator", "runtime", "annotation", "python")
    return sum(int((rank.trace.frame(table, ["start_ns"])["start_ns"] < 0).sum()) for table in tables)


def _on_host(rank: Rank, table: str) -> npt.NDArray[np.bool_]:
    """Which rows happened on the host: the GPU's copies of annotations may overlap as they like."""
    gpu = rank.trace.codes(lambda text: text == "gpu_user_annotation").implode()
    frame = rank.trace.frame(table, ["category"])
    return frame.select(~pl.col("category").is_in(gpu).fill_null(False)).to_series().to_numpy()


def overlapping(rank: Rank) -> Check:
    counts = {}
    for table in ("operator", "python", "annotation", "runtime"):
        if rank.trace.rows(table):
            counts[table] = int((rank.nesting(table).nesting.sticks_out & _on_host(rank, table)).sum())
    total = sum(counts.values())
    if total == 0:
        return Check("overlapping_events", OK, "0", "host events nest")
    parts = ", ".join(f"{count:,} in table {table}" for table, count in counts.items() if count)
    return Check(
        "overlapping_events",
        WARNING if total > 0.01 * sum(rank.trace.rows(table) for table in counts) else OK,
        f"{total:,}",
        f"host events end after the one around them ({parts}); kept whole, self times count each moment once",
    )


def unknown(rank: Rank) -> Check:
    trace = rank.trace
    known = trace.codes(lambda text: text.is_in(sorted(_KNOWN_OTHER))).implode()
    timed = trace.codes(lambda text: text == "X").implode()
    frame = trace.frame("other", ["category", "phase", "broken"])
    frame = frame.filter(
        pl.col("phase").is_in(timed) & (pl.col("broken") == 0) & ~pl.col("category").is_in(known).fill_null(False)
    )
    if len(frame) == 0:
        return Check("unknown_categories", OK, "0", "every timed event is of a known category")
    names = sorted({name or "(none)" for name in trace.text(frame["category"].unique()).to_list()})
    return Check(
        "unknown_categories",
        WARNING,
        f"{len(frame):,}",
        f"timed events kept but not analysed, of category {', '.join(names[:8])}",
    )


def overhead(rank: Rank) -> Check:
    names = rank.trace.codes(lambda text: text == "overhead").implode()
    frame = rank.trace.frame("other", ["category", "name", "duration_ns", "broken"])
    frame = frame.filter(pl.col("category").is_in(names) & (pl.col("broken") == 0))
    queue_full = rank.trace.codes(lambda text: text == QUEUE_FULL).implode()
    waits = int(frame["name"].is_in(queue_full).sum())
    frame = frame.filter(~pl.col("name").is_in(queue_full).fill_null(False))
    waited = f"; {counted(waits, 'wait')} for room in the queue of launches ({QUEUE_FULL})" if waits else ""
    if len(frame) == 0:
        cost = "no event of the profiler's own work; its cost per call is still in the host's times"
        return Check("profiler_overhead", OK, "0", f"{cost}{waited}")
    kinds = ", ".join(sorted(set(rank.trace.text(frame["name"]).drop_nulls().to_list())))
    total = int(frame["duration_ns"].sum())
    return Check(
        "profiler_overhead",
        WARNING,
        f"{total / 1e6:.1f} ms",
        f"{counted(len(frame), 'event')} of the profiler's own work: {kinds}{waited}",
    )
