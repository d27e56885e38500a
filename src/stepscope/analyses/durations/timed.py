"""Every kernel, copy, operator, range and call of a profile with its duration, and which are much longer than others.

An instance is an outlier where it is longer than 1.5 times the median of its name and lies outside Tukey's outer fence
(J. W. Tukey, Exploratory Data Analysis, 1977, 2D): more than three interquartile ranges above the upper quartile. How
long the outliers are moves neither limit, as long as they are fewer than a quarter.
"""

from __future__ import annotations

from collections.abc import Iterator

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

_NAMES = ["kind", "name"]
_COLUMNS = {
    "kind": pl.String,
    "name": pl.String,
    "rank": pl.Int64,
    "step": pl.Int64,
    "start_ns": pl.Int64,
    "duration_ns": pl.Int64,
    "thread": pl.String,
    "stream": pl.Int64,
}


def timed(profile: Profile) -> pl.DataFrame:
    """A row for each instance, in order of time: columns of `_COLUMNS`, number, median_ns, outlier.

    ``number`` counts those of a name on a rank; ``outlier`` is null where a name has fewer than `LEAST`. Those of
    `Profile.named` alone, if given.
    """
    rows = pl.concat([pl.DataFrame(schema=_COLUMNS), *(part for rank in profile.ranks for part in _of(rank, profile))])
    # Rows equal in all of these differ in nothing.
    rows = rows.sort("start_ns", "duration_ns", "rank", *_NAMES, "thread", "stream", nulls_last=True)
    length, number = pl.col("duration_ns"), pl.col("start_ns").cum_count().over(*_NAMES, "rank").alias("number")
    low, high = (length.quantile(at, "nearest").over(_NAMES) for at in (0.25, 0.75))
    middle = length.median().over(_NAMES)
    far = (length > high + _FENCE * (high - low)) & (length > _OF_MEDIAN * middle)
    judged = pl.when(pl.len().over(_NAMES) >= LEAST).then(far.fill_null(False))
    return rows.with_columns(number, middle.round().cast(pl.Int64).alias("median_ns"), judged.alias("outlier"))


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
        rank.trace.text(frame["name"]).fill_null("").alias("name"),
        pl.lit(rank.number).alias("rank"),
        pl.lit(step, pl.Int64).alias("step") if step is None else step.alias("step"),
    ).select(pl.col(name).cast(dtype) for name, dtype in _COLUMNS.items())
