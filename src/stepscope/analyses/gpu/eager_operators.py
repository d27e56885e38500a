"""GPU time that CUDA graphs replay, by the operators of an eager recording."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.gpu.eager import Carried
from stepscope.analyses.gpu.kernel_names import name_traits
from stepscope.analyses.gpu.tensor_cores import eligible_groups
from stepscope.analyses.host.operator_groups import grouping
from stepscope.numeric.nesting import credit_upwards
from stepscope.store.profile import Rank


def carried_rows(rank: Rank, over: Carried, by: str, keys: list[str]) -> pl.DataFrame:
    """Rows of ``operators`` for what was carried over to a rank: no calls and no host time, those were elsewhere.

    Args:
        by, keys: grouping, and the columns that tell rows apart, as in `analyses.host.operators.operators`.
    """
    eager, matched = over.rank, over.matched
    whole = np.ones(eager.trace.rows("operator"), np.bool_)
    groups, key = grouping(eager, by).number(whole)
    count = len(groups)
    host = eager.nesting("operator")
    row = matched["operator"].cast(pl.Int64).to_numpy()
    inside = (host.nesting.parent, host.end, key, count, row, matched["launch_start_ns"].to_numpy())
    duration = matched["duration_ns"].to_numpy()
    tensor = name_traits(rank).filter("tensor_core")["name"].implode()
    names = rank.trace.frame("activity", ["name"])["name"].gather(matched["row"])
    on_tensor_cores = np.where(names.is_in(tensor).fill_null(False).to_numpy(), duration, 0)
    columns = {
        "calls": np.zeros(count, np.int64),
        "host_total_ns": np.zeros(count, np.int64),
        "host_self_ns": np.zeros(count, np.int64),
        "device_total_ns": credit_upwards(*inside, duration),
        "device_self_ns": np.bincount(key[row], duration, count).astype(np.int64),
        "tensor_ns": credit_upwards(*inside, on_tensor_cores),
        "tensor_self_ns": np.bincount(key[row], on_tensor_cores, count).astype(np.int64),
    }
    rows = groups.select(keys).with_columns(
        *(pl.Series(name, values) for name, values in columns.items()), eligible_groups(eager, key, count)
    )
    return rows.filter(pl.col("device_total_ns") > 0)
