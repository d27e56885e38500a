"""Where the code of a compiled kernel comes from, as far as a trace says.

TorchInductor's trace handler (torch 2.14) writes the stacks of the operators that a kernel fused into its argument
``stack``, in the layout of Python's tracebacks. Without it, the operator that launches a Triton kernel names the file
of the generated code (``kernel_file``).
"""

from __future__ import annotations

import polars as pl

from stepscope.store.further_arguments import further_argument
from stepscope.store.profile import Rank

_FRAME = r'File \\*"([^"\\]+)\\*", line ([0-9]+)'
_LAST_FRAME = rf"(?s).*{_FRAME}"


def kernel_sources(rank: Rank, kernels: pl.DataFrame) -> pl.Series:
    """Line of the model, else generated file, of each kernel: "model.py:41"; null where nothing is recorded.

    Args:
        kernels: rows of `Rank.activity`.
    """
    trace = rank.trace
    events = trace.frame("activity", ["event"])["event"].gather(kernels["row"])
    lines = _lines(further_argument(trace, events, "stack"))
    launching = trace.frame("operator", ["event"])["event"].gather(kernels["operator"])
    files = further_argument(trace, launching, "kernel_file").replace(["", "None"], None)
    return pl.select(pl.coalesce(lines, files).alias("source")).to_series()


def _lines(stacks: pl.Series) -> pl.Series:
    """Innermost frame of the last of each list of stacks."""
    if stacks.null_count() == len(stacks):
        return stacks
    distinct = stacks.drop_nulls().unique().to_frame("stack")
    file, line = (pl.col("stack").str.extract(_LAST_FRAME, group) for group in (1, 2))
    found = distinct.with_columns((file + ":" + line).alias("line"))
    return stacks.to_frame("stack").join(found, "stack", "left", maintain_order="left")["line"]
