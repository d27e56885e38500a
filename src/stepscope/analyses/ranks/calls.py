"""The communication kernels of one rank, with what is needed to find their partners on the others.

Small (some hundred bytes a call), made once for a rank and kept, so that a job of many ranks is looked at without
its traces.
"""

from __future__ import annotations

import json

import polars as pl

from stepscope.analyses.ranks.operations import MESSAGES, call_bytes, family, operation
from stepscope.schema import KERNEL
from stepscope.store.memo import per_rank_on_disk
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_numbers
from stepscope.store.step_detection import PROFILER
from stepscope.store.ties import with_places

_DETAILS = (
    "collective",
    "in_elements",
    "out_elements",
    "dtype",
    "group_size",
    "process_group",
    "process_group_description",
    "process_group_ranks",
    "source_rank",
    "destination_rank",
    "collective_sequence",
)
_TEXTS = ("collective", "dtype", "process_group", "process_group_description", "process_group_ranks")


@per_rank_on_disk
def rank_calls(rank: Rank) -> pl.DataFrame:
    """A row per communication kernel of the whole recording, by start.

    Columns: rank; row of the stored activity and its place (see `ties.places`); step it was launched in (null if not
    known); start_ns, end_ns on the rank's own clock; stream; op; family (the op by the kernel's name alone); group (its
    description, else its number); members (its ranks as recorded, a text); group_key (what all its ranks call it);
    ranks (of the group); dtype; bytes; in_elements, out_elements; sender, receiver (of a message, else null); sequence
    (number in the group, where recorded); known (whether its metadata were recorded). The group of a call without
    metadata is that of its stream, if that serves only one.
    """
    calls = rank.activity.filter((pl.col("activity") == KERNEL) & pl.col("communication"))
    calls = by_numbers(with_places(rank.trace, "activity", calls), "start_ns", "end_ns", "place")
    details = rank.trace.frame("activity", _DETAILS)[calls["row"]]
    details = details.with_columns(rank.trace.text(details[name]).alias(name) for name in _TEXTS)
    kernel = rank.trace.text(calls["name"]).alias("kernel")
    frame = details.with_columns(
        kernel,
        *calls.select("row", "place", "start_ns", "end_ns", "stream"),
        _steps_of(rank, calls["launch_start_ns"]),
        pl.lit(rank.number, pl.Int64).alias("rank"),
    )
    frame = _with_group(rank, frame)
    elements = call_bytes(pl.col("in_elements"), pl.col("out_elements"), pl.col("dtype"))
    op = operation(pl.col("collective"), pl.col("kernel"))
    mine = pl.lit(rank.number, pl.Int64)
    return frame.with_columns(op.alias("op")).select(
        *("rank", "row", "place", "step", "start_ns", "end_ns", "stream", "op"),
        family(pl.col("kernel")).alias("family"),
        *("group", "members", "group_key"),
        pl.col("group_size").alias("ranks"),
        "dtype",
        elements.alias("bytes"),
        *("in_elements", "out_elements"),
        pl.when(pl.col("op") == MESSAGES[0]).then(mine).otherwise(pl.col("source_rank")).alias("sender"),
        pl.when(pl.col("op") == MESSAGES[1]).then(mine).otherwise(pl.col("destination_rank")).alias("receiver"),
        pl.col("collective_sequence").alias("sequence"),
        "known",
    )


def _steps_of(rank: Rank, launched: pl.Series) -> pl.Series:
    """Number of the step in which each call was launched; null outside of all, and where the profiler marked none."""
    ranges = rank.all_steps.ranges
    # Steps that were guessed from other ranges are numbered otherwise than those of ranks where they were recorded.
    if rank.all_steps.source != PROFILER or len(ranges) == 0:
        return pl.Series("step", [None] * len(launched), dtype=pl.Int64)
    at = pl.DataFrame({"at": launched}).with_row_index().sort("at")
    joined = at.join_asof(
        ranges.select("step", pl.col("start_ns").alias("at"), pl.col("end_ns").alias("until")).sort("at"), on="at"
    )
    inside = pl.when(pl.col("at") < pl.col("until")).then(pl.col("step"))
    return joined.select("index", inside.alias("step")).sort("index")["step"]


def _with_group(rank: Rank, calls: pl.DataFrame) -> pl.DataFrame:
    """Group, its members, its key, its size, and whether metadata were recorded."""
    described = pl.col("process_group_description").replace("undefined", "")
    name = pl.when(described.fill_null("") != "").then(described).otherwise(pl.col("process_group"))
    configured = _configured(rank)
    members = pl.when(pl.col("process_group_ranks").fill_null("") != "").then(pl.col("process_group_ranks"))
    fallback = pl.col("process_group").replace_strict(configured, default=None, return_dtype=pl.String)
    calls = calls.with_columns(
        (pl.col("process_group").is_not_null() | pl.col("collective").is_not_null()).alias("known"),
        name.alias("group"),
        pl.coalesce(members, fallback).alias("members"),
    )
    # Groups of other ranks may bear the same number; groups of the same ranks may differ in number.
    parts = (pl.col(name).cast(pl.String).fill_null("") for name in ("members", "process_group", "group_size"))
    key = pl.concat_str(*parts, separator="|")
    calls = calls.with_columns(pl.when("known").then(key).alias("group_key"))
    streams = (
        calls.filter("known")
        .group_by("stream")
        .agg(
            pl.col("group_key").n_unique().alias("groups"),
            *(pl.col(column).first().alias(f"{column}_of") for column in ("members", "group_key")),
        )
        .filter(pl.col("groups") == 1)
    )
    calls = calls.join(streams, on="stream", how="left", maintain_order="left")
    columns = ("members", "group_key")
    return calls.with_columns(pl.coalesce(column, f"{column}_of").alias(column) for column in columns)


def _configured(rank: Rank) -> dict[str, str]:
    """Ranks of each process group as the trace's head lists them, for traces whose kernels do not."""
    groups = rank.trace.head.get("distributedInfo", {}).get("pg_config", [])
    found: dict[str, str] = {}
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict) and isinstance(group.get("ranks"), list):
            found[str(group.get("pg_name"))] = json.dumps(group["ranks"])
    return found
