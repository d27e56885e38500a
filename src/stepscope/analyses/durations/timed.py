"""Every kernel, copy, operator, range and call of a profile with its duration, and which are much longer than others.

An instance is an outlier where it is longer than 1.5 times the median of its name and lies outside Tukey's outer fence
(J. W. Tukey, Exploratory Data Analysis, 1977, 2D): more than three interquartile ranges above the upper quartile. How
long the outliers are moves neither limit, as long as they are fewer than a quarter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from stepscope.analyses.roofline.mfu import index_of_step
from stepscope.schema import KERNEL, MEMCPY, MEMSET
from stepscope.store.profile import Profile, Rank

LEAST = 8
"""Instances of a name from which on outliers are marked: of fewer, quartiles say little."""

_OF_MEDIAN = 1.5
_FENCE = 3
_GPU = {KERNEL: "kernel", MEMCPY: "memcpy", MEMSET: "memset"}
_HOST = {"operator": "operator", "annotation": "annotation", "runtime": "call"}
_BY_NAME_ONLY = {"python": "function"}
"""Tables of the host and what their events are called. Python functions are too many to be shown unless named."""

_KINDS = pl.Enum(sorted([*_GPU.values(), *_HOST.values(), *_BY_NAME_ONLY.values()]))
_COLUMNS: dict[str, pl.DataType] = {
    "kind": _KINDS,
    "code": pl.UInt32(),
    "rank": pl.Int64(),
    "step": pl.Int64(),
    "start_ns": pl.Int64(),
    "duration_ns": pl.Int64(),
    "thread": pl.String(),
    "stream": pl.Int64(),
}


@dataclass(frozen=True)
class Timed:
    """The instances of a profile.

    Attributes:
        rows: one for each, in no order: columns key, rank, step, start_ns, duration_ns, thread, stream, outlier; the
            last one is null where a name has fewer than `LEAST`.
        names: what each key means, in its row: columns kind, name, median_ns; in the order of kind and name.
    """

    rows: pl.DataFrame
    names: pl.DataFrame

    def named(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with columns kind and name in place of its keys."""
        return self.names.select(pl.col("kind", "name").gather(frame["key"])).hstack(frame.drop("key"))


def timed(profile: Profile) -> Timed:
    """Every instance; those of `Profile.named` alone, if given."""
    rows, names = _keyed(profile)
    length = pl.col("duration_ns")
    low, high = (length.quantile(at, "nearest") for at in (0.25, 0.75))
    most = pl.max_horizontal(high + _FENCE * (high - low), _OF_MEDIAN * length.median())
    limits = (
        rows.group_by("key")
        .agg(
            length.median().round().cast(pl.Int64).alias("median_ns"),
            pl.when(pl.len() >= LEAST).then(most).alias("most"),
        )
        .sort("key")
    )
    outlier = rows["duration_ns"] > limits["most"].gather(rows["key"])
    return Timed(rows.with_columns(outlier.alias("outlier")), names.with_columns(limits["median_ns"]))


def _keyed(profile: Profile) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`Timed.rows` and `Timed.names`: to group by numbers takes a fraction of what it takes by texts."""
    places = [_placed(number, rank, profile) for number, rank in enumerate(profile.ranks)]
    met = pl.concat([_met(rank, rows) for rank, rows in zip(profile.ranks, places, strict=True)])
    names = met.select("kind", "name").unique().sort("kind", "name").with_row_index("key")
    keys = met.join(names, ["kind", "name"]).select("place", "key")
    rows = pl.concat(places).join(keys, "place").drop("place", "kind", "code")
    return rows, names.drop("key").with_columns(pl.col("kind").cast(pl.String))


def _placed(number: int, rank: Rank, profile: Profile) -> pl.DataFrame:
    """Columns `_COLUMNS`, place: a number of rank, kind and name."""
    rows = pl.concat([pl.DataFrame(schema=_COLUMNS), *_of(rank, profile)])
    first = pl.lit(number * len(_KINDS.categories), pl.Int64)
    kind, code = pl.col("kind").to_physical(), pl.col("code").cast(pl.Int64)
    # What has no name has the last code.
    return rows.with_columns(((first + kind) * (1 << 32) + code.fill_null((1 << 32) - 1)).alias("place"))


def _met(rank: Rank, rows: pl.DataFrame) -> pl.DataFrame:
    """The different names of a rank: columns place, kind, name."""
    met = rows.select("place", "kind", "code").unique("place")
    return met.select("place", "kind", rank.trace.text(met["code"]).fill_null("").alias("name"))


def _of(rank: Rank, profile: Profile) -> Iterator[pl.DataFrame]:
    codes = rank.trace.codes(lambda text: text == profile.named) if profile.named else None
    yield _activity(rank, codes)
    for table, kind in (_HOST | (_BY_NAME_ONLY if codes is not None else {})).items():
        if rank.trace.rows(table):
            yield _host(rank, table, kind, codes)


def _activity(rank: Rank, codes: pl.Series | None) -> pl.DataFrame:
    """Work on the GPU: of the step that launched it, where that is known."""
    activity = _chosen(rank, rank.activity, codes)
    at = pl.coalesce("launch_start_ns", "start_ns")
    kind = pl.col("activity").replace_strict(_GPU, default="kernel", return_dtype=pl.String)
    return _finished(rank, activity.with_columns(kind.alias("kind"), at.alias("at"), pl.lit(None).alias("thread")))


def _host(rank: Rank, table: str, kind: str, codes: pl.Series | None) -> pl.DataFrame:
    trace = rank.trace
    further = ["category"] if table == "annotation" else []
    frame = trace.frame(table, ["name", "start_ns", "duration_ns", "thread", *further]).with_row_index("row")
    frame = frame.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"))
    if further:
        gpu = trace.codes(lambda text: text == "gpu_user_annotation").implode()
        frame = frame.filter(~pl.col("category").is_in(gpu).fill_null(False))
    frame = _chosen(rank, frame, codes)
    frame = frame.filter(rank.inside(frame["start_ns"]))
    threads = trace.text(frame["thread"]).alias("thread")
    place = (pl.lit(kind).alias("kind"), pl.col("start_ns").alias("at"), threads, pl.lit(None).alias("stream"))
    return _finished(rank, frame.with_columns(*place))


def _chosen(rank: Rank, frame: pl.DataFrame, codes: pl.Series | None) -> pl.DataFrame:
    """Rows of a name, where one is asked for, that reach into the selected moments."""
    if codes is not None:
        frame = frame.filter(pl.col("name").is_in(codes.implode()).fill_null(False))
    if rank.moments is None:
        return frame
    begin, end = rank.moments
    return frame.filter((pl.col("start_ns") < end) & (pl.col("end_ns") > begin))


def _finished(rank: Rank, frame: pl.DataFrame) -> pl.DataFrame:
    steps = rank.all_steps.ranges
    step = steps["step"].gather(index_of_step(steps, frame["at"].to_numpy())) if len(steps) else None
    return frame.with_columns(
        pl.col("name").alias("code"),
        pl.lit(rank.number).alias("rank"),
        pl.lit(step, pl.Int64).alias("step") if step is None else step.alias("step"),
    ).select(pl.col(name).cast(dtype) for name, dtype in _COLUMNS.items())
