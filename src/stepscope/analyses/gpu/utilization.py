"""How well each rank's GPU is used while its steps run (see docs/tables/).

Shares are of the steps' time on the GPU's clock (`steps.gpu_windows`): what lies in all windows over the sum
of their lengths. What runs in a window counts there, whichever step launched it. Communication is never useful
computing. Of a rank that works on several GPUs the shares are means over its GPUs.

- ``sm_efficiency_pct``: at each moment the blocks per SM of the computing kernels that run, at most one, over time.
- ``occupancy_pct``: the profiler's estimate, corrected where it failed (`hardware.occupancy`), mean over the computing
  kernels that carry it, weighted by duration.
- ``tensor_core_pct``: share of the computing kernels' time in tensor-core kernels.
- ``tensor_core_eligible_pct``: the same of these and all kernels of operators that could run on tensor cores.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from stepscope.analyses.gpu.cut_activity import cut_notes
from stepscope.analyses.gpu.kernel_names import name_traits
from stepscope.analyses.gpu.occupancy import kernel_occupancy
from stepscope.analyses.gpu.tensor_cores import eligible_calls, of_other_makers
from stepscope.analyses.memory.step_functions import Floats, Levels
from stepscope.analyses.steps.steps import gpu_windows, rank_steps, uncut
from stepscope.analyses.steps.summary import device_name
from stepscope.analyses.steps.unions import activity_unions
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, covered_within, merge
from stepscope.schema import KERNEL, TABLES
from stepscope.store.devices import device_properties, used_devices
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import WHOLE

_OF_TIME = {
    "gpu_util_pct": "busy",
    "compute_pct": "compute",
    "communication_pct": "communication",
    "memory_pct": "memory",
    "sm_efficiency_pct": "filled",
}
_MENTIONED_PCT = 0.05
_ALL_MISSING_PCT = 100.0

_OF_KERNELS = {
    "tensor_core_pct": "tensor",
    "tensor_core_eligible_pct": "eligible",
    "sm_coverage_pct": "detailed",
    "occupancy_coverage_pct": "estimated",
}


def utilization(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``utilization``, one row per rank with GPU activity.

    Args:
        by: "" for one row per rank, ``step`` for one per rank and step, with the step in a column of that name. A
            step without time of its own on the GPU's clock, as the first of several, has nulls.
    """
    schema = TABLES["utilization"].schema
    if by:
        schema = {"rank": schema["rank"], by: pl.Int64, **schema}
    frames = [_of_rank(rank, by, schema) for rank in profile.ranks if rank.trace.rows("activity")]
    return pl.concat(frames) if frames else pl.DataFrame(schema=schema)


def _of_rank(rank: Rank, by: str, schema: Mapping[str, pl.DataType | type[pl.DataType]]) -> pl.DataFrame:
    """The rows of one rank."""
    facts = {"rank": rank.number, "device": device_name(rank), **_device_facts(rank)}
    table = rank_steps(rank).with_row_index("row")
    if by == "step":
        measured = _measured(rank, gpu_windows(table)).with_columns(_clocked(table)["row"])
        rows = table.select("row", "step").join(_shares(measured), "row", "left", maintain_order="left")
    else:
        measured = _measured(rank, gpu_windows(uncut(table))).sum()
        rows = _shares(measured)
        rows = rows if len(rows) else pl.DataFrame({"time_ns": [None]})
    if of_other_makers(rank):
        nothing = (pl.lit(None, pl.Float64).alias(name) for name in ("tensor_core_pct", "tensor_core_eligible_pct"))
        rows = rows.with_columns(nothing)
    known = {
        name: pl.lit(facts[name]) if name in facts else pl.lit(None) for name in schema if name not in rows.columns
    }
    return rows.with_columns(**known).select(pl.col(name).cast(kind) for name, kind in schema.items())


def _clocked(table: pl.DataFrame) -> pl.DataFrame:
    """The steps that `gpu_windows` has windows for."""
    known = table.filter(pl.col("period_ns").is_not_null() & (pl.col("period_ns") > 0))
    return known if len(known) else table


def _device_facts(rank: Rank) -> dict[str, object]:
    """What the head of the trace says about the GPUs that worked; nothing where they differ."""
    known = (device_properties(rank, number) for number in used_devices(rank))
    devices = [device for device in known if device]
    facts = {
        "sms": {device.get("numSms") for device in devices},
        "device_memory_bytes": {device.get("totalGlobalMem") for device in devices},
        "compute_capability": {_capability(device) for device in devices},
    }
    return {name: values.pop() for name, values in facts.items() if len(values) == 1}


def _capability(device: Mapping[str, object]) -> str | None:
    major, minor = device.get("computeMajor"), device.get("computeMinor")
    return None if major is None or minor is None else f"{major}.{minor}"


