"""Memory allocated and released by operator (see docs/tables/).

An event belongs to the operator that is innermost on its thread at its moment (self), and once to each name open
around it (total). Events outside operators are the row `schema.UNATTRIBUTED` of their device: the self columns of all
rows of a device sum to all its events, and their increase to what its total grew by.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.allocations import MemoryDevice, memory_changes, memory_devices
from stepscope.numeric.nesting import credit_upwards
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.profile import Profile, Rank

Ints = npt.NDArray[np.int64]

_SUMS = [name for name, dtype in TABLES["memory"].schema.items() if dtype == pl.Int64]


def memory(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory``, most self_allocated_bytes first."""
    schema = TABLES["memory"].schema
    frames = [frame for rank in profile.ranks for frame in _rank_memory(rank)]
    rows = pl.concat([pl.DataFrame(schema=schema), *frames])
    rows = rows.group_by("name", "device", maintain_order=True).agg(pl.col(_SUMS).sum())
    order = ["self_allocated_bytes", "allocated_bytes", "self_increase_bytes", "name", "device"]
    return rows.select(*schema).sort(*order, descending=[True, True, True, False, False])


def notes(profile: Profile, frame: pl.DataFrame) -> list[str]:
    """How much no operator allocated or released."""
    rest = frame.filter(pl.col("name") == UNATTRIBUTED)
    allocated, whole = int(rest["self_allocated_bytes"].sum()), int(frame["self_allocated_bytes"].sum())
    if allocated == 0:
        return []
    share = 100 * allocated / max(whole, 1)
    text = f"{share:.1f}" if share >= 0.05 else "less than 0.1"
    return [f"{text} % of the bytes were allocated outside operators: by Python code, or on a thread without operators"]


def _rank_memory(rank: Rank) -> list[pl.DataFrame]:
    """A frame for each device."""
    names = rank.trace.frame("operator", ["name"])["name"]
    groups = names.unique(maintain_order=True)
    number = pl.Series(range(len(groups)), dtype=pl.Int64)
    key = (
        names.replace_strict(groups, number, return_dtype=pl.Int64).to_numpy() if len(names) else np.empty(0, np.int64)
    )
    texts = rank.trace.text(groups)
    frames = []
    for device in memory_devices(rank):
        changes = memory_changes(rank).filter((pl.col("device") == device.number) & pl.col("selected"))
        rows = pl.DataFrame({"name": texts, **_columns(rank, changes, key, len(groups))})
        rows = rows.filter(pl.any_horizontal(pl.col(_SUMS) != 0))
        frames.append(_with_rest(rows, changes, device))
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


def _with_rest(rows: pl.DataFrame, changes: pl.DataFrame, device: MemoryDevice) -> pl.DataFrame:
    """The rows of a device, and that of the events outside operators if there are any."""
    change = changes.filter(pl.col("operator").is_null())["change_bytes"]
    if (change != 0).any():
        sums = {
            "allocations": int((change > 0).sum()),
            "allocated_bytes": int(change.filter(change > 0).sum()),
            "increase_bytes": int(change.sum()),
        }
        rest = {"name": UNATTRIBUTED, **sums, **{f"self_{name}": value for name, value in sums.items()}}
        rows = pl.concat([rows, pl.DataFrame(rest, schema_overrides=rows.schema)], how="diagonal")
    return rows.with_columns(pl.lit(device.name).alias("device")).select(*TABLES["memory"].schema)
