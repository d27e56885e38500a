"""Copies by direction and by kind of host memory.

Direction and memory stand in the activity's name: ``Memcpy HtoD (Pageable -> Device)``. ROCm names the direction
too but not the memory; older ROCm says ``CopyHostToDevice``. MTIA has arguments of its own for direction and size.
Bandwidth counts only copies whose size was recorded.
"""

from __future__ import annotations

import polars as pl

from stepscope.schema import MEMCPY, TABLES
from stepscope.store.further_arguments import further_argument
from stepscope.store.profile import Profile, Rank

_DIRECTIONS = ("HtoD", "DtoH", "DtoD", "HtoH", "PtoP")
_ROCM = {
    "HostToDevice": "HtoD",
    "DeviceToHost": "DtoH",
    "DeviceToDevice": "DtoD",
    "HostToHost": "HtoH",
    "PeerToPeer": "PtoP",
}
_MTIA = {
    "HOST_TO_DEVICE": "HtoD",
    "DEVICE_TO_HOST": "DtoH",
    "DEVICE_TO_DEVICE": "DtoD",
}


def memcpy(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memcpy``, most time first."""
    rows = pl.concat([rank_copies(rank) for rank in profile.ranks])
    return by_size(rows, "memcpy", ["kind", "pinned"])


def by_size(rows: pl.DataFrame, table: str, key: list[str]) -> pl.DataFrame:
    """The columns of a table of calls with a size, most time first.

    Args:
        rows: columns of the key, bytes, duration_ns.
    """
    rows = rows.group_by(key).agg(
        pl.len().cast(pl.Int64).alias("calls"),
        pl.when(pl.col("bytes").is_not_null().any()).then(pl.col("bytes").sum()).alias("bytes"),
        pl.col("duration_ns").sum().alias("total_ns"),
        pl.col("duration_ns").filter(pl.col("bytes").is_not_null()).sum().alias("sized_ns"),
    )
    rows = rows.with_columns(
        pl.when(pl.col("sized_ns") > 0).then(pl.col("bytes") / pl.col("sized_ns")).alias("bandwidth")
    )
    schema = TABLES[table].schema
    return rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort(
        "total_ns", *key, descending=[True, *[False] * len(key)]
    )


def rank_copies(rank: Rank) -> pl.DataFrame:
    """Selected copies: columns kind, pinned, bytes, duration_ns, at_ns (when launched, else when begun)."""
    copies = rank.activity.filter(pl.col("activity") == MEMCPY)
    details = rank.trace.frame("activity", ["event", "bytes", "direction"])[copies["row"]]
    names = rank.trace.text(copies["name"]).fill_null("")
    directions = rank.trace.text(details["direction"]).fill_null("")
    of_mtia = further_argument(rank.trace, details["event"], "direction").fill_null("").alias("of_mtia")
    sizes = further_argument(rank.trace, details["event"], "size").cast(pl.Int64, strict=False)
    sized = details.select(pl.coalesce("bytes", sizes).alias("bytes")).to_series()
    frame = pl.DataFrame([names, directions, of_mtia, sized, copies["duration_ns"]])
    return frame.select(
        _direction().alias("kind"),
        pl.when(pl.col("name").str.contains("(?i)pinned"))
        .then(pl.lit("pinned"))
        .when(pl.col("name").str.contains("(?i)pageable"))
        .then(pl.lit("pageable"))
        .when(pl.col("name").str.contains("(?i)managed"))
        .then(pl.lit("managed"))
        .otherwise(pl.lit(""))
        .alias("pinned"),
        "bytes",
        "duration_ns",
        copies.select(pl.coalesce("launch_start_ns", "start_ns").alias("at_ns")).to_series(),
    )


def _direction() -> pl.Expr:
    short = pl.col("name").str.extract(rf"\b({'|'.join(_DIRECTIONS)})\b")
    long = pl.col("name").str.extract(rf"({'|'.join(_ROCM)})").replace(_ROCM)
    recorded = pl.col("direction").str.extract(rf"^({'|'.join(_DIRECTIONS)})$")
    mtia = pl.col("of_mtia").replace_strict(_MTIA, default=None, return_dtype=pl.String)
    return pl.coalesce(short, long, recorded, mtia, pl.lit("unknown"))
