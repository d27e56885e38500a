"""What Python did when its stacks were sampled, beside a trace or alone (see docs/tables/).

A sample counts for the innermost function of its stack, and in the totals once for every function of it.
"""

from __future__ import annotations

import polars as pl

from stepscope.readers.formats import HOST_SAMPLES
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.profile import Profile, Rank
from stepscope.store.trace import Trace


def is_host_samples(rank: Rank) -> bool:
    """Whether nothing but samples of Python stacks was recorded of a rank."""
    return rank.trace.kind == HOST_SAMPLES


def host_samples(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``host_samples``, by rank, most samples first.

    Args:
        by: "" for a row per function, ``line`` for one per line, ``thread`` for one per thread and function.
    """
    table = TABLES["host_samples"]
    place = {"line": ["line"], "thread": ["thread"]}.get(by, [])
    key = ["rank", *place, "name", "file"]
    parts = [
        _functions(rank.number, one.trace, place) for rank in profile.ranks for one in rank.recordings if _has(one)
    ]
    types = {name: column.dtype for name, column in table.described(by).items()}
    names = [*place, *table.schema]
    if not parts:
        return pl.DataFrame(schema={name: types[name] for name in names})
    found = pl.concat(parts).group_by(key).agg(pl.col("samples", "total_samples").sum())
    whole = pl.col("samples").sum().over("rank")
    found = found.with_columns(
        (100 * pl.col("samples") / whole).alias("share_pct"), (100 * pl.col("total_samples") / whole).alias("total_pct")
    )
    order = ["rank", "samples", "total_samples", "name", "file", *place]
    ordered = found.sort(order, descending=[False, True, True, *[False] * (len(order) - 3)], nulls_last=True)
    return ordered.select(pl.col(name).cast(types[name]) for name in names)


def _has(one: object) -> bool:
    return getattr(one, "kind", "") == HOST_SAMPLES and getattr(one, "stored", None) is not None


def _functions(rank: int, trace: Trace, place: list[str]) -> pl.DataFrame:
    """Columns rank, those of ``place``, name, file, samples, total_samples."""
    samples = trace.frame("stack_sample", ["thread", "samples", "stack"])
    counted = samples.group_by("thread", "stack").agg(pl.col("samples").sum())
    frames = trace.frame("sample_frame", ["stack", "depth", "name", "module", "line"]).rename({"module": "file"})
    joined = counted.with_row_index("sample").join(frames, "stack", "left", maintain_order="left")
    ran = (pl.col("depth") == 0) | pl.col("depth").is_null()
    once = (
        joined.with_columns(ran.alias("ran"))
        .group_by("sample", *{"thread", *place}, "name", "file")
        .agg(pl.col("samples").first(), pl.col("ran").any())
    )
    found = once.group_by(*place, "name", "file").agg(
        pl.col("samples").filter("ran").sum(), pl.col("samples").sum().alias("total_samples")
    )
    texts = [
        trace.text(found[name]).alias(name) for name in ("name", "file", *(one for one in place if one == "thread"))
    ]
    return found.with_columns(texts).with_columns(
        pl.col("name").fill_null(UNATTRIBUTED), pl.lit(rank, pl.Int64).alias("rank")
    )
