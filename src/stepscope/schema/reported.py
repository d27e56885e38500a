"""Which tables a report holds."""

from __future__ import annotations

from stepscope.schema import TABLES

_OF_ALL = (
    "health",
    "summary",
    "utilization",
    "steps",
    "hangs",
    "hang_ranks",
    "hang_calls",
    "collective_bandwidth",
    "collective_lateness",
    "compilations",
    "recompiles",
    "graph_breaks",
    "host_samples",
)
"""Tables of every rank, beside those that compare ranks."""


def reported() -> list[str]:
    """Names of the tables that a report holds."""
    return [name for name, table in TABLES.items() if table.in_report]


def reported_of_all() -> list[str]:
    """Those of them that it holds of every rank, however many there are."""
    return [name for name in reported() if name in _OF_ALL or TABLES[name].digests]
