"""Collectives and messages between ranks, by kind, process group and type of element (see docs/tables/).

A row sums over ranks; each rank's kernel of a collective is a call of its own. The time of such a kernel holds its
waiting for the rank that arrives last: `ranks.waiting` says how much, where the kernels of several ranks are open.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.imbalance import slow_groups
from stepscope.analyses.ranks.operations import bus_factor
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_GROUPING = {
    "": ["op", "group", "dtype"],
    "size": ["op", "group", "dtype", "bytes"],
    "rank": ["rank", "op", "group", "dtype"],
}


def communication(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``communication``, most time first.

    Args:
        by: "" for a row per operation, group and type; ``size`` for one per size of a call, too, with its bytes in
            ``call_bytes``; ``rank`` for one per rank, too.
    """
    rows = selected_calls(profile).with_columns((pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns"))
    total = int(rows["duration_ns"].sum())
    keys = [pl.col("bytes").alias("call_bytes") if key == "bytes" else key for key in _GROUPING[by]]
    table = rows.group_by(keys).agg(*_sums(total), *_split())
    factor = bus_factor(pl.col("op"), pl.col("ranks"))
    table = table.with_columns((pl.col("algbw") * factor).alias("busbw"))
    schema = {**({"rank": pl.Int64} if by == "rank" else {}), **TABLES["communication"].schema}
    if by == "size":
        schema = {**schema, "call_bytes": pl.Int64}
    table = table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
    names = [name for name in table.columns if name in ("rank", "op", "group", "dtype", "call_bytes")]
    return table.sort("total_ns", *names, descending=[True, *(False for _ in names)], nulls_last=True)


def _sums(total: int) -> list[pl.Expr]:
    """Calls, bytes and times."""
    time, sized = pl.col("duration_ns"), pl.col("bytes").is_not_null()
    return [
        pl.col("ranks").max(),
        pl.len().alias("calls"),
        pl.when(sized.any()).then(pl.col("bytes").sum()).alias("bytes"),
        time.sum().alias("total_ns"),
        time.mean().round().alias("mean_ns"),
        time.min().alias("min_ns"),
        time.max().alias("max_ns"),
        pl.col("exposed_ns").sum(),
        (100 * time.sum() / total if total else pl.lit(None)).alias("share_pct"),
        sized.sum().alias("sized_calls"),
    ]


def _split() -> list[pl.Expr]:
    """What the matched calls add; null where none is matched."""
    matched = pl.col("collective").is_not_null()
    time = pl.col("duration_ns")
    moved, during = (pl.col(name).filter(matched & pl.col("bytes").is_not_null()) for name in ("bytes", "transfer_ns"))
    return [
        pl.when(matched.any()).then(pl.col("transfer_ns").sum()).alias("transfer_ns"),
        pl.when(matched.any()).then(pl.col("wait_ns").sum()).alias("wait_ns"),
        time.filter(~matched).sum().alias("unmatched_ns"),
        pl.when(matched.any()).then(pl.col("exposed_wait_ns").filter(matched).sum()).alias("exposed_wait_ns"),
        matched.sum().alias("matched_calls"),
        pl.when((moved.sum() > 0) & (during.sum() > 0)).then(moved.sum() / during.sum()).alias("algbw"),
    ]


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are no rows, how many calls have no size, and what was not matched."""
    if len(frame) == 0:
        return [Message("note-communication-none")]
    calls, sized = int(frame["calls"].sum()), int(frame["sized_calls"].sum())
    found = unmatched_notes(profile)
    if not frame["matched_calls"].sum():
        found = [Message("note-communication-with-waiting")]
    found += slow_groups(profile)
    if sized < calls:
        found.append(Message("note-communication-unsized", unsized=calls - sized, calls=calls))
    return found
