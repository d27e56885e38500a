"""Where functions could not be compiled as one graph (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.compilation.compilations import every_compilation
from stepscope.analyses.compilation.logs import logs_of, place_of
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_TEXTS = ("compile_id", "file", "function", "own_file", "reason", "explanation", "hint", "stack")
_KEY = ["rank", "source", "at", "reason", "explanation"]
_RESUMES = r"^torch_dynamo_resume_in_(.+)_at_(\d+)$"
"""Names of functions that continue behind a graph break: in which function, and at which line."""


def graph_breaks(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``graph_breaks``, most compilations first."""
    schema, logs = TABLES["graph_breaks"].schema, logs_of(profile)
    if not logs:
        return pl.DataFrame(schema=schema)
    frame = pl.concat([log.frame("graph_break", _TEXTS, ("event", "line", "own_line")) for log in logs])
    frame = frame.with_columns(
        pl.coalesce(place_of("own_file", "own_line"), place_of("file", "line")).alias("source"),
        place_of("file", "line").alias("at"),
    )
    grouped = frame.group_by(_KEY, maintain_order=True).agg(
        pl.col("function", "hint", "stack", "line").first(),
        pl.struct("log", "compile_id").n_unique().cast(pl.Int64).alias("compilations"),
    )
    found = grouped.join(_behind(profile), ["rank", "at"], "left", maintain_order="left")
    ordered = found.sort(
        "rank", "compilations", "source", "at", descending=[False, True, False, False], nulls_last=True
    )
    return ordered.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _behind(profile: Profile) -> pl.DataFrame:
    """What compiling what continues at a line took: columns rank, at, first_ns."""
    every = every_compilation(profile)
    line = pl.col("function").str.extract(_RESUMES, 2)
    file = pl.col("source").str.replace(r":\d+$", "")
    continued = every.filter(line.is_not_null()).with_columns(pl.format("{}:{}", file, line).alias("at"))
    return continued.group_by("rank", "at").agg(pl.col("duration_ns").sum().alias("first_ns"))
