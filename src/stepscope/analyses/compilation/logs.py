"""The logs of torch.compile beside each rank, as frames with texts, on the trace's clock."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from stepscope.readers.formats import COMPILE_LOG, TRACE
from stepscope.store.profile import Profile, Rank
from stepscope.store.recording import Recording
from stepscope.store.trace import Trace

FORWARD, BACKWARD = "forward", "backward"


@dataclass(frozen=True)
class Log:
    """A log of a rank."""

    rank: Rank
    recording: Recording

    @property
    def trace(self) -> Trace:
        return self.recording.trace

    def frame(self, table: str, texts: tuple[str, ...], numbers: tuple[str, ...] = ()) -> pl.DataFrame:
        """Some columns of a stored table, with what names the log: rank, file."""
        frame = self.trace.frame(table, [*texts, *numbers])
        named = [self.trace.text(frame[name]).alias(name) for name in texts]
        of = (pl.lit(self.rank.number, pl.Int64).alias("rank"), pl.lit(self.recording.name).alias("log"))
        return frame.with_columns(*named, *of)

    def placed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with its column start_ns on the trace's clock, and the step of each row."""
        if self.recording is self.rank.recordings[0]:
            return frame.with_columns(pl.lit(None, pl.Int64).alias("step"))
        shift = self.recording.shift_ns
        start = pl.col("start_ns") + pl.lit(shift, pl.Int64)  # null without a shift
        placed = frame.with_columns(start.alias("start_ns"))
        if shift is None or self.rank.recordings[0].kind != TRACE:
            return placed.with_columns(pl.lit(None, pl.Int64).alias("step"))
        steps = self.rank.all_steps.ranges.sort("start_ns").select(
            "step", pl.col("start_ns").alias("step_start_ns"), pl.col("end_ns").alias("step_end_ns")
        )
        found = placed.with_row_index("place").sort("start_ns", nulls_last=True)
        found = found.join_asof(steps, left_on="start_ns", right_on="step_start_ns", check_sortedness=False).sort(
            "place"
        )
        inside = pl.col("start_ns") < pl.col("step_end_ns")
        step = pl.when(inside).then("step").alias("step")
        return found.with_columns(step).drop("place", "step_start_ns", "step_end_ns")


def is_compile_log(rank: Rank) -> bool:
    """Whether nothing but logs of torch.compile was recorded of a rank."""
    return rank.trace.kind == COMPILE_LOG


def logs_of(profile: Profile) -> list[Log]:
    """Every log of every rank."""
    return [
        Log(rank, one)
        for rank in profile.ranks
        for one in rank.recordings
        if one.kind == COMPILE_LOG and one.stored is not None
    ]


def place_of(file: str, line: str) -> pl.Expr:
    """File and line, as ``train.py:12``; null without a file."""
    at = pl.when(pl.col(line).is_not_null()).then(pl.format(":{}", line)).otherwise(pl.lit(""))
    return pl.when(pl.col(file).is_not_null()).then(pl.concat_str(pl.col(file), at))
