"""Memory allocated and released by operator (see docs/tables/).

An event belongs to the operator that is innermost on its thread at its moment (self), and once to each name open
around it (total). Events outside operators are the row `schema.UNATTRIBUTED` of their device: the self columns of all
rows of a device sum to all its events, and their increase to what its total grew by.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.source import operator_sources
from stepscope.analyses.memory.allocations import memory_changes, memory_devices, sources
from stepscope.messages import Message
from stepscope.numeric.nesting import credit_upwards
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.profile import Profile, Rank

Ints = npt.NDArray[np.int64]

_SUMS = [name for name, dtype in TABLES["memory"].schema.items() if dtype == pl.Int64]


def memory(profile: Profile, source: bool = False) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory``, most self_allocated_bytes first.

    Args:
        source: one row per name and source line. An operator's total then counts once per row.
    """
    schema = dict(TABLES["memory"].schema)
    if source:
        schema = {"name": pl.String, "source": pl.String} | schema
    frames = [frame.select(*schema) for rank in profile.ranks for frame in _rank_memory(rank, source)]
    rows = pl.concat([pl.DataFrame(schema=schema), *frames])
    keys = [name for name in schema if name not in _SUMS]
    rows = rows.group_by(keys, maintain_order=True).agg(pl.col(_SUMS).sum())
    order = ["self_allocated_bytes", "allocated_bytes", "self_increase_bytes"]
    return rows.select(*schema).sort(*order, *keys, descending=[True] * 3 + [False] * len(keys))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much no operator allocated or released."""
    rest = frame.filter(pl.col("name") == UNATTRIBUTED)
    allocated, whole = int(rest["self_allocated_bytes"].sum()), int(frame["self_allocated_bytes"].sum())
    if allocated == 0:
        return []
    return [Message("note-memory-outside", outside_pct=100 * allocated / max(whole, 1))]


def _rank_memory(rank: Rank, source: bool) -> list[pl.DataFrame]:
    """A frame for each device."""
    operators = rank.trace.frame("operator", ["name"])
    if source:
        operators = operators.with_columns(operator_sources(rank))
    groups = operators.unique(maintain_order=True).with_row_index("group")
    joined = operators.join(groups, operators.columns, "left", maintain_order="left", nulls_equal=True)
    key = joined["group"].cast(pl.Int64).to_numpy()
    labels = groups.drop("group").with_columns(rank.trace.text(groups["name"]))
    frames: list[pl.DataFrame] = []
    for device in memory_devices(rank):
        changes = memory_changes(rank).filter((pl.col("device") == device.number) & pl.col("selected"))
        columns = _columns(rank, changes, key, len(groups))
        rows = labels.with_columns(pl.Series(name, values) for name, values in columns.items())
        rows = rows.filter(pl.any_horizontal(pl.col(_SUMS) != 0))
        parts = [part for part in (rows, _rest(rank, changes, source)) if len(part)]
        frames.extend(part.with_columns(pl.lit(device.name).alias("device")) for part in parts)
    return frames


def _columns(rank: Rank, changes: pl.DataFrame, key: Ints, count: int) -> dict[str, Ints]:
    """Totals and selfs of each group of operators."""
    inside = changes.filter(pl.col("operator").is_not_null())
    row = inside["operator"].cast(pl.Int64).to_numpy()
    at = inside["at_ns"].to_numpy()
    change = inside["change_bytes"].to_numpy()
    amounts = {"allocations": (change > 0).astype(np.int64), "allocated_bytes": np.maximum(change, 0)}
    amounts["increase_bytes"] = change
    columns: dict[str, Ints] = {}
    host = rank.nesting("operator") if len(key) else None
    for name, amount in amounts.items():
        alone = np.zeros(count, np.int64)
        np.add.at(alone, key[row], amount)
        around = alone
        if host is not None:
            around = credit_upwards(host.nesting.parent, host.end, key, count, row, at, amount)
        columns |= {name: around, f"self_{name}": alone}
    return columns


def _rest(rank: Rank, changes: pl.DataFrame, source: bool) -> pl.DataFrame:
    """The events outside operators: one row, or one per source line."""
    change = pl.col("change_bytes")
    outside = changes.filter(pl.col("operator").is_null() & (change != 0))
    keys = ["name", *(["source"] if source else [])]
    if source:
        outside = outside.with_columns(sources(rank, outside))
    sums = {
        "allocations": (change > 0).sum().cast(pl.Int64),
        "allocated_bytes": change.filter(change > 0).sum(),
        "increase_bytes": change.sum(),
    }
    both = [value.alias(f"{own}{name}") for own in ("", "self_") for name, value in sums.items()]
    return outside.with_columns(pl.lit(UNATTRIBUTED).alias("name")).group_by(keys, maintain_order=True).agg(both)
