"""What moved between the levels of memory in each profiled kernel (see docs/tables/).

The links are those of the memory chart of Nsight Compute. A sector has 32 bytes. Source of the metrics: the section
MemoryWorkloadAnalysis_Chart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.figures import DURATION
from stepscope.analyses.kernel_reports.reports import Values, rows_of
from stepscope.store.profile import Profile

_SECTOR_BYTES = 32
_PEAK = ".pct_of_peak_sustained_elapsed"


@dataclass(frozen=True)
class _Link:
    """Where data goes from and to, and what counts it; several metrics are added.

    Attributes:
        transfers: sectors, or of shared memory wavefronts.
        counted: bytes, where the hardware counts them; else they are sectors.
        found, missed: sectors that the cache held, and that it did not.
    """

    name: str
    source: str
    target: str
    requests: tuple[str, ...]
    transfers: tuple[str, ...]
    peak: tuple[str, ...]
    counted: str = ""
    found: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return (*self.requests, *self.transfers, *self.peak, *filter(None, [self.counted]), *self.found, *self.missed)


def _level_1(name: str, reads: bool, *accesses: str) -> _Link:
    sectors = [f"l1tex__t_sectors_pipe_{access}" for access in accesses]
    requests = tuple(f"l1tex__t_requests_pipe_{access}.sum" for access in accesses)
    return _Link(
        name,
        *(("l1", "kernel") if reads else ("kernel", "l1")),
        requests,
        tuple(f"{one}.sum" for one in sectors),
        tuple(f"{one}{_PEAK}" for one in requests),
        found=tuple(f"{one}_lookup_hit.sum" for one in sectors),
        missed=tuple(f"{one}_lookup_miss.sum" for one in sectors),
    )


def _shared(name: str, reads: bool, op: str, instructions: str) -> _Link:
    wavefronts = f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
    ends = ("shared", "kernel") if reads else ("kernel", "shared")
    return _Link(name, *ends, (instructions,), (wavefronts,), (f"{wavefronts}{_PEAK}",))


def _level_2(name: str, reads: bool, counted: str, *ops: str) -> _Link:
    sectors = [f"lts__t_sectors_srcunit_tex_op_{op}" for op in ops]
    return _Link(
        name,
        *(("l2", "l1") if reads else ("l1", "l2")),
        (),
        tuple(f"{one}.sum" for one in sectors),
        (f"{counted}{_PEAK}",),
        counted,
        tuple(f"{one}_lookup_hit.sum" for one in sectors),
        tuple(f"{one}_lookup_miss.sum" for one in sectors),
    )


def _beyond(name: str, where: str, reads: bool, *ops: str) -> _Link:
    sectors = tuple(f"lts__t_sectors_srcunit_tex_aperture_{name}_op_{op}.sum" for op in ops)
    ends = (where, "l2") if reads else ("l2", where)
    return _Link(
        f"{where}_{'read' if reads else 'write'}", *ends, (), sectors, tuple(f"{one}{_PEAK}" for one in sectors)
    )


def _dram(op: str) -> _Link:
    ends = ("dram", "l2") if op == "read" else ("l2", "dram")
    counted = f"dram__bytes_{op}.sum"
    return _Link(f"dram_{op}", *ends, (), (f"dram__sectors_{op}.sum",), (f"{counted}{_PEAK}",), counted)


_SURFACE = ("op_st", "op_atom", "op_red")
LINKS = (
    _level_1("global_load", True, "lsu_mem_global_op_ld"),
    _level_1("global_store", False, "lsu_mem_global_op_st"),
    _level_1("global_atomic", False, "lsu_mem_global_op_atom", "lsu_mem_global_op_red"),
    _level_1("local_load", True, "lsu_mem_local_op_ld"),
    _level_1("local_store", False, "lsu_mem_local_op_st"),
    _level_1("texture_load", True, "tex_mem_texture"),
    _level_1("surface_load", True, "tex_mem_surface_op_ld"),
    _level_1("surface_store", False, *(f"tex_mem_surface_{op}" for op in _SURFACE)),
    _shared("shared_load", True, "ld", "smsp__sass_inst_executed_op_shared_ld.sum"),
    _shared("shared_store", False, "st", "smsp__sass_inst_executed_op_shared_st.sum"),
    _shared("shared_atomic", False, "atom", "smsp__inst_executed_op_shared_atom.sum"),
    _level_2("l2_read", True, "l1tex__m_xbar2l1tex_read_bytes.sum", "read"),
    _level_2("l2_write", False, "l1tex__m_l1tex2xbar_write_bytes.sum", "write", "red", "atom"),
    _dram("read"),
    _dram("write"),
    _beyond("sysmem", "system", True, "read_lookup_miss"),
    _beyond("sysmem", "system", False, "write", "red", "atom"),
    _beyond("peer", "peer", True, "read_lookup_miss"),
    _beyond("peer", "peer", False, "write", "red", "atom"),
)
"""In the order of the chart, from the kernel outwards."""

METRICS = tuple(dict.fromkeys((DURATION, *(name for link in LINKS for name in link.metrics))))


def kernel_memory(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_memory``, by kernel, from the kernel outwards."""
    return rows_of(profile, "kernel_memory", METRICS, links)


notes = why_empty("kernel_memory")


def links(values: Values) -> Iterator[dict[str, Any]]:
    """The links of a kernel that carried anything."""
    for link in LINKS:
        moved, transfers = _bytes(link, values), _total(link.transfers, values)
        if moved or transfers:
            found, missed = _total(link.found, values), _total(link.missed, values)
            looked = (found or 0.0) + (missed or 0.0)
            seconds = values.get(DURATION, 0.0) / 1e9
            peaks = [values[name] for name in link.peak if name in values]
            yield {
                "link": link.name,
                "from_unit": link.source,
                "to_unit": link.target,
                "requests": _whole(_total(link.requests, values)),
                "transfers": _whole(transfers),
                "bytes": _whole(moved),
                "achieved_bandwidth": moved / seconds if moved is not None and seconds > 0 else None,
                "peak_pct": sum(peaks) if peaks else None,
                "hit_pct": 100 * ((found or 0.0) / looked) if looked > 0 else None,
            }


def _bytes(link: _Link, values: Values) -> float | None:
    """What a link carried; None of shared memory, of which wavefronts are counted."""
    if link.counted:
        return values.get(link.counted)
    if "shared" in (link.source, link.target):
        return None
    sectors = _total(link.transfers, values)
    return None if sectors is None else _SECTOR_BYTES * sectors


def _total(metrics: tuple[str, ...], values: Values) -> float | None:
    """Several metrics added; None where none was collected."""
    known = [values[name] for name in metrics if name in values]
    return sum(known) if known else None


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)
