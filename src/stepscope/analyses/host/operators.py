"""Host and GPU time by operator (see docs/tables/).

Host self is the time in which an operator is its thread's innermost; over a thread it sums to the union of its
operators. Host total of a name is the union of its calls, thread by thread. An activity belongs to the operator that
is innermost where its launch starts (self), and once to each name open around it (total). What was launched outside
operators, or whose launch is not recorded, is the row `schema.UNATTRIBUTED`: self over all rows is all activity.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.gpu.eager import Carried, carried, carried_notes
from stepscope.analyses.gpu.eager_operators import carried_rows
from stepscope.analyses.gpu.kernel_names import uses_tensor_cores
from stepscope.analyses.gpu.tensor_cores import eligible_calls, eligible_groups, eligible_of_all, of_other_makers
from stepscope.analyses.host.operator_groups import grouping
from stepscope.analyses.host.source import operator_sources
from stepscope.analyses.roofline.models.modelled import matrix_calls
from stepscope.analyses.steps.totals import sum_by
from stepscope.messages import Message
from stepscope.numeric.nested import NOBODY, at
from stepscope.numeric.nesting import credit_upwards, union_by_key
from stepscope.schema import KERNEL, TABLES, UNATTRIBUTED
from stepscope.store.autograd import backward_pass
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

_SUMS = [
    "calls",
    "host_total_ns",
    "host_self_ns",
    "device_total_ns",
    "device_self_ns",
    "backward_host_ns",
    "backward_device_ns",
    "tensor_ns",
    "tensor_self_ns",
    "eligible_ns",
    "flops",
]
_LACKS = {
    "stack": Message("note-operators-no-stack", option="with_stack=True"),
    "module": Message("note-operators-no-module", option="with_stack=True"),
    "source": Message("note-operators-no-source", option="with_stack=True"),
    "shape": Message("note-operators-no-shape", option="record_shapes=True"),
    "dtype": Message("note-operators-no-dtype", option="record_shapes=True"),
}
_NO_BACKWARD: dict[str, Callable[[float], Message]] = {
    "recompute": lambda share: Message("note-backward-recompute", share_pct=share),
    "hook": lambda share: Message("note-backward-hook", share_pct=share),
    "communication": lambda share: Message("note-backward-communication", share_pct=share),
    "unknown": lambda share: Message("note-backward-unknown", share_pct=share),
}
"""What host time of the backward pass is that belongs to no operator's backward."""


def operators(profile: Profile, by: str = "", source: bool = False) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``operators``, most GPU time first, then most host time.

    Args:
        by: "" for one row per name; ``shape``, ``dtype``, ``stack`` or ``module`` for one per name and that, in a
            column of that name. A total then counts once per row, so it does not add up over the rows of a name.
        source: add a column ``source``, the line of the user's code with most of the row's GPU time, then host time.
    """
    keys = ["name", *([by] if by else [])]
    each = [_of_rank(rank, by, keys, carried(profile, rank), source) for rank in profile.ranks]
    rows = pl.concat([rows for rows, _ in each], how="vertical_relaxed")
    # A sum of nothing but nulls is null, not zero: without a model there is no number.
    sums = [pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name) for name in _SUMS]
    rows = rows.group_by(keys, maintain_order=True).agg(*sums, eligible_of_all("tensor_core_eligible"))
    whole = int(rows["device_self_ns"].sum())
    if profile.ranks and all(of_other_makers(rank) for rank in profile.ranks):
        rows = rows.with_columns(pl.lit(None, pl.Int64).alias(name) for name in ("tensor_ns", "tensor_self_ns"))
    rows = rows.with_columns(
        (100.0 * pl.col("device_self_ns") / (whole or None)).alias("device_share_pct"),
        pl.when(pl.col("device_total_ns") > 0)
        .then(100.0 * pl.col("tensor_ns") / pl.col("device_total_ns"))
        .alias("tensor_core_pct"),
        pl.when(pl.col("device_self_ns") > 0)
        .then(100.0 * pl.col("tensor_self_ns") / pl.col("device_self_ns"))
        .alias("tensor_core_self_pct"),
        pl.when(pl.col("device_total_ns") > 0)
        .then(pl.col("tensor_core_eligible") | (pl.col("eligible_ns") > 0))
        .alias("tensor_core_eligible"),
    )
    if source:
        rows = rows.join(_heaviest_sources([times for _, times in each], keys), keys, "left", nulls_equal=True)
    schema = TABLES["operators"].schema
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return rows.select(columns[0], *keys[1:], *(["source"] if source else []), *columns[1:]).sort(
        "device_self_ns", "host_self_ns", *keys, descending=[True, True] + [False] * len(keys)
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of the GPU time no operator launched, and how much of the backward pass is no operator's backward."""
    found = carried_notes(profile)
    whole = int(frame["device_self_ns"].sum())
    lost = int(frame.filter(pl.col("name") == UNATTRIBUTED)["device_self_ns"].sum())
    if lost:
        found.append(Message("note-operators-outside", outside_pct=100 * lost / whole))
    parts: dict[str, int] = {}
    for rank in profile.ranks:
        for part, time in _backward_parts(rank).items():
            parts[part] = parts.get(part, 0) + time
    whole = sum(parts.values())
    named = [_NO_BACKWARD[part](100 * time / whole) for part, time in parts.items() if part and time]
    if named:
        found.append(Message("note-operators-backward", parts=named))
    unknown = [name for name in _LACKS if name in frame.columns and len(frame) > frame[name].count() == 0]
    return found + [_LACKS[name] for name in unknown]


