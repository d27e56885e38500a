"""What threads are by the names that they gave themselves, where no event tells."""

from __future__ import annotations

import polars as pl

from stepscope.store.nesting import PLACE
from stepscope.store.trace import Trace

_ENGINE = r"(?:^|\()pt_autograd_\d+\)?$"
"""Threads of PyTorch's autograd engine, one for each device."""


def engine_threads_by_name(trace: Trace) -> pl.DataFrame:
    """Threads of the autograd engine in a recording without operators: columns process, thread (codes)."""
    frame = trace.frame("label", [*PLACE, "label_name"])
    if trace.rows("operator"):
        return frame.select(PLACE).clear()
    names = trace.codes(lambda text: text.str.contains(_ENGINE))
    return frame.filter(pl.col("label_name").is_in(names.implode())).select(PLACE).unique(maintain_order=True)
