"""Which operators held the memory of an NPU at its peak (see docs/tables/).

The peak is the allocation after which its allocator had most. Held is what was allocated up to then, and released later
or never; what was there before the recording is in no row of the file, and is the rest of the total.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.memory_peak import UNEXPLAINED
from stepscope.messages import Message
from stepscope.readers.ascend.format import MINDSPORE
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_KEY = ("device", "component")
_OF_GRAPHS = "cann::"
"""How names of operators of CANN's graphs begin."""


def npu_memory_peak(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_memory_peak``, by rank, device and component, most bytes first."""
    schema = TABLES["npu_memory_peak"].schema
    return pl.concat([pl.DataFrame(schema=schema), *(rows for rank in profile.ranks for rows in _of_rank(rank))])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much each allocator had, and what holds most of it."""
    found, several = [], len(profile.ranks) > 1
    for (device, component, rank), rows in frame.group_by([*_KEY, "rank"], maintain_order=True):
        known = rows.filter(pl.col("op") != UNEXPLAINED).head(1)
        found.append(
            Message(
                "note-npu-memory-peak",
                device=Message("note-memory-device-of-rank", rank=rank, device=device) if several else device,
                component=component,
                peak_bytes=int(rows["bytes"].sum()),
                operator=known["op"][0] if len(known) else None,
                bytes=int(known["bytes"].sum()),
            )
        )
    return found


def _of_rank(rank: Rank) -> list[pl.DataFrame]:
    trace = rank.trace
    frame = trace.frame("npu_allocation", ["name", "device", "start_ns", "release_ns", "bytes", "allocated_bytes"])
    if len(frame) == 0:
        return []
    own = MINDSPORE if rank.recorder == MINDSPORE else "PTA"
    frame = frame.with_columns(trace.text(frame["name"]).alias("op"), trace.text(frame["device"]).alias("device"))
    of_graphs = pl.col("op").str.starts_with(_OF_GRAPHS).fill_null(False)
    frame = frame.with_columns(pl.when(of_graphs).then(pl.lit("GE")).otherwise(pl.lit(own)).alias("component"))
    return [_held(rank, part) for _, part in frame.group_by(_KEY, maintain_order=True)]


def _held(rank: Rank, frame: pl.DataFrame) -> pl.DataFrame:
    """Rows of one allocator; none where no total is known in the selected steps."""
    schema = TABLES["npu_memory_peak"].schema
    chosen = frame.filter(rank.inside(frame["start_ns"]) & pl.col("allocated_bytes").is_not_null())
    if len(chosen) == 0:
        return pl.DataFrame(schema=schema)
    at_ns, total = chosen.sort("allocated_bytes", -pl.col("start_ns")).select("start_ns", "allocated_bytes").row(-1)
    later = (pl.col("release_ns") > at_ns).fill_null(True)
    by_op = frame.filter((pl.col("start_ns") <= at_ns) & later).group_by("op", maintain_order=True)
    held = by_op.agg(
        pl.len().cast(pl.Int64).alias("blocks"),
        pl.col("bytes").sum(),
        pl.col("bytes").filter(pl.col("release_ns").is_null()).sum().alias("kept_bytes"),
    )
    # Of a damaged file the sum may be longer than a number: it wraps, as sums do everywhere else.
    rest = held.select(pl.lit(total, pl.Int64) - pl.col("bytes").sum()).item()
    if rest:
        unknown = pl.DataFrame(
            {"op": [UNEXPLAINED], "blocks": [None], "bytes": [rest], "kept_bytes": [None]}, held.schema
        )
        held = pl.concat([held, unknown])
    made = held.sort("bytes", "op", descending=[True, False], nulls_last=True).with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        *(pl.lit(frame[name][0], pl.String).alias(name) for name in _KEY),
        pl.lit(at_ns, pl.Int64).alias("at_ns"),
        (100.0 * pl.col("bytes") / total if total else pl.lit(None)).alias("share_pct"),
    )
    return made.select(pl.col(name).cast(kind) for name, kind in schema.items())
