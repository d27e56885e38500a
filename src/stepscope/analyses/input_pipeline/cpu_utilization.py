"""The use of CPUs by the machine, the process and the operators of the input pipeline (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.input_pipeline.recorded import RecordedPipeline, recorded_pipeline
from stepscope.messages import Message
from stepscope.readers.mindspore.cpu import MACHINE
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

ALL_CORES, ONE_CORE = "all cores", "one core"
BUSY_PCT = 80.0
"""A machine that is busier on average may be what limits the input pipeline (MindInsight)."""

_MEANS = ("active_pct", "user_pct", "system_pct", "io_pct", "idle_pct", "runnable", "context_switches")


def cpu_utilization(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``cpu_utilization``.

    Args:
        by: "" for means over all samples, ``sample`` for a row for each.
    """
    described = TABLES["cpu_utilization"].described(by)
    parts = [pl.DataFrame(schema={name: column.dtype for name, column in described.items()})]
    for rank in profile.ranks:
        recorded = recorded_pipeline(rank)
        if recorded is None:
            continue
        samples = _samples(recorded)
        frame = samples if by else _means(samples)
        frame = frame.with_columns(pl.lit(rank.number, pl.Int64).alias("rank"))
        parts.append(frame.select(pl.col(name).cast(column.dtype) for name, column in described.items()))
    return pl.concat(parts)


def _samples(recorded: RecordedPipeline) -> pl.DataFrame:
    machine = pl.col("scope") == MACHINE
    both = pl.col("user_pct") + pl.col("system_pct")
    since = pl.col("time_ns") - pl.col("time_ns").min()
    named = recorded.operators().select(pl.col("id"), pl.col("operator"), "workers")
    frame = recorded.usage().rename({"operator": "id", "switches": "context_switches"})
    return frame.join(named, "id", "left", maintain_order="left").with_columns(
        # Half of what user code and the kernel took is lost in some files; idle and I/O are known of all samples.
        pl.when(machine).then(100.0 - pl.col("idle_pct") - pl.col("io_pct")).otherwise(both).alias("active_pct"),
        pl.when(machine).then(pl.lit(ALL_CORES)).otherwise(pl.lit(ONE_CORE)).alias("of"),
        pl.int_range(1, pl.len() + 1).over("scope", "id").alias("sample"),
        pl.lit(1).alias("samples"),
        (100.0 * both.is_not_null()).alias("covered_pct"),
        since.alias("since_ns"),
    )


def _means(samples: pl.DataFrame) -> pl.DataFrame:
    key = ["scope", "id", "operator", "workers", "of"]
    return samples.group_by(key, maintain_order=True).agg(
        *(pl.col(name).mean() for name in _MEANS), pl.col("samples").sum(), pl.col("covered_pct").mean()
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What 100 % is, what files lost, and whether the machine is busy."""
    recorded = [found for found in map(recorded_pipeline, profile.ranks) if found is not None]
    if len(frame) == 0:
        return []
    said = [Message("input-cpu-scales", cores=next((one.cores for one in recorded if one.cores), None))]
    if any(one.trace.meta.get("samples_doubled") for one in recorded):
        said.append(Message("input-cpu-doubled"))
    machine = frame.filter((pl.col("scope") == MACHINE) & pl.col("active_pct").is_not_null())
    busy = machine["active_pct"].mean() if len(machine) else None
    if isinstance(busy, float) and busy > BUSY_PCT:
        said.append(Message("input-cpu-busy", busy_pct=busy))
    return said