def _measured(rank: Rank, windows: Union) -> pl.DataFrame:
    """What lies in each window, in ns, mean over the rank's GPUs: a row for each window."""
    whole = rank.whole
    gpus = whole.activity.partition_by("device", maintain_order=True)
    each = [_on_gpu(whole, activity, windows) for activity in gpus]
    mean = {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}
    return pl.DataFrame({"time": (windows[1] - windows[0]).astype(np.float64), **mean})


def _on_gpu(rank: Rank, activity: pl.DataFrame, windows: Union) -> dict[str, Floats]:
    compute, communication, memory = activity_unions(activity)
    busy = merge(compute, communication, memory)
    unions = {"busy": busy, "compute": compute, "communication": communication, "memory": memory}
    found = {name: covered_within(union, *windows).astype(np.float64) for name, union in unions.items()}
    kernels = activity.filter((pl.col("activity") == KERNEL) & ~pl.col("communication"))
    levels = Levels(kernels["start_ns"].to_numpy(), kernels["end_ns"].to_numpy())
    for name, weight in _weights(rank, kernels).items():
        found[name] = levels.over(weight, *windows, cap=1.0 if name == "filled" else None)
    return found


def _weights(rank: Rank, kernels: pl.DataFrame) -> dict[str, Floats]:
    """What each computing kernel counts for while it runs."""
    blocks = rank.trace.frame("activity", ["blocks_per_sm"])["blocks_per_sm"][kernels["row"]].fill_nan(None)
    details = kernel_occupancy(rank, kernels["row"]).with_columns(blocks)
    tensor = kernels["name"].is_in(name_traits(rank).filter("tensor_core")["name"].implode()).fill_null(False)
    eligible = eligible_calls(rank).gather(kernels["operator"]).fill_null(False)
    weights = details.select(
        pl.lit(tensor).alias("tensor"),
        pl.lit(tensor | eligible).alias("eligible"),
        pl.col("blocks_per_sm").is_not_null().alias("detailed"),
        pl.col("blocks_per_sm").fill_null(0.0).clip(0.0, 1.0).alias("filled"),
        pl.col("estimate_pct").is_not_null().alias("estimated"),
        pl.col("estimate_pct").fill_null(0.0).clip(0.0, 100.0).alias("occupancy"),
    )
    found = {name: weights[name].cast(pl.Float64).to_numpy() for name in weights.columns}
    return {"kernels": np.ones(len(kernels)), **found}


def _shares(measured: pl.DataFrame) -> pl.DataFrame:
    """The columns of rows from what was measured, of those that have time; other columns stay."""
    rows = measured.filter(pl.col("time") > 0)
    shares = {column: _percent(part, "time") for column, part in _OF_TIME.items()}
    shares |= {column: _percent(part, "kernels") for column, part in _OF_KERNELS.items()}
    estimated = pl.col("estimated")
    shares["occupancy_pct"] = pl.when(estimated > 0).then(pl.col("occupancy") / estimated)
    unknown = (pl.col("kernels") > 0) & (pl.col("detailed") == 0)
    shares["sm_efficiency_pct"] = pl.when(~unknown).then(shares["sm_efficiency_pct"])
    time = pl.col("time").round(0, mode="half_to_even").cast(pl.Int64)
    return rows.select(pl.col("^row$"), time_ns=time, **shares)


def _percent(part: str, whole: str) -> pl.Expr:
    return pl.when(pl.col(whole) > 0).then(100.0 * pl.col(part) / pl.col(whole))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Over which time the shares are, and what the recording lacks for some of them."""
    found = cut_notes(profile)
    if len(frame) and all(rank.all_steps.source == WHOLE for rank in profile.ranks):
        found.append(Message("note-utilization-no-steps"))
    blocks, estimates = (_most_missing(frame[name]) for name in ("sm_coverage_pct", "occupancy_coverage_pct"))
    if blocks == estimates == _ALL_MISSING_PCT:
        found.append(Message("note-utilization-no-details"))
        return found
    if blocks == _ALL_MISSING_PCT:
        found.append(Message("note-utilization-no-sm"))
    elif blocks > _MENTIONED_PCT:
        found.append(Message("note-utilization-no-blocks", most_pct=blocks))
    if estimates > _MENTIONED_PCT:
        found.append(Message("note-utilization-no-occupancy", most_pct=estimates))
    return found


def _most_missing(coverage: pl.Series) -> float:
    """How much of the kernels' time the worst row lacks something, in per cent."""
    missing = 100.0 - coverage.drop_nulls().to_numpy()
    return float(missing.max()) if len(missing) else 0.0
