"""What CPUs ran when they were sampled: functions, and what they wait for inside (see docs/tables/).

A sample counts for the innermost function of its stack, and in the totals once for every function of it, however often
that stands in it.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.host.threads import named_threads
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.profile import Profile, Rank

_THREAD = ["rank", "process", "thread", "thread_name"]


def cpu_samples(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``cpu_samples``, most samples first.

    Args:
        by: "" for a row per function, ``thread`` for one per thread and function.
    """
    table = TABLES["cpu_samples"]
    place = _THREAD if by else []
    parts = [_functions(rank) for rank in profile.ranks]
    found = pl.concat(parts).group_by(*place, "name", "module").agg(pl.col("samples", "total_samples").sum())
    whole = pl.col("samples").sum()
    found = found.with_columns(
        (100 * pl.col("samples") / whole).alias("share_pct"), (100 * pl.col("total_samples") / whole).alias("total_pct")
    )
    types = {name: column.dtype for name, column in table.described(by).items()}
    columns = [pl.col(name).cast(types[name]) for name in [*place, *table.schema]]
    order = ["samples", "total_samples", "name", "module", *place]
    return found.select(columns).sort(order, descending=[True, True, *[False] * (len(order) - 2)], nulls_last=True)


def _functions(rank: Rank) -> pl.DataFrame:
    """Samples of the selected steps by thread and function: columns `_THREAD`, name, module, samples, total_samples."""
    trace = rank.trace
    samples = trace.frame("cpu_sample", ["process", "thread", "start_ns", "stack"])
    samples = samples.filter(rank.inside(samples["start_ns"])).drop("start_ns").with_row_index("sample")
    frames = trace.frame("sample_frame", ["stack", "depth", "name", "module"])
    joined = samples.join(frames, "stack", "left", maintain_order="left")
    ran = (pl.col("depth") == pl.col("depth").min().over("sample")) | pl.col("depth").is_null()
    counted = joined.with_columns(ran.alias("ran")).group_by("sample", "process", "thread", "name", "module").agg("ran")
    found = counted.group_by("process", "thread", "name", "module").agg(
        pl.col("ran").list.any().sum().cast(pl.Int64).alias("samples"), pl.len().cast(pl.Int64).alias("total_samples")
    )
    texts = [trace.text(found[column]) for column in ("name", "module")]
    named = found.with_columns(texts[0].fill_null(UNATTRIBUTED), texts[1])
    return named_threads(trace, named).select(
        pl.lit(rank.number).cast(pl.Int64).alias("rank"), *_THREAD[1:], "name", "module", "samples", "total_samples"
    )