def _of_rank(
    rank: Rank, by: str, keys: list[str], over: Carried | None, source: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of one rank, and what `_times_by_source` says of it, if that is asked for."""
    selected = rank.selected_rows("operator")
    groups, key = grouping(rank, by).number(selected)
    rows = _rank_operators(rank, keys, groups, key, over)
    if over is not None:
        rows = pl.concat([rows, carried_rows(rank, over, by, keys)], how="diagonal")
    rows = pl.concat([rows, _unattributed(rank, rows)], how="diagonal")
    return rows, _times_by_source(rank, keys, groups, key) if source else pl.DataFrame()


def _rank_operators(
    rank: Rank, keys: list[str], groups: pl.DataFrame, key: npt.NDArray[np.int64], over: Carried | None
) -> pl.DataFrame:
    """The rows of the groups, ``key`` the group of each row of the table ``operator``."""
    count = len(groups)
    host = rank.nesting("operator")
    selected = key >= 0
    order, mine = host.nesting.order[np.flatnonzero(selected[host.nesting.order])], np.flatnonzero(selected)
    own = key[mine]
    columns = {
        "calls": np.bincount(own, minlength=count).astype(np.int64),
        "host_total_ns": union_by_key(order, host.thread, host.start, host.end, key, count),
        "host_self_ns": sum_by(own, host.nesting.self_ns[mine], count),
        **_device_columns(rank, key, count, over),
        **_backward_columns(rank, key, count),
    }
    return groups.select(keys).with_columns(
        *(pl.Series(name, values) for name, values in columns.items()),
        _flops(rank, key, count),
        eligible_groups(rank, key, count),
    )


def _backward_columns(rank: Rank, key: npt.NDArray[np.int64], count: int) -> dict[str, npt.NDArray[np.int64]]:
    """Host and GPU time of the backward functions of each group's calls, callees' included.

    A forward pass that such a function runs again is the backward of no operator, nor is a hook before it.
    """
    host = rank.nesting("operator")
    backward = backward_pass(rank)
    forward = np.where(backward.recomputed | backward.hook, NOBODY, backward.forward).astype(np.int64)

    # In whole microseconds an operator may take no time; it counts at its start all the same.
    open_until = np.maximum(host.end, host.start + 1)

    def credited(row: npt.NDArray[np.int64], amount: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        known = row >= 0
        row, amount = row[known], amount[known]
        return credit_upwards(host.nesting.parent, open_until, key, count, row, host.start[row], amount)

    activity = _attributed(rank)
    return {
        "backward_host_ns": credited(forward, np.where(rank.selected_rows("operator"), host.nesting.self_ns, 0)),
        "backward_device_ns": credited(
            forward[activity["operator"].cast(pl.Int64).to_numpy()], activity["duration_ns"].to_numpy()
        ),
    }


@per_rank
def _backward_parts(rank: Rank) -> dict[str, int]:
    """Host time of the selected backward pass, in ns, by why it is no operator's backward; "" for what is one's."""
    backward = backward_pass(rank)
    inside = np.flatnonzero((backward.function >= 0) & rank.selected_rows("operator"))
    known = backward.forward[inside] >= 0
    communication = ~known & (at(backward.forward, backward.function[inside].astype(np.int64)) >= 0)
    cases = {
        "recompute": backward.recomputed[inside],
        "hook": backward.hook[inside],
        "communication": communication,
        "unknown": ~known,
        "": known,
    }
    first = np.select(list(cases.values()), range(len(cases)))
    sums = sum_by(first, rank.nesting("operator").nesting.self_ns[inside], len(cases))
    return {case: int(total) for case, total in zip(cases, sums, strict=True)}


def _heaviest_sources(times: list[pl.DataFrame], keys: list[str]) -> pl.DataFrame:
    """The source with most GPU time of each group, of equals the one with most host time: columns of keys, source.

    Args:
        times: of each rank, as of `_times_by_source`.

    None for groups most of whose time has no known source: a line with a small part of it would mislead.
    """
    found = pl.concat(times, how="vertical_relaxed")
    found = found.group_by(*keys, "source").agg(pl.col("device_ns", "host_ns").sum())
    on_gpu = pl.col("device_ns").sum().over(keys) > 0
    time = pl.when(on_gpu).then("device_ns").otherwise("host_ns")
    known = time * pl.col("source").is_not_null()
    mostly_known = 2 * known.sum().over(keys) >= time.sum().over(keys)
    found = found.filter(mostly_known).filter(pl.col("source").is_not_null())
    found = found.sort("device_ns", "host_ns", "source", descending=[True, True, False])
    return found.unique(keys, keep="first", maintain_order=True).select(*keys, "source")


def _times_by_source(rank: Rank, keys: list[str], groups: pl.DataFrame, key: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Time inside the selected calls of each group and source: columns of keys, source, device_ns, host_ns.

    Without rows where no operator has a source: all of them would be left out.
    """
    source = operator_sources(rank)
    if source.null_count() == len(source):
        time = pl.lit(0, pl.Int64)
        return groups.select(*keys, source=pl.lit(None, pl.String), device_ns=time, host_ns=time).clear()
    host = rank.nesting("operator")
    count = len(host.start)
    activity = _attributed(rank)
    row = activity["operator"].cast(pl.Int64).to_numpy()
    inside = (host.nesting.parent, host.end, np.arange(count), count, row, activity["launch_start_ns"].to_numpy())
    calls = pl.DataFrame(
        {
            "group": key,
            "source": source,
            "device_ns": credit_upwards(*inside, activity["duration_ns"].to_numpy()),
            "host_ns": host.end - host.start,
        }
    )
    summed = calls.filter(pl.col("group") >= 0).group_by("group", "source").agg(pl.col("device_ns", "host_ns").sum())
    groups = groups.with_columns(pl.col("group").cast(pl.Int64))
    return summed.join(groups, "group").select(*keys, "source", "device_ns", "host_ns")


def _device_columns(
    rank: Rank, key: npt.NDArray[np.int64], count: int, over: Carried | None
) -> dict[str, npt.NDArray[np.int64]]:
    """GPU time of each group: total, self, both in tensor-core kernels, and that of what could run on tensor cores.

    What is carried over is self elsewhere.
    """
    host = rank.nesting("operator")
    activity = _attributed(rank)
    row = activity["operator"].cast(pl.Int64).to_numpy()
    at = activity["launch_start_ns"].to_numpy()
    duration = activity["duration_ns"].to_numpy()
    names = rank.trace.texts
    distinct = activity.filter(pl.col("activity") == KERNEL)["name"].unique().drop_nulls()
    tensor = [code for code in distinct if uses_tensor_cores(names[code])]
    is_tensor = activity["name"].is_in(tensor).fill_null(False).to_numpy() & (activity["activity"] == KERNEL).to_numpy()
    could = is_tensor | eligible_calls(rank).gather(activity["operator"]).fill_null(False).to_numpy()
    owner = key[row]
    own = owner >= 0
    if over is not None:
        own &= ~activity["row"].is_in(over.matched["row"].implode()).to_numpy()
    parent, end = host.nesting.parent, host.end
    return {
        "device_total_ns": credit_upwards(parent, end, key, count, row, at, duration),
        "device_self_ns": sum_by(owner[own], duration[own], count),
        "tensor_ns": credit_upwards(parent, end, key, count, row, at, np.where(is_tensor, duration, 0)),
        "eligible_ns": credit_upwards(parent, end, key, count, row, at, np.where(could, duration, 0)),
        "tensor_self_ns": sum_by(owner[own], np.where(is_tensor, duration, 0)[own], count),
    }


def _attributed(rank: Rank) -> pl.DataFrame:
    """Selected activity that an operator launched."""
    columns = ["row", "operator", "activity", "name", "launch_start_ns", "duration_ns"]
    return rank.activity.select(columns).filter(pl.col("operator").is_not_null())


def _flops(rank: Rank, key: npt.NDArray[np.int64], count: int) -> pl.Series:
    """Modelled FLOPs of each group, calls inside it included; null where nothing in it has a model."""
    calls = matrix_calls(rank)
    calls = calls.filter(pl.Series(key[calls["row"].to_numpy()] >= 0))
    host = rank.nesting("operator")
    row = calls["row"].to_numpy()
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
