"""The memory snapshot of a rank, its history in order, and the levels of its devices.

The history is a ring buffer: what was there before its first entry is known only by what is left in the end. So levels
are counted backwards from the end, where the allocator's own segments and blocks say them exactly.

Sizes are those that were asked for (`requested_bytes` of PyTorch's ``memory_stats``), because entries say no others;
blocks are a little larger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from stepscope.readers.formats import MEMORY_SNAPSHOT
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

ALLOC, ASKED, FREED, RESERVE, RELEASE, OOM, OTHER = range(7)
"""What an entry says: allocated, to be released, released, memory taken from the device, given back, out of memory."""

_ACTIONS = {
    "alloc": ALLOC,
    "free_requested": ASKED,
    "free_completed": FREED,
    "segment_alloc": RESERVE,
    "segment_map": RESERVE,
    "segment_free": RELEASE,
    "segment_unmap": RELEASE,
    "oom": OOM,
}
ALLOCATED, PENDING, INACTIVE, UNKNOWN_STATE = "active_allocated", "active_pending_free", "inactive", "unknown"
"""States of blocks."""

_STATES = {ALLOCATED: ALLOCATED, PENDING: PENDING, "active_awaiting_free": PENDING, INACTIVE: INACTIVE}
"""The documentation and the source of PyTorch differ in a name."""

_IS_FIRST = pl.col("address").is_null() | pl.struct("device", "address").is_first_distinct()


@dataclass(frozen=True)
class Part:
    """A part of the time of a history.

    Attributes:
        first_ns: time of the first entry of the whole history, on the rank's clock.
        begin_ns, end_ns: the part.
        left_out: entries that were not read.
    """

    first_ns: int
    begin_ns: int
    end_ns: int
    left_out: int


@dataclass(frozen=True)
class Snapshot:
    """A rank's memory snapshot.

    Attributes:
        trace: its stored tables.
        path: what it was read from.
        shift_ns: what is subtracted from its times to have them on the rank's clock; None where that is not known.
        recorded_history: whether it holds what happened, not only what there was in the end.
        joined: whether it was taken of the time of the rank's trace, and is on its clock; of a snapshot alone, too.
        part: which part of the history was read; None for all of it.
    """

    trace: Trace
    path: str
    shift_ns: int | None
    recorded_history: bool
    joined: bool
    part: Part | None = None

    @property
    def name(self) -> str:
        """File name without its folder."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]


def snapshot_of(rank: Rank) -> Snapshot | None:
    """The snapshot that was taken of a rank, alone or beside its trace; None without any."""
    for one in rank.recordings:
        if one.kind == MEMORY_SNAPSHOT and one.stored is not None:
            shown, history = rank.recordings[0], bool(one.facts.get("recorded_history"))
            shift = 0 if one is shown else None if one.shift_ns is None else -one.shift_ns
            joined = one is shown or bool(one.joined)
            part = _part(one.facts, shift or 0)
            found = Snapshot(one.stored, one.path, shift, history, joined, part)
            return found if rank.moments is None else replace(found, part=_selected_part(rank, part, rank.moments))
    return None


def _part(facts: Mapping[str, Any], shift_ns: int) -> Part | None:
    times = [int(at) - shift_ns for at in facts.get("part_ns") or ()]
    return Part(times[0], times[1], times[2], int(facts.get("left_out") or 0)) if len(times) == 3 else None


def _selected_part(rank: Rank, read: Part | None, moments: tuple[int, int]) -> Part:
    """The selected part of a history, of which another part may have been read."""
    if read is None:
        return Part(int(history(rank)["at_ns"].min()), *moments, 0)  # type: ignore[arg-type]
    return replace(read, begin_ns=max(read.begin_ns, moments[0]), end_ns=min(read.end_ns, moments[1]))


def is_snapshot(rank: Rank) -> bool:
    """Whether nothing but a memory snapshot was recorded of a rank."""
    return rank.trace.kind == MEMORY_SNAPSHOT


def has_snapshot(rank: Rank) -> bool:
    """Whether a snapshot was taken of a rank."""
    return snapshot_of(rank) is not None


def _the_snapshot(rank: Rank) -> Snapshot:
    found = snapshot_of(rank)
    if found is None:
        raise LookupError("there is no snapshot of the rank")
    return found


def device_name(device: int) -> str:
    """Name of a device as PyTorch writes it."""
    return f"cuda:{device}"


