"""Groups whose collectives move less than those of other groups: a slow link, or ranks far apart."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.operations import TOGETHER
from stepscope.store.profile import Profile

SLOW_PCT = 80.0
LEAST_GROUPS, LEAST_CALLS = 3, 5
"""With fewer groups there is no usual bandwidth; fewer calls are chance."""

_NAMED = 3
_MIB = 1 << 20


def slow_groups(profile: Profile) -> list[str]:
    """Sentences about groups that move less than `SLOW_PCT` of the median of those with the same calls."""
    calls = selected_calls(profile).filter(
        pl.col("collective").is_not_null() & pl.col("op").is_in(list(TOGETHER)) & (pl.col("bytes") > 0)
    )
    groups = calls.group_by("op", "bytes", "key", "members").agg(
        pl.col("collective").n_unique().alias("calls"),
        (pl.col("bytes").sum() / pl.col("transfer_ns").sum()).alias("bandwidth"),
    )
    groups = groups.filter((pl.col("calls") >= LEAST_CALLS) & pl.col("bandwidth").is_finite())
    same = ["op", "bytes"]
    groups = groups.with_columns(
        pl.col("bandwidth").median().over(same).alias("median"), pl.len().over(same).alias("groups")
    )
    share = 100.0 * pl.col("bandwidth") / pl.col("median")
    slow = groups.with_columns(share.alias("pct")).filter(
        (pl.col("groups") >= LEAST_GROUPS) & (pl.col("pct") < SLOW_PCT)
    )
    return [_sentence(row) for row in slow.sort("pct", "key").head(_NAMED).iter_rows(named=True)]


def _sentence(row: dict[str, object]) -> str:
    moved = f"{float(str(row['bandwidth'])):.3g} GB/s, {float(str(row['pct'])):.0f} %"
    size = int(str(row["bytes"])) / _MIB
    return f"{row['op']} of {size:.3g} MiB: ranks {row['members']} move {moved} of the median of {row['groups']} groups"
