"""Arguments of events that have no column of their own: few events have them, or few traces."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from stepscope.store.trace import Trace

MODULE_ARGUMENTS = ("module_fqn", "annotation")
"""Of kernels of CUDA graphs: the module, alone or in a list as JSON."""


def has_further_argument(trace: Trace, keys: Sequence[str]) -> bool:
    """Whether any event has an argument of one of some names."""
    codes = trace.codes(lambda text: text.is_in(list(keys)))
    return len(codes) > 0 and bool(trace.frame("extras", ["key"])["key"].is_in(codes.implode()).any())


def further_argument(trace: Trace, events: pl.Series, key: str) -> pl.Series:
    """An argument of some events as text, without quotes; null where an event has none. Of two the first counts.

    Args:
        events: numbers of the events: column ``event`` of their table.
    """
    keys = trace.codes(lambda text: text == key)
    if len(keys) == 0 or len(events) == 0:
        return pl.Series(key, [None] * len(events), dtype=pl.String)
    found = trace.frame("extras", ["event", "level", "key", "value"])
    found = found.filter((pl.col("level") == 1) & pl.col("key").is_in(keys.implode()))
    found = found.unique("event", keep="first", maintain_order=True).select("event", "value")
    codes = events.to_frame("event").join(found, "event", "left", maintain_order="left")["value"]
    return trace.text(codes).str.strip_chars(' "').alias(key)