@per_rank(unlimited=True)
def history(rank: Rank) -> pl.DataFrame:
    """Every entry of a rank's snapshot in order, device by device.

    Columns: row, event, device, action (of this module), bytes, address, stream, stack, at_ns (on the rank's clock
    where that is known, never earlier than the one before; null where times were not recorded).
    """
    snapshot = _the_snapshot(rank)
    columns = ["event", "device", "action", "address", "bytes", "stream", "time_ns", "stack", "pool", "free_bytes"]
    frame = snapshot.trace.frame("memory_trace", columns)
    known = snapshot.trace.codes(lambda text: text.is_in(list(_ACTIONS)))
    texts = snapshot.trace.text(known).to_list()
    codes = {code: _ACTIONS[text] for code, text in zip(known.to_list(), texts, strict=True)}
    action = frame["action"].replace_strict(codes, default=OTHER, return_dtype=pl.Int64).fill_null(OTHER)
    at = pl.col("time_ns").fill_null(strategy="forward").cum_max().over("device") - (snapshot.shift_ns or 0)
    pool = snapshot.trace.text(frame["pool"]).cast(pl.Categorical)  # few, and a text of each entry takes much room
    return frame.with_row_index("row").select(
        pl.col("row").cast(pl.Int64),
        pl.col("event").cast(pl.Int64),
        "device",
        action,
        pl.col("bytes").fill_null(0),
        *("address", "stream", "stack", "free_bytes"),
        pool,
        at.alias("at_ns"),
    )


@per_rank(unlimited=True)
def segments(rank: Rank) -> pl.DataFrame:
    """The segments in the end, with their number ``segment``; pool and size_class as texts.

    One that a damaged file lists twice is here once, see `repeated`.
    """
    return _all_segments(rank).filter(_IS_FIRST)


def _all_segments(rank: Rank) -> pl.DataFrame:
    trace = _the_snapshot(rank).trace
    columns = ["device", "address", "bytes", "allocated_bytes", "active_bytes", "requested_bytes", "stream", "stack"]
    frame = trace.frame("memory_segment", [*columns, "size_class", "pool", "expandable"])
    texts = [trace.text(frame[name]) for name in ("size_class", "pool")]
    frame = frame.with_columns(*texts).with_row_index("segment").with_columns(pl.col("segment").cast(pl.Int64))
    return frame.with_columns(pl.col("device").fill_null(0), pl.col("bytes").fill_null(0))


@per_rank(unlimited=True)
def blocks(rank: Rank) -> pl.DataFrame:
    """The blocks in the end, of `segments` alone, each once.

    Columns: segment, device, address, bytes, requested_bytes, state (as PyTorch's source names it, `UNKNOWN_STATE`
    where it is none of these), is_active, is_allocated, stack.
    """
    return listed_blocks(rank).filter(_IS_FIRST)


def listed_blocks(rank: Rank) -> pl.DataFrame:
    """`blocks`, with those that the file lists in a second segment."""
    trace = _the_snapshot(rank).trace
    frame = trace.frame("memory_block", ["segment", "address", "bytes", "requested_bytes", "state", "stack"])
    state = pl.col("state")
    owner = segments(rank).select("segment", "device")
    return (
        frame.with_columns(trace.text(frame["state"]).replace_strict(_STATES, default=UNKNOWN_STATE))
        .with_columns(
            (state == ALLOCATED).alias("is_allocated"),
            state.is_in([ALLOCATED, PENDING]).alias("is_active"),
            pl.col("bytes").fill_null(0),
            pl.coalesce("requested_bytes", "bytes").fill_null(0).alias("requested_bytes"),
        )
        .join(owner, "segment", "inner", maintain_order="left")
    )


def repeated(rank: Rank) -> tuple[int, int]:
    """How many segments, and blocks of other segments, a damaged file lists that it has listed before."""
    return len(_all_segments(rank)) - len(segments(rank)), len(listed_blocks(rank)) - len(blocks(rank))


@per_rank(unlimited=True)
def devices(rank: Rank) -> list[int]:
    """Devices of which the snapshot says anything."""
    found = {*history(rank)["device"].unique().to_list(), *segments(rank)["device"].unique().to_list()}
    return sorted(found)


