"""Collectives and messages between ranks, by kind, process group and type of element.

A row sums over ranks; each rank's kernel of a collective is a call of its own. The time of such a kernel holds its
waiting for the other ranks, so no bandwidth is given here: the shortest call is the one that waited least.

Bytes are elements times their size, of input or output, whichever is larger: what the NCCL tests call the size of a
collective (https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md).
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.unions import rank_unions
from stepscope.numeric.intervals import covered_within
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

_OPS = {
    "all_reduce": r"all_?reduce",
    "reduce_scatter": r"reduce_?scatter",
    "all_gather": r"all_?gather",
    "all_to_all": r"all_?to_?all",
    "broadcast": r"broadcast",
    "barrier": r"barrier",
    "send": r"^(?:batch_)?i?send$",
    "recv": r"^(?:batch_)?i?recv$",
    "gather": r"^gather$",
    "scatter": r"^scatter$",
    "reduce": r"^_?reduce$",
    "send_recv": r"send_?recv",
}
"""Names of collectives as versions of PyTorch and kernels of NCCL write them, in any case; the first that fits."""

_BYTES = {
    **dict.fromkeys(("Byte", "Char", "Bool", "Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz", "Float8_e5m2fnuz"), 1),
    **dict.fromkeys(("Short", "Half", "BFloat16"), 2),
    **dict.fromkeys(("Int", "Float", "ComplexHalf"), 4),
    **dict.fromkeys(("Long", "Double", "ComplexFloat"), 8),
    "ComplexDouble": 16,
}
"""Bytes of an element by the names of ``c10::ScalarType``."""

_DETAILS = (
    "collective",
    "in_elements",
    "out_elements",
    "dtype",
    "group_size",
    "process_group",
    "process_group_description",
)
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
    rows = pl.concat([_rank_calls(rank) for rank in profile.ranks])
    total = int(rows["duration_ns"].sum())
    keys = [pl.col("bytes").alias("call_bytes") if key == "bytes" else key for key in _GROUPING[by]]
    sized = pl.col("bytes").is_not_null()
    time = pl.col("duration_ns")
    table = rows.group_by(keys).agg(
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
    )
    schema = {**({"rank": pl.Int64} if by == "rank" else {}), **TABLES["communication"].schema}
    if by == "size":
        schema = {**schema, "call_bytes": pl.Int64}
    table = table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
    names = [name for name in table.columns if name in ("rank", "op", "group", "dtype", "call_bytes")]
    return table.sort("total_ns", *names, descending=[True, *(False for _ in names)], nulls_last=True)


def _rank_calls(rank: Rank) -> pl.DataFrame:
    """A row per communication kernel: rank, op, group, ranks, dtype, bytes, duration_ns, exposed_ns."""
    calls = rank.activity.filter((pl.col("activity") == KERNEL) & pl.col("communication"))
    details = rank.trace.frame("activity", _DETAILS)[calls["row"]]
    for name in ("collective", "dtype", "process_group", "process_group_description"):
        details = details.with_columns(rank.trace.text(details[name]).alias(name))
    compute, _, _ = rank_unions(rank)
    start, end = calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
    covered = pl.Series("covered", covered_within(compute, start, end), dtype=pl.Int64)
    frame = details.with_columns(rank.trace.text(calls["name"]).alias("kernel"), calls["duration_ns"], covered)
    described = pl.col("process_group_description").replace("undefined", "")
    elements = pl.max_horizontal("in_elements", "out_elements")
    return frame.select(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        _op().alias("op"),
        pl.when(described.fill_null("") != "").then(described).otherwise(pl.col("process_group")).alias("group"),
        pl.col("group_size").alias("ranks"),
        "dtype",
        (elements * pl.col("dtype").replace_strict(_BYTES, default=None, return_dtype=pl.Int64)).alias("bytes"),
        "duration_ns",
        (pl.col("duration_ns") - pl.col("covered")).alias("exposed_ns"),
    )


def _op() -> pl.Expr:
    """The operation by its recorded name, else by the kernel's."""
    recorded = pl.when(pl.col("collective") != "").then(pl.col("collective"))
    named = [
        pl.when(text.str.contains(f"(?i){pattern}")).then(pl.lit(op))
        for text in (recorded, pl.col("kernel"))
        for op, pattern in _OPS.items()
    ]
    return pl.coalesce(*named[: len(_OPS)], recorded, *named[len(_OPS) :], pl.col("kernel"))


def notes(profile: Profile, frame: pl.DataFrame) -> list[str]:
    """Why there are no rows, or how many calls have no size."""
    if len(frame) == 0:
        return ["no rows: no communication kernel ran in what was selected"]
    calls, sized = int(frame["calls"].sum()), int(frame["sized_calls"].sum())
    told = ["durations hold the waiting for other ranks: the shortest call waited least"]
    if sized < calls:
        told.append(f"{calls - sized:,} of {calls:,} calls have no recorded size: bytes leave them out")
    return told
