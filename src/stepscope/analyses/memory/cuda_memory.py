"""Memory that CUDA allocated and released, as Nsight Systems records it (see docs/tables/).

Changes with one timestamp are taken together: Nsight Systems gives all that came before the recording the timestamp of
its start, so the order among these is not known.
"""

from __future__ import annotations

import polars as pl

from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_OWNER = ("device", "kind")
_ALLOCATED, _RELEASED = pl.col("operation") == 0, pl.col("operation") == 1
"""Numbers of ENUM_CUDA_DEV_MEM_EVENT_OPER."""

_READABLE = (_ALLOCATED | _RELEASED).fill_null(False) & (pl.col("bytes") >= 0).fill_null(False)


def cuda_memory(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``cuda_memory``, by rank and device, highest peak first."""
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["cuda_memory"].schema.items()]
    rows = pl.concat([_rows(rank).select(columns) for rank in profile.ranks])
    return rows.sort("rank", "device", "peak_bytes", "kind", descending=[False, False, True, False], nulls_last=True)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What the totals do not hold."""
    unread = sum(int(_events(rank).select((~_READABLE).sum()).item()) for rank in profile.ranks)
    return [
        *([Message("note-cuda-memory-before")] if len(frame) else []),
        *([Message("note-cuda-memory-unread", rows=unread)] if unread else []),
    ]


def _rows(rank: Rank) -> pl.DataFrame:
    events = _events(rank).filter(_READABLE)
    of_kind = {"allocated": _ALLOCATED, "released": _RELEASED}
    sums = (
        events.filter(rank.inside(events["start_ns"]))
        .group_by(_OWNER)
        .agg(
            _ALLOCATED.sum().alias("allocations"),
            _RELEASED.sum().alias("releases"),
            *(pl.col("bytes").filter(of).sum().alias(f"{name}_bytes") for name, of in of_kind.items()),
        )
    )
    found = _levels(rank, events).join(sums, _OWNER, "left", nulls_equal=True)
    counts = [name for name in sums.columns if name not in _OWNER]
    found = found.with_columns(pl.col(counts).fill_null(0), pl.lit(rank.number, pl.Int64).alias("rank"))
    return found.filter(pl.any_horizontal(pl.col("peak_bytes", "alive_bytes", "allocations", "releases") != 0))


def _events(rank: Rank) -> pl.DataFrame:
    """Columns device, kind, operation, bytes, start_ns."""
    frame = rank.trace.frame("cuda_memory", [*_OWNER, "operation", "bytes", "start_ns"])
    return frame.with_columns(rank.trace.text(frame["kind"]).alias("kind"))


def _levels(rank: Rank, events: pl.DataFrame) -> pl.DataFrame:
    """Columns device, kind, peak_bytes and alive_bytes: in the selected steps, counted from the recording's start."""
    change = pl.when(_ALLOCATED).then("bytes").otherwise(-pl.col("bytes")).alias("change")
    changes = events.select(*_OWNER, "start_ns", change)
    if rank.chosen is not None:
        # Nothing changes where a step begins and ends, but what was allocated before is there.
        edges = pl.concat([rank.steps["start_ns"], rank.steps["end_ns"] - 1]).alias("start_ns").to_frame()
        owners = changes.select(_OWNER).unique()
        changes = pl.concat(
            [changes, owners.join(edges, how="cross").with_columns(pl.lit(0, pl.Int64).alias("change"))]
        )
    level = pl.col("change").cum_sum().over(_OWNER).alias("level")
    levels = changes.group_by(*_OWNER, "start_ns").agg(pl.col("change").sum()).sort("start_ns").with_columns(level)
    return (
        levels.filter(rank.inside(levels["start_ns"]))
        .group_by(_OWNER)
        .agg(pl.col("level").max().clip(0).alias("peak_bytes"), pl.col("level").last().alias("alive_bytes"))
    )