@dataclass(frozen=True)
class Level:
    """What a device holds at one point."""

    allocated_bytes: int
    active_bytes: int
    reserved_bytes: int


def last_level(rank: Rank, device: int) -> Level | None:
    """What a device held in the end, by its blocks and segments; None where the snapshot has none of it."""
    held = segments(rank).filter(pl.col("device") == device)
    if len(segments(rank)) == 0:
        return None
    own = blocks(rank).filter(pl.col("device") == device)
    sizes = [int(own.filter(which)["requested_bytes"].sum()) for which in ("is_allocated", "is_active")]
    return Level(sizes[0], sizes[1], int(held["bytes"].sum()))


@per_rank(whole=True)
def device_levels(rank: Rank, device: int) -> pl.DataFrame:
    """Levels of a device, the first one before its history, then one after each entry that changes one.

    Columns: row (of `history`, -1 for the first), event, at_ns, change_bytes (of allocated_bytes), allocated_bytes,
    active_bytes, reserved_bytes.
    """
    frame = history(rank).filter((pl.col("device") == device) & (pl.col("action") < OOM))
    action, size = pl.col("action"), pl.col("bytes")

    def signed(up: int, down: int) -> pl.Expr:
        return pl.when(action == up).then(size).when(action == down).then(-size).otherwise(0)

    changes = frame.select(
        *("row", "event", "at_ns"),
        signed(ALLOC, ASKED).alias("change_bytes"),
        signed(ALLOC, FREED).alias("active_bytes"),
        signed(RESERVE, RELEASE).alias("reserved_bytes"),
    ).with_columns(pl.col("change_bytes").alias("allocated_bytes"))
    names = ["allocated_bytes", "active_bytes", "reserved_bytes"]
    levels = changes.with_columns(pl.col(names).cum_sum())
    end = last_level(rank, device)
    first = {name: _start(levels[name], getattr(end, name) if end is not None else None) for name in names}
    levels = levels.with_columns(pl.col(name) + start for name, start in first.items())
    before = {"row": -1, "event": None, "at_ns": levels["at_ns"].first(), "change_bytes": 0, **first}
    levels = pl.concat([pl.DataFrame([before], schema=levels.schema), levels])
    return _in_part(rank, levels.select("row", "event", "at_ns", "change_bytes", *names))


def _in_part(rank: Rank, levels: pl.DataFrame) -> pl.DataFrame:
    """Levels of the part of the history that was read, after the one that it begins with.

    Outside of it entries are missing, so that levels there are none.
    """
    part = _the_snapshot(rank).part
    if part is None or levels["at_ns"].null_count():
        return levels
    return beginning_with(levels, part.begin_ns, part.end_ns)


def in_part(rank: Rank, begin: str, end: str) -> pl.Expr:
    """Whether ranges between two columns of times, null where open, meet the part of the history that was read."""
    part = _the_snapshot(rank).part
    if part is None:
        return pl.lit(True)
    begun = pl.col(begin).is_null() | (pl.col(begin) < part.end_ns)
    return begun & (pl.col(end).is_null() | (pl.col(end) >= part.begin_ns))


def beginning_with(levels: pl.DataFrame, begin: int, end: int) -> pl.DataFrame:
    """Levels of a range of time, after the one that it begins with."""
    before = levels.filter(pl.col("at_ns") < begin).tail(1)
    first = (before if len(before) else levels.head(1)).with_columns(
        pl.lit(begin, pl.Int64).alias("at_ns"),
        pl.lit(0, pl.Int64).alias("change_bytes"),
        pl.lit(None, pl.Int64).alias("event"),
    )
    inside = pl.col("at_ns").is_between(begin, end, closed="left") & (pl.col("row") >= 0)
    return pl.concat([first, levels.filter(inside)])


def _start(levels: pl.Series, end: int | None) -> int:
    """The level before the first entry: so that the last one is right, or none is negative where that is unknown."""
    if len(levels) == 0:
        return end or 0
    if end is not None:
        return end - int(levels[-1])
    return max(0, -int(levels.min()))  # type: ignore[arg-type]


def selected(rank: Rank, times: pl.Series) -> pl.Series:
    """Whether points in time of a snapshot lie in a selected step; all do where that is not known."""
    snapshot = _the_snapshot(rank)
    if snapshot.shift_ns is None or times.null_count() == len(times):
        return pl.repeat(True, len(times), eager=True)
    return rank.inside(times)
