"""Communication by size of the call, in powers of two (see docs/tables/message_sizes.md)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.operations import bus_factor
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

SMALL_BYTES = 1 << 20
"""Below a mebibyte latency matters more than bandwidth on the links of today's GPUs."""

_KEYS = ["op", "group", "from_bytes"]


def message_sizes(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``message_sizes``, by operation, group and size; calls without a size come last."""
    schema = TABLES["message_sizes"].schema
    calls = selected_calls(profile).with_columns(
        power_of_two(pl.col("bytes")).alias("from_bytes"), (pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns")
    )
    matched = pl.col("collective").is_not_null()
    moved, during = (pl.col(name).filter(matched & pl.col("bytes").is_not_null()) for name in ("bytes", "transfer_ns"))
    table = calls.group_by(_KEYS).agg(
        pl.len().alias("calls"),
        pl.when(pl.col("bytes").is_not_null().any()).then(pl.col("bytes").sum()).alias("bytes"),
        pl.col("duration_ns").sum().alias("total_ns"),
        pl.when(matched.any()).then(pl.col("transfer_ns").sum()).alias("transfer_ns"),
        matched.sum().alias("matched_calls"),
        pl.when((moved.sum() > 0) & (during.sum() > 0)).then(moved.sum() / during.sum()).alias("algbw"),
        pl.col("ranks").max(),
    )
    transfer = pl.col("transfer_ns")
    table = table.with_columns(
        pl.max_horizontal(2 * pl.col("from_bytes"), pl.when(pl.col("from_bytes") == 0).then(1)).alias("below_bytes"),
        (100.0 * pl.col("calls") / pl.col("calls").sum()).alias("calls_pct"),
        pl.when(transfer.sum() > 0).then(100.0 * transfer / transfer.sum()).alias("transfer_pct"),
        (pl.col("algbw") * bus_factor(pl.col("op"), pl.col("ranks"))).alias("busbw"),
    )
    return table.sort(*_KEYS, nulls_last=True).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def power_of_two(size: pl.Expr) -> pl.Expr:
    """The largest power of two that is not above a size; 0 of 0, null of null.

    >>> sizes = pl.DataFrame({"size": [0, 1, 3, 4, 2**40 - 1, None]})
    >>> sizes.select(power_of_two(pl.col("size"))).to_series().to_list()
    [0, 1, 2, 4, 549755813888, None]
    """
    # Exact: the borders are whole numbers, a logarithm would not be.
    borders = [2**power for power in range(63)]
    at = sum((size >= border).cast(pl.Int64) for border in borders)
    return pl.when(size.is_null()).then(None).when(at == 0).then(0).otherwise(pl.lit(2, pl.Int64).pow(at - 1))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are no rows; how much is in small messages, and at which bandwidth; what has no size."""
    if len(frame) == 0:
        return [Message("note-communication-none")]
    found = _small(frame)
    unsized = int(frame.filter(pl.col("from_bytes").is_null())["calls"].sum())
    if unsized:
        found.append(Message("note-sizes-unsized", unsized=unsized, calls=int(frame["calls"].sum())))
    return [*found, *unmatched_notes(profile)]


def _small(frame: pl.DataFrame) -> list[Message]:
    sized = frame.filter(pl.col("from_bytes") > 0)
    small = sized.filter(pl.col("below_bytes") <= SMALL_BYTES)
    calls, whole = int(small["calls"].sum()), int(sized["calls"].sum())
    transfer = int(sized["transfer_ns"].sum())
    if calls == 0:
        return []
    share = 100 * calls / whole
    if transfer == 0:
        return [Message("note-sizes-small", calls_pct=share)]
    of_transfer = 100 * int(small["transfer_ns"].sum()) / transfer
    saved = _merged(sized)
    if saved <= 0:
        return [Message("note-sizes-small-timed", calls_pct=share, transfer_pct=of_transfer)]
    return [Message("note-sizes-small-merged", calls_pct=share, transfer_pct=of_transfer, saved_ns=saved)]


def _merged(sized: pl.DataFrame) -> float:
    """What small calls take longer than at the bandwidth of the larger ones of the same operation and group, in ns."""
    kinds = ["op", "group"]
    is_small = pl.col("below_bytes") <= SMALL_BYTES
    timed = sized.filter((pl.col("transfer_ns") > 0) & (pl.col("matched_calls") == pl.col("calls")))
    large = (
        timed.filter(~is_small).group_by(kinds).agg((pl.col("bytes").sum() / pl.col("transfer_ns").sum()).alias("of"))
    )
    small = timed.filter(is_small).join(large, on=kinds, nulls_equal=True)
    longer = small.select((pl.col("transfer_ns") - pl.col("bytes") / pl.col("of")).clip(lower_bound=0).sum())
    return float(longer.item() or 0.0)
