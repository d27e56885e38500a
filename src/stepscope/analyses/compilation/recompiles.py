"""Every recompilation and which guard failed (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.compilation.compilations import FAILED, LIMIT, every_compilation
from stepscope.analyses.compilation.guard_kinds import OTHER, kind_of
from stepscope.analyses.compilation.logs import BACKWARD, logs_of, place_of
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

OVER_LIMIT = "limit"
_KEY = ["rank", "file", "compile_id"]


def recompiles(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``recompiles``, in the order of time. Of a compilation whose log gives several
    reasons, one for each compilation before it, the first is shown: that of the entry that was looked at first."""
    schema, every = TABLES["recompiles"].schema, every_compilation(profile)
    if len(every) == 0:
        return pl.DataFrame(schema=schema)
    again = every.filter("recompile")
    backward = every.filter(pl.col("direction") == BACKWARD)
    later = backward.group_by(_KEY).agg(pl.col("duration_ns").sum().alias("backward_ns"))
    limit = (pl.col("outcome") == FAILED) & pl.col("failure").str.contains(LIMIT).fill_null(False)
    frame = again.join(later, _KEY, "left", maintain_order="left").join(
        _reasons(profile), _KEY, "left", maintain_order="left"
    )
    frame = frame.with_columns(
        kind_of("reason").fill_null(OTHER).alias("kind"),
        pl.coalesce("before", "cached").alias("cached"),
        (pl.col("duration_ns") + pl.col("backward_ns").fill_null(0)).alias("duration_ns"),
        pl.when(limit).then(pl.lit(OVER_LIMIT)).otherwise("outcome").alias("outcome"),
    )
    advice = pl.Series("advice", [_advice(*row) for row in frame.select("outcome", "kind").rows()], pl.String)
    return frame.with_columns(advice).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _reasons(profile: Profile) -> pl.DataFrame:
    """Of each compilation that names reasons the first, with the line it is from, and how many there are."""
    texts = ("compile_id", "guard", "file")
    parts = [log.frame("recompile_reason", texts, ("place", "line")) for log in logs_of(profile)]
    frame = pl.concat(parts).with_columns(place_of("file", "line").alias("guard_source"))
    frame = frame.drop("file").rename({"log": "file", "guard": "reason"}).sort("place", maintain_order=True)
    return frame.group_by(_KEY, maintain_order=True).agg(
        pl.col("reason", "guard_source").first(), pl.len().cast(pl.Int64).alias("before")
    )


def _advice(outcome: str, kind: str) -> str:
    of_limit = outcome == OVER_LIMIT
    return Message("compile-advice", kind=OVER_LIMIT if of_limit else kind).encoded()
