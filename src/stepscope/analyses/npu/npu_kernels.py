"""Kernels of an NPU with the units of its cores that worked (see docs/tables/).

A share of a unit is a mean over calls, weighted by the time that each ran on cores of that kind. Collectives are left
out: their time is in no core.
"""

from __future__ import annotations

import polars as pl

from stepscope.messages import Message
from stepscope.readers.ascend.tasks import AI_CPU
from stepscope.schema import STORE_TABLES, TABLES
from stepscope.store.profile import Profile, Rank

_TEXTS = {"type": "kind", "core": "core", "shapes": "input_shapes", "types": "input_types", "formats": "input_formats"}
_BY_CORE = ("COMMUNICATION", "HCCL")
_SHARES = tuple(name for name in STORE_TABLES["npu_kernel"] if name.endswith("_pct"))
_NUMBERS = ("start_ns", "duration_ns", "wait_ns", "blocks", "cube_ns", "vector_ns")
_KEYS = {"": tuple(_TEXTS), "type": ("type", "core"), "core": ("core",)}


def npu_kernels(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_kernels``, most time first.

    Args:
        by: "" for a row for each type, core and shapes, ``type`` or ``core`` for fewer.
    """
    recorded = (rank for rank in profile.ranks if rank.trace.rows("npu_kernel"))
    return pl.concat([pl.DataFrame(schema=TABLES["npu_kernels"].schema), *(_of_rank(rank, by) for rank in recorded)])


def _of_rank(rank: Rank, by: str) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("npu_kernel", [*_TEXTS.values(), *_NUMBERS, *_SHARES])
    frame = frame.filter(rank.inside(frame["start_ns"]))
    frame = frame.with_columns(trace.text(frame[stored]).alias(name) for name, stored in _TEXTS.items())
    frame = frame.with_columns(pl.coalesce("core", _typed(rank, frame["start_ns"])).alias("core"))
    frame = frame.filter(~pl.col("core").is_in(_BY_CORE).fill_null(False))
    time, whole = pl.col("total_ns"), int(frame["duration_ns"].sum())
    key = _KEYS[by]
    summed = frame.group_by(key, maintain_order=True).agg(
        pl.len().alias("calls"),
        pl.col("duration_ns").sum().alias("total_ns"),
        pl.when(pl.col("wait_ns").count() > 0).then(pl.col("wait_ns").sum()).alias("wait_ns"),
        pl.col("blocks").mean().alias("cores_used"),
        *(_weighted(name) for name in _SHARES),
    )
    made = summed.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        (100.0 * time / whole if whole else pl.lit(None)).alias("share_pct"),
        (time / pl.col("calls")).round().cast(pl.Int64).alias("mean_ns"),
        *(pl.lit(None, pl.String).alias(name) for name in _TEXTS if name not in key),
    )
    ordered = made.sort("total_ns", *_TEXTS, descending=[True, *(False for _ in _TEXTS)], nulls_last=True)
    return ordered.select(pl.col(name).cast(kind) for name, kind in TABLES["npu_kernels"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What ran on AI CPUs, whose cores are few and slow."""
    slow = frame.filter(pl.col("core").is_in(AI_CPU))
    if len(slow) == 0:
        return []
    types = (
        slow.group_by("type").agg(pl.col("total_ns").sum()).sort("total_ns", "type", descending=[True, False])["type"]
    )
    share = 100.0 * int(slow["total_ns"].sum()) / max(1, int(frame["total_ns"].sum()))
    return [
        Message(
            "note-npu-ai-cpu",
            calls=int(slow["calls"].sum()),
            total_ns=int(slow["total_ns"].sum()),
            share_pct=share,
            types=types.drop_nulls().head(_NAMED).to_list() or ["?"],
        )
    ]


_NAMED = 3


def _typed(rank: Rank, starts: pl.Series) -> pl.Series:
    """What the timeline says of the cores of kernels: at level 0 their details do not."""
    tasks = rank.trace.frame("activity", ["start_ns", "category"]).unique("start_ns", keep="first", maintain_order=True)
    found = starts.alias("start_ns").to_frame().join(tasks, "start_ns", "left", maintain_order="left")["category"]
    return rank.trace.text(found)


def _weighted(name: str) -> pl.Expr:
    """Mean of a share over the calls that have one, by their time on the cores that it is of."""
    cores = "duration_ns" if name == "cube_utilization_pct" else "cube_ns" if name.startswith("cube") else "vector_ns"
    weight = pl.when(pl.col(name).is_not_null()).then(pl.col(cores).fill_null(0)).otherwise(0)
    total = weight.sum()
    return pl.when(total > 0).then((pl.col(name).fill_null(0.0) * weight).sum() / total).alias(name)
