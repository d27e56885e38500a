"""Every compilation by torch.compile (see docs/tables/)."""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from stepscope.analyses.compilation.logs import BACKWARD, FORWARD, Log, logs_of, place_of
from stepscope.schema import TABLES
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

COMPILED, NO_CODE, FAILED, UNFINISHED = "compiled", "no code", "failed", "unfinished"

PARTS = ("dynamo_ns", "autograd_ns", "inductor_ns", "codegen_ns", "kernels_ns")
"""Parts of a compilation that add up to its time, as far as they were recorded."""

_STORED = ("dynamo_ns", "aot_ns", "inductor_ns", "codegen_ns", "kernels_ns")
_TEXTS = ("compile_id", "function", "file", "cache", "failure", "failure_reason")
_NUMBERS = (
    *("event", "again", "backward", "ended", "line", "start_ns", "duration_ns", *_STORED),
    *("guarded", "operators", "guards", "cached", "restarts"),
)
LIMIT = r"(?i)recompile[ _]limit|cache[ _]size[ _]limit"
"""How torch says that a function is not compiled any more, because it was too often."""


def compilations(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``compilations``, in the order of time. The parts add up to the time."""
    schema, found = TABLES["compilations"].schema, every_compilation(profile)
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    return found.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


@per_profile
def every_compilation(profile: Profile) -> pl.DataFrame:
    """The same, and beside it cached (compilations of the function before), by what the log says, or null."""
    parts = [_of_log(log) for log in logs_of(profile)]
    if not parts:
        return pl.DataFrame()
    return pl.concat(parts).sort("rank", "file", "start_ns", "event", nulls_last=True, maintain_order=True)


def _of_log(log: Log) -> pl.DataFrame:
    frame = log.frame("compilation", _TEXTS, _NUMBERS)
    breaks = log.frame("graph_break", ("compile_id",)).group_by("compile_id").len("graph_breaks")
    named = _with_functions(frame).with_columns(place_of("file", "line").alias("source"))
    frame = log.placed(named).drop("file").rename({"log": "file"})
    backward = pl.col("backward").fill_null(False)
    frame = frame.join(breaks, "compile_id", "left", maintain_order="left").with_columns(
        pl.when(backward).then(pl.lit(BACKWARD)).otherwise(pl.lit(FORWARD)).alias("direction"),
        pl.when(~backward).then(pl.col("graph_breaks").fill_null(0)).alias("graph_breaks"),
        (~backward & (pl.col("again") > 0)).fill_null(False).alias("recompile"),
        *_parts(),
        _outcome(backward).alias("outcome"),
        _said_of(pl.coalesce("failure_reason", "failure")).alias("failure"),
    )
    return frame


def _with_functions(frame: pl.DataFrame) -> pl.DataFrame:
    """The same; where a record names no function, it is that of another compilation of the same number."""
    frame_id = pl.col("compile_id").str.replace(r"/\d+$", "")
    return frame.with_columns(
        pl.coalesce(name, pl.col(name).drop_nulls().first().over("compile_id"), pl.col(name).first().over(frame_id))
        for name in ("function", "file", "line")
    )


def _parts() -> list[pl.Expr]:
    """What each phase takes without the one inside it. One that was not recorded is zero where another one was."""
    whole = pl.col("duration_ns")
    bounds, outer = [whole], whole
    for name in _STORED[1:]:
        outer = pl.min_horizontal(pl.col(name).fill_null(0), outer)
        bounds.append(outer)
    known = pl.any_horizontal(*(pl.col(name).is_not_null() for name in _STORED))
    own = [start - end for start, end in pairwise(bounds)] + [bounds[-1]]
    return [pl.when(known).then(one).alias(name) for name, one in zip(PARTS, own, strict=True)]


def _said_of(failure: pl.Expr) -> pl.Expr:
    """The first line of a failure, with the next one where it only announces that."""
    lines = failure.str.strip_chars().str.split("\n")
    first, second = lines.list.first(), lines.list.get(1, null_on_oob=True).str.strip_chars()
    announced = first.str.ends_with(":") & second.is_not_null()
    return pl.when(announced).then(pl.concat_str(first, second, separator=" ")).otherwise(first)


def _outcome(backward: pl.Expr) -> pl.Expr:
    failed = pl.col("failure").is_not_null() | pl.col("failure_reason").is_not_null()
    return (
        pl.when(~pl.col("ended"))
        .then(pl.lit(UNFINISHED))
        .when(failed)
        .then(pl.lit(FAILED))
        .when(~backward & (pl.col("guarded") == False))  # noqa: E712 - null is not false
        .then(pl.lit(NO_CODE))
        .otherwise(pl.lit(COMPILED))
    )
