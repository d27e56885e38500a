"""Checks of the file itself: is it whole, is it valid, are its times usable?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.critical_path.event_records import RECORD_CATEGORY
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.recording.check import ERROR, OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.schema import COLLECTIVE_PART, OVERLAP_ANALYSIS, SCOPE, TASK_OF_PARTS
from stepscope.store.profile import Rank
from stepscope.store.recording import Recording
from stepscope.store.trace import Trace

_BROKEN_REASONS: dict[int, Callable[[int], Message]] = {
    1: lambda events: Message("check-broken-start", events=events),
    2: lambda events: Message("check-broken-duration", events=events),
    3: lambda events: Message("check-broken-negative", events=events),
}
QUEUE_FULL = "Command Buffer Full"
"""An event of the category of the profiler's own work, but a wait of the program's launches for the GPU."""

_KINDS = 5

NAMED = 5
"""So many files are named."""

_LONGEST_EXAMPLE = 60
_KNOWN_OTHER = {
    "Trace",
    "overhead",
    "cuda_profiler_range",
    "cpu_instant_event",
    "user_annotation",
    "Memory",
    SCOPE,
    COLLECTIVE_PART,
    TASK_OF_PARTS,
    OVERLAP_ANALYSIS,
    # Records of events, and nodes of CUDA graphs that are no work of the GPU.
    RECORD_CATEGORY,
    "graph_event_node",
    "graph_host_node",
}


def events(rank: Rank) -> Check:
    size = rank.trace.meta.get("json_bytes")
    recorded = Message("check-events-recorder", recorder=rank.recorder)
    detail = Message("check-events", json_bytes=size) if size is not None else recorded
    return Check("events", OK, counted(rank.trace.events), detail)


def complete(rank: Rank) -> Check:
    reason, meta = rank.trace.truncated, rank.trace.meta
    if files := lost_files(rank.trace):
        value = Message("check-no") if meta["unread_files"] else Message("check-cut-off")
        return Check("complete", ERROR, value, Message("check-files-lost", files=files))
    if reason is None:
        return Check("complete", OK, Message("check-yes"), Message("check-complete"))
    lost = rank.trace.meta.get("lost_bytes")
    detail = Message("check-incomplete-events", reason=reason)
    if lost is not None:
        detail = Message("check-incomplete", reason=reason, lost_bytes=int(lost))
    return Check("complete", ERROR, Message("check-cut-off"), detail)


def lost_files(trace: Trace) -> list[Message]:
    """What is wrong with the files of a folder, and with the end of its timeline."""
    unread = [Message("check-file-unread", file=name) for name in trace.meta["unread_files"]]
    cut = [Message("check-file-cut", file=name) for name in trace.meta["cut_files"]]
    end = [trace.truncated] if trace.truncated is not None and unread + cut else []
    return [*unread, *cut, *end]


def damaged(rank: Rank) -> Check:
    meta = rank.trace.meta
    damaged, odd = int(meta["damaged"]), int(meta.get("not_objects", 0)) + int(meta.get("without_phase", 0))
    is_json = "not_objects" in meta
    if damaged + odd == 0:
        detail = Message("check-damaged-none") if is_json else Message("check-damaged-no-events")
        return Check("damaged_events", OK, counted(0), detail)
    detail = _skipped(rank.trace, damaged + odd, rank.recordings[0].name)
    if is_json and not meta["odd_files"]:
        detail = Message("check-damaged", events=damaged, entries=odd)
    return Check("damaged_events", WARNING, counted(damaged + odd), detail)


def beside(rank: Rank) -> Check | None:
    """Damage of the recordings that tables show beside the first one, which the other checks are of."""
    damaged = {one.name: said for one in rank.recordings[1:] if (said := _of(one))}
    found = [Message("check-beside-one", name=name, found=said) for name, said in damaged.items()]
    if not found:
        return None
    count = sum(len(said) for said in damaged.values())
    return Check("damaged_files", ERROR, counted(count), Message("check-beside", found=found))


def _of(one: Recording) -> list[Message]:
    """What of a recording could not be read."""
    if one.stored is None or not one.used:
        return []
    found = lost_files(one.stored) or [said for said in [one.stored.truncated] if said is not None]
    events = int(one.facts["damaged"]) + int(one.facts.get("not_objects", 0))
    return [*found, *([_skipped(one.stored, events)] if events else [])]


def _skipped(trace: Trace, events: int, file: str | None = None) -> Message:
    kernels = trace.meta.get("damaged_kernels")
    if kernels:
        named = [Message("check-damaged-kernel", kernel=number, name=name or None) for number, name in kernels]
        return Message("check-damaged-kernels", kernels=named, file=file, count=events, more=events - len(named))
    files = trace.meta["odd_files"][:NAMED]
    if files:
        return Message("check-damaged-events-in", events=events, files=files)
    return Message("check-damaged-events", events=events)


def doubled(rank: Rank) -> Check | None:
    """Events that have a key twice: JSON leaves open what that means."""
    events = int(rank.trace.meta.get("doubled", 0))
    return Check("doubled_keys", WARNING, counted(events), Message("check-doubled", events=events)) if events else None


def broken(rank: Rank) -> Check:
    counts = (
        rank.trace.frame("other", ["broken"])
        .filter(pl.col("broken").is_in(list(_BROKEN_REASONS)))
        .group_by("broken")
        .len()
        .sort("broken")
    )
    if len(counts) == 0:
        return Check("broken_events", OK, counted(0), Message("check-broken-none"))
    reasons = [_BROKEN_REASONS[code](count) for code, count in counts.iter_rows()]
    return Check("broken_events", WARNING, counted(int(counts["len"].sum())), Message("check-broken", reasons=reasons))


def clock(rank: Rank) -> Check:
    rounded = int(rank.trace.meta.get("rounded_times", 0))
    early = rank.activity.filter(pl.col("start_ns") < pl.col("launch_start_ns"))
    notes = []
    if rounded:
        notes.append(Message("check-clock-rounded", times=rounded))
    negative = _negative_times(rank)
    if negative:
        notes.append(Message("check-clock-negative", events=negative))
    if len(early):
        worst = int(early.select((pl.col("launch_start_ns") - pl.col("start_ns")).max()).item())
        notes.append(Message("check-clock-early", activities=len(early), worst_ns=worst))
        value = Message("check-clock-early-value", activities=len(early))
        return Check("clock", WARNING, value, Message("check-sentences", sentences=notes))
    value = Message("check-clock-rounded-value", times=rounded) if rounded else Message("check-clock-whole")
    detail = Message("check-sentences", sentences=notes) if notes else Message("check-clock-good")
    return Check("clock", WARNING if negative else OK, value, detail)


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
        return Check("overlapping_events", OK, counted(0), Message("check-nested"))
    parts = [Message("check-overlapping-in", events=count, table=table) for table, count in counts.items() if count]
    return Check(
        "overlapping_events",
        WARNING if total > 0.01 * sum(rank.trace.rows(table) for table in counts) else OK,
        counted(total),
        Message("check-overlapping", parts=parts),
    )


def unknown(rank: Rank) -> Check:
    trace = rank.trace
    known = trace.codes(lambda text: text.is_in(sorted(_KNOWN_OTHER))).implode()
    timed = trace.codes(lambda text: text == "X").implode()
    frame = trace.frame("other", ["category", "name", "phase", "broken"])
    frame = frame.filter(
        pl.col("phase").is_in(timed) & (pl.col("broken") == 0) & ~pl.col("category").is_in(known).fill_null(False)
    )
    if len(frame) == 0:
        return Check("unknown_categories", OK, counted(0), Message("check-categories-known"))
    names = sorted({name or "(none)" for name in trace.text(frame["category"].unique()).to_list()})
    return Check(
        "unknown_categories",
        WARNING,
        counted(len(frame)),
        Message("check-categories", categories=names[:8], example=an_example(trace, frame)),
    )


def an_example(trace: Trace, events: pl.DataFrame) -> str:
    """Name of one of some events, the same whatever their order."""
    first = min(trace.text(events["name"].unique().drop_nulls()), default="(none)")
    return first if len(first) <= _LONGEST_EXAMPLE else f"{first[: _LONGEST_EXAMPLE - 3]}..."


def kinds_by_time(trace: Trace, events: pl.DataFrame) -> list[str]:
    """Names of some events, those that take most time first."""
    totals = events.group_by("name").agg(pl.col("duration_ns").sum())
    totals = totals.with_columns(trace.text(totals["name"]).alias("text")).drop_nulls("text")
    return totals.sort("duration_ns", "text", descending=[True, False], nulls_last=True)["text"].to_list()


def overhead(rank: Rank) -> Check | None:
    """The profiler's own work, as far as it was recorded: of other recorders than Kineto none says nothing."""
    names = rank.trace.codes(lambda text: text == "overhead").implode()
    frame = rank.trace.frame("other", ["category", "name", "duration_ns", "broken"])
    frame = frame.filter(pl.col("category").is_in(names) & (pl.col("broken") == 0))
    queue_full = rank.trace.codes(lambda text: text == QUEUE_FULL).implode()
    waits = int(frame["name"].is_in(queue_full).sum())
    frame = frame.filter(~pl.col("name").is_in(queue_full).fill_null(False))
    if len(frame) == 0:
        if not is_kineto(rank):
            return None
        return Check("profiler_overhead", OK, counted(0), Message("check-overhead-none", waits=waits, event=QUEUE_FULL))
    kinds = kinds_by_time(rank.trace, frame)
    return Check(
        "profiler_overhead",
        WARNING,
        Message("check-time", time_ns=int(frame["duration_ns"].sum())),
        Message(
            "check-overhead",
            events=len(frame),
            kinds=kinds[:_KINDS],
            more=max(0, len(kinds) - _KINDS),
            waits=waits,
            event=QUEUE_FULL,
        ),
    )
