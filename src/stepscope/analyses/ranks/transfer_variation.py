"""How much transfers of one size vary, most of all between those for which ranks wait and those for which none does.

A job without its straggler is the recorded one without the waiting. What it transfers may take another time then: ranks
that come together share links, memory and, on small machines, cores, which a waiting one leaves alone.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import collectives
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

_SIZE_CLASSES = 4
"""Messages are of one size if their bytes lie in the same of so many classes from one power of two to the next."""

_QUANTILES = (0.1, 0.9)


@per_profile
def transfer_variation_ns(profile: Profile) -> float:
    """By how much the transfers of a step vary, in ns; 0 without matched collectives of known size."""
    return variation_ns(collectives(profile))


def variation_ns(found: pl.DataFrame) -> float:
    """The same of a table ``collectives``."""
    known = pl.col("step").is_not_null() & (pl.col("call_bytes") > 0) & (pl.col("transfer_ns") > 0)
    found = found.filter(known)
    if len(found) == 0:
        return 0.0
    size = (pl.col("call_bytes").log(2.0) * _SIZE_CLASSES).round(0).alias("size")
    transfer, waited = pl.col("transfer_ns"), pl.col("wait_ns") > pl.col("transfer_ns")
    low, high = (transfer.quantile(at) for at in _QUANTILES)
    of_each = found.group_by("op", "dtype", "group", "ranks", size).agg(
        transfer.sum().alias("total_ns"),
        transfer.median().alias("usual_ns"),
        (transfer.filter(waited).median() - transfer.filter(~waited).median()).abs().alias("between_ns"),
        ((high - low) / 2).alias("spread_ns"),
    )
    variation = pl.coalesce("between_ns", "spread_ns") / pl.col("usual_ns") * pl.col("total_ns")
    return float(of_each.select(variation.sum()).item()) / found["step"].n_unique()
