"""Memory events of a rank: in order of time, with running totals, operators, and allocation and release paired.

The profiler writes an instant ``[memory]`` for each allocation and release: the bytes (negative for a release), the
address, the device, and what is allocated and reserved in all from then on. An allocation's release is the next event
of its device at the same address. Events of equal times are in the order of the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.host.source import operator_sources, source_at
from stepscope.analyses.needs import NEEDS
from stepscope.numeric.nested import NOBODY
from stepscope.store.further_arguments import further_argument
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

_EVENT = "[memory]"
_DEVICE = ["process", "device_type", "device_index"]
_TOTALS = ["allocated_bytes", "reserved_bytes"]

_CPU = 0
_DEVICE_TYPES = {
    _CPU: "cpu",
    1: "cuda",
    6: "hip",
    9: "xla",
    12: "xpu",
    13: "mps",
    14: "meta",
    15: "hpu",
    18: "ipu",
    19: "mtia",
    20: "privateuseone",
}
"""c10/core/DeviceType.h"""

_ALLOCATORS = ("aten::empty", "aten::new_empty", "aten::resize_", "aten::_resize_output_")
"""How operators begin that do nothing but allocate on behalf of the one that calls them."""


@dataclass(frozen=True)
class MemoryDevice:
    """A device that memory was allocated on.

    Attributes:
        number: value of the column ``device`` of `memory_changes`.
        name: "cuda:0".
        capacity_bytes: its memory, or None where the trace does not say.
        totals: whether the allocator's totals were recorded; else they are counted from the events.
        addresses: whether all events carry an address, so that releases are known.
        before_bytes: what was allocated before the first event.
    """

    number: int
    name: str
    capacity_bytes: int | None
    totals: bool
    addresses: bool
    before_bytes: int


def memory_changes(rank: Rank) -> pl.DataFrame:
    """One row per allocation and release, in order of time.

    Columns: event (its number in the file), process, thread, at_ns, device (number), change_bytes, address,
    allocated_bytes and reserved_bytes from then on, operator (row of table ``operator``; null outside), partner (row
    here of the release of an allocation, and of the allocation of a release), reused (row of the next allocation at
    the same address, where the release between them is missing), selected.
    """
    return _changes(rank)[0]


def memory_devices(rank: Rank) -> list[MemoryDevice]:
    """The devices of `memory_changes`: GPUs by number, then the host."""
    return _changes(rank)[1]


@per_rank
def _changes(rank: Rank) -> tuple[pl.DataFrame, list[MemoryDevice]]:
    columns = ["event", "event_index", "name", *_DEVICE, "thread", "start_ns", "change_bytes", "address", *_TOTALS]
    frame = rank.trace.frame("memory", columns)
    named = rank.trace.codes(lambda text: text == _EVENT)
    frame = frame.filter(
        pl.col("name").is_in(named.implode()) & pl.col("change_bytes").is_not_null() & pl.col("start_ns").is_not_null()
    ).sort("start_ns", "event_index", maintain_order=True)
    frame = _with_named_types(rank.trace, frame)
    host = (pl.col("device_type") == _CPU).fill_null(False)
    numbered = ~host & (pl.col("device_index") >= 0)
    frame = frame.with_columns(pl.when(numbered).then(pl.col("device_index")).alias("device_index"))
    places = frame.select(_DEVICE).unique().sort(host, "device_type", "device_index", "process", nulls_last=True)
    places = places.with_row_index("device")
    frame = frame.join(places, _DEVICE, "left", maintain_order="left", nulls_equal=True)
    recorded = _recorded_totals(frame)
    frame = _with_totals(frame, recorded)
    devices = _devices(rank, frame, places, recorded)
    frame = frame.with_columns(
        _operators(rank, frame),
        *_partners(frame),
        rank.inside(frame["start_ns"]).alias("selected"),
        pl.col("start_ns").alias("at_ns"),
    )
    kept = ["event", *PLACE, "at_ns", "device", "change_bytes", "address", *_TOTALS]
    return frame.select(*kept, "operator", "partner", "reused", "selected"), devices


def _with_named_types(trace: Trace, frame: pl.DataFrame) -> pl.DataFrame:
    """Device types that are written as text, ``"CUDA"``, as their numbers."""
    if frame["device_type"].is_not_null().all():
        return frame
    numbers = {name: number for number, name in _DEVICE_TYPES.items()}
    texts = further_argument(trace, frame["event"], "Device Type").str.to_lowercase()
    types = texts.replace_strict(numbers, default=None, return_dtype=pl.Int64)
    return frame.with_columns(pl.coalesce("device_type", types).alias("device_type"))


def _recorded_totals(frame: pl.DataFrame) -> list[int]:
    """Numbers of the devices whose totals were recorded; some allocators report zero always."""
    found = frame.filter(pl.col("allocated_bytes").is_not_null())
    found = found.group_by("device").agg((pl.col("allocated_bytes") != 0).any() | (pl.col("change_bytes") == 0).all())
    return found.filter("allocated_bytes")["device"].to_list()


def _with_totals(frame: pl.DataFrame, recorded: list[int]) -> pl.DataFrame:
    """Totals where they are missing: the last one known plus the changes since.

    Where none was recorded, counted from the least number of bytes that keeps the total from going below zero.
    """
    change = pl.col("change_bytes").cum_sum().over("device")
    known = pl.when(pl.col("device").is_in(recorded)).then(pl.col("allocated_bytes") - change)
    base = known.forward_fill().over("device")
    least = -pl.min_horizontal(change.min().over("device"), pl.lit(0))
    filled = pl.coalesce(base, base.backward_fill().over("device"), least) + change
    return frame.with_columns(filled.alias("allocated_bytes"))


def _devices(rank: Rank, frame: pl.DataFrame, places: pl.DataFrame, recorded: list[int]) -> list[MemoryDevice]:
    kinds = places.select("device_type", "device_index")
    several = kinds.is_duplicated().to_list()  # one device, several processes in one file
    first = frame.group_by("device", maintain_order=True).agg(
        (pl.col("allocated_bytes") - pl.col("change_bytes")).first().alias("before"),
        pl.col("address").is_not_null().all(),
    )
    facts = {row[0]: row[1:] for row in first.iter_rows()}
    devices = []
    for row, shared in zip(places.iter_rows(named=True), several, strict=True):
        number, before = row["device"], facts[row["device"]]
        process = f" of process {rank.trace.texts[row['process']]}" if shared and row["process"] is not None else ""
        name = device_label(row["device_type"], row["device_index"]) + process
        capacity = capacity_of(rank, row["device_type"], row["device_index"])
        devices.append(MemoryDevice(number, name, capacity, number in recorded, before[1], before[0]))
    return devices


def device_label(kind: int | None, index: int | None) -> str:
    """Name of a device as PyTorch writes it.

    >>> device_label(0, -1), device_label(1, 3), device_label(1, None), device_label(77, 0), device_label(None, 0)
    ('cpu', 'cuda:3', 'cuda', 'type 77:0', 'unknown:0')
    """
    if kind == _CPU:
        return "cpu"
    name = "unknown" if kind is None else _DEVICE_TYPES.get(kind, f"type {kind}")
    return name if index is None or index < 0 else f"{name}:{index}"


def capacity_of(rank: Rank, kind: int | None, index: int | None) -> int | None:
    """Memory of a device that is not the host, from ``deviceProperties``."""
    if kind in (None, _CPU) or index is None:
        return None
    for properties in rank.trace.head.get("deviceProperties", []):
        size = properties.get("totalGlobalMem")
        if properties.get("id") == index and isinstance(size, int) and size > 0:
            return size
    return None


def _operators(rank: Rank, frame: pl.DataFrame) -> pl.Series:
    """Row of the operator that is innermost on each event's thread."""
    rows = innermost_rows(rank, "operator", frame.select(*PLACE, pl.col("start_ns").alias("at")))
    return _rows("operator", rows).cast(pl.UInt32)


