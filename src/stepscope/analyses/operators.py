"""Host and GPU time by operator (see docs/tables/).

Host self is the time in which an operator is its thread's innermost; over a thread it sums to the union of its
operators. Host total of a name is the union of its calls, thread by thread. An activity belongs to the operator that
is innermost where its launch starts (self), and once to each name open around it (total). What was launched outside
operators, or whose launch is not recorded, is the row `schema.UNATTRIBUTED`: self over all rows is all activity.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.flops import call_flops, modelled_operators
from stepscope.analyses.kernel_names import uses_tensor_cores
from stepscope.numeric.nesting import NOBODY, credit_upwards, union_by_key
from stepscope.schema import KERNEL, TABLES, UNATTRIBUTED
from stepscope.store.profile import Profile, Rank

_BY = {"": [], "shape": ["input_dims"], "dtype": ["input_types"], "stack": ["call_stack"]}
_SUMS = ["calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns", "tensor_ns", "flops"]


def operators(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``operators``, most GPU time first, then most host time.

    Args:
        by: "" for one row per name; ``shape``, ``dtype`` or ``stack`` for one per name and that, in a column of
            that name. A total then counts once per row, so it does not add up over the rows of a name.
    """
    keys = ["name", *_BY[by]]
    rows = pl.concat([_rank_operators(rank, keys) for rank in profile.ranks], how="vertical_relaxed")
    # A sum of nothing but nulls is null, not zero: without a model there is no number.
    sums = [pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name) for name in _SUMS]
    rows = rows.group_by(keys, maintain_order=True).agg(sums)
    rows = rows.with_columns(
        pl.when(pl.col("device_total_ns") > 0)
        .then(100.0 * pl.col("tensor_ns") / pl.col("device_total_ns"))
        .alias("tensor_core_pct")
    )
    schema = TABLES["operators"].schema
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    extra = [pl.col(column).alias(by) for column in _BY[by]]
    return rows.select(columns[0], *extra, *columns[1:]).sort(
        "device_self_ns",
        "host_self_ns",
        "name",
        *([by] if by else []),
        descending=[True, True, False] + [False] * bool(by),
    )


def _rank_operators(rank: Rank, keys: list[str]) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("operator", list(dict.fromkeys([*keys, "name", "input_dims", "concrete_inputs"])))
    selected = rank.selected_rows("operator")
    groups = frame.filter(pl.Series(selected)).select(keys).unique(maintain_order=True).with_row_index("group")
    group = frame.select(keys).join(groups, keys, "left", maintain_order="left", nulls_equal=True)["group"]
    key = np.where(selected, group.cast(pl.Int64).fill_null(NOBODY).to_numpy(), NOBODY)
    count = len(groups)
    host = rank.nesting("operator")
    order = host.nesting.order[selected[host.nesting.order]]
    mine = key >= 0
    columns = {
        "calls": np.bincount(key[mine], minlength=count).astype(np.int64),
        "host_total_ns": union_by_key(order, host.thread, host.start, host.end, key, count),
        "host_self_ns": _sum_by(key[mine], host.nesting.self_ns[mine], count),
        **_device_columns(rank, key, count),
    }
    rows = groups.select(trace.text(groups[name]) for name in keys).with_columns(
        *(pl.Series(name, values) for name, values in columns.items()), _flops(rank, frame, key, count)
    )
    return pl.concat([rows, _unattributed(rank, rows)], how="diagonal")


def _device_columns(rank: Rank, key: npt.NDArray[np.int64], count: int) -> dict[str, npt.NDArray[np.int64]]:
    """GPU time of each group: total, self, and total in tensor-core kernels."""
    host = rank.nesting("operator")
    activity = rank.activity.filter(pl.col("operator").is_not_null())
    row = activity["operator"].cast(pl.Int64).to_numpy()
    at = activity["launch_start_ns"].to_numpy()
    duration = activity["duration_ns"].to_numpy()
    names = rank.trace.texts
    distinct = activity.filter(pl.col("activity") == KERNEL)["name"].unique().drop_nulls()
    tensor = [code for code in distinct if uses_tensor_cores(names[code])]
    is_tensor = activity["name"].is_in(tensor).fill_null(False).to_numpy() & (activity["activity"] == KERNEL).to_numpy()
    owner = key[row]
    own = owner >= 0
    parent, end = host.nesting.parent, host.end
    return {
        "device_total_ns": credit_upwards(parent, end, key, count, row, at, duration),
        "device_self_ns": _sum_by(owner[own], duration[own], count),
        "tensor_ns": credit_upwards(parent, end, key, count, row, at, np.where(is_tensor, duration, 0)),
    }


def _sum_by(key: npt.NDArray[np.int64], amount: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    total = np.zeros(count, np.int64)
    np.add.at(total, key, amount)
    return total


def _flops(rank: Rank, frame: pl.DataFrame, key: npt.NDArray[np.int64], count: int) -> pl.Series:
    """Modelled FLOPs of each group, calls inside it included; null where nothing in it has a model."""
    trace = rank.trace
    calls = frame.select("name", "input_dims", "concrete_inputs").with_row_index("row")
    names = trace.codes(lambda text: text.is_in(modelled_operators()))
    calls = calls.filter(pl.Series(key >= 0) & pl.col("name").is_in(names.implode()))
    shapes = calls.select("name", "input_dims", "concrete_inputs").unique()
    texts = [trace.text(shapes[name]).to_list() for name in shapes.columns]
    each = [call_flops(name, dims, concrete) for name, dims, concrete in zip(*texts, strict=True)]
    shapes = shapes.with_columns(pl.Series("flops", each, dtype=pl.Int64))
    calls = calls.join(shapes, ["name", "input_dims", "concrete_inputs"], "left", nulls_equal=True)
    calls = calls.filter(pl.col("flops").is_not_null())
    host = rank.nesting("operator")
    row = calls["row"].cast(pl.Int64).to_numpy()
    upwards = (host.nesting.parent, host.end, key, count, row, host.start[row])
    total = credit_upwards(*upwards, calls["flops"].to_numpy())
    models = credit_upwards(*upwards, np.ones(len(row), np.int64))
    return pl.Series("flops", total).set(pl.Series(models == 0), None)


def _unattributed(rank: Rank, rows: pl.DataFrame) -> pl.DataFrame:
    """The row of activity that no operator launched, if there is any."""
    whole = int(rank.activity["duration_ns"].sum())
    rest = whole - int(rows["device_self_ns"].sum())
    if rest == 0:
        return rows.clear()
    return pl.DataFrame(
        {
            "name": [UNATTRIBUTED],
            "calls": [0],
            "host_total_ns": [0],
            "host_self_ns": [0],
            "device_total_ns": [rest],
            "device_self_ns": [rest],
        }
    ).cast(
        {
            name: rows.schema[name]
            for name in ("calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns")
        }
    )
