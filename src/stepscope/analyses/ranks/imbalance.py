"""Groups whose collectives have a lower bandwidth than those of other groups: a slow link, or ranks far apart."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.analyses.ranks.operations import TOGETHER
from stepscope.messages import Message
from stepscope.store.profile import Profile

SLOW_PCT = 80.0
LEAST_GROUPS, LEAST_CALLS = 3, 5
"""With fewer groups there is no usual bandwidth; fewer calls are chance."""

_NAMED = 3


def slow_groups(profile: Profile) -> list[Message]:
    """Groups whose bandwidth is less than `SLOW_PCT` of the median of those with the same calls."""
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
    return [_message(row) for row in slow.sort("pct", "key").head(_NAMED).iter_rows(named=True)]


def _message(row: dict[str, Any]) -> Message:
    return Message(
        "cause-slow-group",
        op=row["op"],
        size_bytes=row["bytes"],
        ranks=row["members"],
        gb_per_s=row["bandwidth"],
        of_median_pct=row["pct"],
        groups=row["groups"],
    )