def sources(rank: Rank, changes: pl.DataFrame) -> pl.Series:
    """Source line of rows of `memory_changes`: their operator's, else that of their moment; null without stacks."""
    if not NEEDS["stacks"].present(rank):
        return pl.Series("source", [None] * len(changes), dtype=pl.String)
    found = source_at(rank, changes["process"], changes["thread"], changes["at_ns"])
    if changes["operator"].is_not_null().any():
        of_operator = operator_sources(rank).gather(changes["operator"])
        found = of_operator.zip_with(of_operator.is_not_null(), found)
    return found.alias("source")


def allocating_operators(rank: Rank, changes: pl.DataFrame) -> pl.Series:
    """Names of the operators that rows of `memory_changes` belong to, null outside operators.

    ``aten::empty`` and its like say nothing, so the innermost operator around them stands for them, if there is one.
    """
    names = rank.trace.frame("operator", ["name"])["name"]
    rows = changes["operator"]
    if rows.is_not_null().any():
        host = rank.nesting("operator")
        mere = rank.trace.codes(lambda text: pl.any_horizontal(text.str.starts_with(name) for name in _ALLOCATORS))
        mere_rows = rank.trace.marked("operator", mere)
        known = changes.select("operator", "at_ns").filter(rows.is_not_null())
        row, at = known["operator"].cast(pl.Int64).to_numpy(writable=True), known["at_ns"].to_numpy()
        climbing = np.flatnonzero(mere_rows[row])
        while len(climbing):
            parent = host.nesting.parent[row[climbing]]
            climbing, parent = climbing[parent != NOBODY], parent[parent != NOBODY]
            open_then = host.end[parent] > at[climbing]
            climbing, parent = climbing[open_then], parent[open_then]
            row[climbing] = parent
            climbing = climbing[mere_rows[parent]]
        rows = rows.cast(pl.Int64).scatter(rows.is_not_null().arg_true(), row)
    return rank.trace.text(names.gather(rows)).alias("op")


def _partners(frame: pl.DataFrame) -> list[pl.Series]:
    """Row of each event's counterpart, and of the next allocation where the release before it is missing."""
    at_address = frame.select("device", "address", "change_bytes").with_row_index("row")
    at_address = at_address.filter(pl.col("address").is_not_null() & (pl.col("change_bytes") != 0))
    at_address = at_address.sort("device", "address", "row")
    same = (pl.col("device") == pl.col("device").shift(-1)) & (pl.col("address") == pl.col("address").shift(-1))
    following = at_address.with_columns(
        pl.when(same).then(pl.col("row").shift(-1)).alias("next"),
        (pl.col("change_bytes").shift(-1) > 0).alias("next_allocates"),
    ).filter((pl.col("change_bytes") > 0) & pl.col("next").is_not_null())
    pairs = following.filter(~pl.col("next_allocates"))
    reuse = following.filter("next_allocates")
    partner = np.full(len(frame), NOBODY, np.int64)
    allocation, release = pairs["row"].to_numpy(), pairs["next"].to_numpy()
    partner[allocation], partner[release] = release, allocation
    reused = np.full(len(frame), NOBODY, np.int64)
    reused[reuse["row"].to_numpy()] = reuse["next"].to_numpy()
    return [_rows("partner", partner), _rows("reused", reused)]


def _rows(name: str, rows: npt.NDArray[np.int64]) -> pl.Series:
    return pl.Series(name, rows).set(pl.Series(rows == NOBODY), None)
