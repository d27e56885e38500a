"""The estimates against those of torch-tb-profiler on public recordings.

It counts communication kernels as work, leaves copies out and takes other time: the host's steps, extended to their
last kernel. With its choices, our way of summing gives its numbers.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import stepscope
from stepscope.analyses.memory.step_functions import Levels
from stepscope.schema import KERNEL

pytestmark = pytest.mark.real_trace


@pytest.mark.parametrize(
    ("trace", "reference"),
    [
        ("hta/a100-2rank-nccl_metadata-rank0", "a100-2rank-nccl_metadata-rank0"),
        ("hta/a100-8rank-old_schema-rank3", "a100-8rank-old_schema-rank3"),
        ("hta/two_rank/sampled-128world-rank0", "two_rank"),
        ("tracelens/b200__eager_trace", "b200-eager"),
    ],
)
def test_estimates_with_the_plugins_choices_are_the_plugins(shared_data: Path, trace: str, reference: str) -> None:
    path = shared_data / "reference" / "tb-reference" / f"{reference}.patched.json"
    wanted = next(iter(json.loads(path.read_text())["results"].values()))
    [gpu] = wanted["gpu"].values()
    [rank] = stepscope.open(str(shared_data / "public" / f"{trace}.json.gz")).profile.ranks
    kernels = rank.activity.filter(pl.col("activity") == KERNEL)
    details = rank.trace.frame("activity", ["blocks_per_sm", "occupancy_pct"])[kernels["row"]]
    levels = Levels(kernels["start_ns"].to_numpy(), kernels["end_ns"].to_numpy())
    time = np.array([1000 * sum(step["Total"] for step in wanted["steps_costs_us"])])
    first = rank.steps["start_ns"].to_numpy()[:1]
    [busy] = levels.over(np.ones(len(kernels)), first, first + time, cap=1.0) / time
    [filled] = levels.over(details["blocks_per_sm"].to_numpy(), first, first + time, cap=1.0) / time
    occupancy = (details["occupancy_pct"] * kernels["duration_ns"]).sum() / kernels["duration_ns"].sum()
    assert busy == pytest.approx(gpu["utilization"], rel=0.01)
    assert filled == pytest.approx(gpu["est_sm_efficiency"], rel=0.01)
    assert occupancy == pytest.approx(gpu["est_achieved_occupancy_pct"], rel=1e-4)
