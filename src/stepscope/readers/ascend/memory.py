"""``memory_record.csv``, ``npu_module_mem.csv``, ``operator_memory.csv``: totals of each allocator and module of CANN
over time, and what operators allocated.

PTA is the allocator of torch_npu, GE that of CANN's graphs; APP is what the driver counts for the process. Sizes are in
KB of 1024 bytes and in MB of 1024 KB, as fractions that give whole bytes.
"""

from __future__ import annotations

import polars as pl

from stepscope.readers.ascend.cells import first_of, length_ns, start_ns, table_of
from stepscope.readers.ascend.database import AscendDatabase

Rows = tuple[pl.DataFrame, int]
"""A frame, and how many lines are none of it."""

ALLOCATORS = ("PTA", "GE", "PTA+GE", "APP", "WORKSPACE")
"""Components of ``memory_record.csv``; modules of CANN may have the name of one."""

_UNITS = {"MB": float(1 << 20), "KB": float(1 << 10)}
_TOTALS = {"allocated_bytes": "Total Allocated", "reserved_bytes": "Total Reserved", "active_bytes": "Total Active"}


def totals(text: str) -> Rows:
    """``memory_record.csv``: columns of the stored table ``npu_memory``."""
    table = table_of(text)
    frame = pl.DataFrame(
        [
            first_of(table, "Component").alias("component"),
            first_of(table, "Device Type", "Device").alias("device"),
            start_ns(first_of(table, "Timestamp(us)")).alias("start_ns"),
            *(_bytes(table, header).alias(name) for name, header in _TOTALS.items()),
        ]
    )
    return _sound_totals(frame)


def modules(text: str) -> Rows:
    """``npu_module_mem.csv``: rows of the same table, of modules of CANN as HCCL and RUNTIME."""
    table = table_of(text)
    frame = pl.DataFrame(
        [
            first_of(table, "Component").alias("component"),
            first_of(table, "Device").alias("device"),
            start_ns(first_of(table, "Timestamp(us)")).alias("start_ns"),
            _bytes(table, "Total Reserved").alias("reserved_bytes"),
        ]
    )
    unit = next((unit for unit in _UNITS if f"Total Reserved({unit})" in table.columns), "MB")
    size = first_of(table, f"Total Reserved({unit})").cast(pl.Float64, strict=False)
    return _of_modules(frame, int((size < 0).sum()))


def modules_of(base: AscendDatabase) -> Rows:
    """Table NPU_MODULE_MEM of a database; names as texts."""
    table = base.numbers("NPU_MODULE_MEM", "moduleId", "deviceId", "timestampNs", "totalReserved")
    names = base.enumeration("ENUM_MODULE")
    frame = pl.DataFrame(
        [
            table["moduleId"].replace_strict(names, default=None, return_dtype=pl.String).alias("component"),
            _device(table["deviceId"]),
            table["timestampNs"].alias("start_ns"),
            _from_0(table["totalReserved"]).alias("reserved_bytes"),
        ]
    )
    return _of_modules(frame, int((table["totalReserved"] < 0).sum()))


def _of_modules(frame: pl.DataFrame, released: int) -> Rows:
    """Totals of modules; one that has the name of an allocator says that it is none.

    Args:
        released: rows without a size, as only releases of a module were seen.
    """
    component = pl.col("component")
    named = pl.when(component.is_in(ALLOCATORS)).then(pl.format("{} (module)", component)).otherwise(component)
    nothing = pl.lit(None, pl.Int64)
    rows, odd = _sound_totals(
        frame.select(
            named.alias("component"), "device", "start_ns", nothing.alias("allocated_bytes"), "reserved_bytes"
        ).with_columns(nothing.alias("active_bytes"))
    )
    return rows, max(0, odd - released)


def allocations(text: str) -> Rows:
    """``operator_memory.csv``: columns of the stored table ``npu_allocation``.

    A release of what was allocated before the recording has a negative size, and says nothing of what was held.
    """
    table = table_of(text)
    released = [start_ns(first_of(table, name)) for name in ("Release Time(us)", "Active Release Time(us)")]
    size = first_of(table, "Size(KB)").cast(pl.Float64, strict=False)
    frame = pl.DataFrame(
        [
            first_of(table, "Name").alias("name"),
            first_of(table, "Device Type", "Device").alias("device"),
            start_ns(first_of(table, "Allocation Time(us)")).alias("start_ns"),
            released[0].zip_with(released[0].is_not_null(), released[1]).alias("release_ns"),
            length_ns(first_of(table, "Size(KB)"), _UNITS["KB"]).alias("bytes"),
            _bytes(table, "Allocation Total Allocated").alias("allocated_bytes"),
        ]
    )
    earlier = (size < 0).fill_null(False) & frame["start_ns"].is_not_null()
    sound = frame.filter(pl.col("start_ns").is_not_null() & pl.col("bytes").is_not_null())
    return sound, len(frame) - len(sound) - int(earlier.sum())


def totals_of(base: AscendDatabase) -> Rows:
    """Table MEMORY_RECORD of a database; texts as codes, but for devices."""
    columns = {"allocated_bytes": "totalAllocated", "reserved_bytes": "totalReserved", "active_bytes": "totalActive"}
    table = base.numbers("MEMORY_RECORD", "component", "deviceId", "timestamp", *columns.values())
    frame = pl.DataFrame(
        [
            base.coded(table["component"]),
            _device(table["deviceId"]),
            table["timestamp"].alias("start_ns"),
            *(_from_0(table[stored]).alias(name) for name, stored in columns.items()),
        ]
    )
    return _sound_totals(frame)


def allocations_of(base: AscendDatabase) -> Rows:
    """Table OP_MEMORY of a database; names as codes."""
    times = ("allocationTime", "releaseTime", "activeReleaseTime")
    table = base.numbers("OP_MEMORY", "name", "deviceId", "size", "allocationTotalAllocated", *times)
    release = table.select(pl.coalesce("releaseTime", "activeReleaseTime")).to_series()
    frame = pl.DataFrame(
        [
            base.coded(table["name"]),
            _device(table["deviceId"]),
            table["allocationTime"].alias("start_ns"),
            release.alias("release_ns"),
            table["size"].alias("bytes"),
            _from_0(table["allocationTotalAllocated"]).alias("allocated_bytes"),
        ]
    )
    known = frame.filter((pl.col("start_ns") >= 0) & pl.col("bytes").is_not_null())
    return known.filter(pl.col("bytes") >= 0), len(frame) - len(known)


def _sound_totals(frame: pl.DataFrame) -> Rows:
    known = pl.any_horizontal(pl.col(name).is_not_null() for name in _TOTALS)
    sound = frame.filter((pl.col("start_ns") >= 0) & pl.col("component").is_not_null() & known)
    return sound, len(frame) - len(sound)


def _bytes(table: pl.DataFrame, header: str) -> pl.Series:
    """A column of sizes, in whichever unit its header says."""
    unit = next((unit for unit in _UNITS if f"{header}({unit})" in table.columns), "MB")
    return length_ns(first_of(table, f"{header}({unit})"), _UNITS[unit])


def _device(numbers: pl.Series) -> pl.Series:
    return ("NPU:" + numbers.cast(pl.String)).alias("device")


def _from_0(sizes: pl.Series) -> pl.Series:
    return sizes.set((sizes < 0).fill_null(False), None)
