"""How evenly all-to-all calls load the ranks of a group, as experts are loaded (see docs/tables/experts.md).

Tokens go to the ranks of their experts in one all-to-all and come back in another. In the first the outputs are uneven,
in the second the inputs. Of each call that side is the load whose largest share is further above the mean.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.ranks.exposure import selected_calls
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_GROUP = ["group_key", "group", "members"]


def experts(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``experts``, the most uneven groups first, in them by load."""
    schema = TABLES["experts"].schema
    calls = _loaded(selected_calls(profile).filter(pl.col("op") == "all_to_all"))
    table = calls.group_by(*_GROUP, "rank").agg(
        pl.len().alias("calls"),
        pl.col("collective").is_not_null().sum().alias("matched_calls"),
        *(
            pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(made)
            for name, made in (
                ("in_elements", "sent_elements"),
                ("out_elements", "received_elements"),
                ("load", "load_elements"),
            )
        ),
    )
    mean = pl.col("load_elements").mean().over(_GROUP)
    several = pl.col("load_elements").count().over(_GROUP) > 1
    table = table.with_columns(
        pl.when(several & (mean > 0)).then(100.0 * pl.col("load_elements") / mean).alias("load_pct"),
        pl.when(several & (mean > 0)).then(pl.col("load_elements").max().over(_GROUP) / mean).alias("imbalance"),
    )
    table = table.join(_by_call(calls), on=_GROUP, how="left", nulls_equal=True)
    table = table.sort("imbalance", "group_key", "load_elements", "rank", descending=[True, False, True, False])
    return table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _loaded(calls: pl.DataFrame) -> pl.DataFrame:
    """Calls with ``load``: elements of the uneven side; null where the other ranks' or the sizes are not known."""
    over = "collective"
    sent, received = (
        pl.col(name).max().over(over) / pl.col(name).mean().over(over) for name in ("in_elements", "out_elements")
    )
    uneven = pl.when(sent > received).then("in_elements").otherwise("out_elements")
    return calls.with_columns(pl.when(pl.col("collective").is_not_null()).then(uneven).alias("load"))


def _by_call(calls: pl.DataFrame) -> pl.DataFrame:
    """Sum over calls of the largest load, against that of the means."""
    each = (
        calls.filter(pl.col("load").is_not_null())
        .group_by(*_GROUP, "collective")
        .agg(pl.col("load").max().alias("most"), pl.col("load").mean().alias("mean"))
    )
    mean = pl.col("mean").sum()
    return each.group_by(_GROUP).agg(pl.when(mean > 0).then(pl.col("most").sum() / mean).alias("call_imbalance"))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are no rows, and what the loads leave out."""
    if len(frame) == 0:
        return [Message("note-experts-none")]
    found = []
    even = frame.filter(pl.col("imbalance") <= 1)
    if len(even) == len(frame):
        found.append(Message("note-experts-even"))
    calls, matched = int(frame["calls"].sum()), int(frame["matched_calls"].sum())
    if matched < calls:
        found.append(Message("note-experts-unmatched", lost=calls - matched, calls=calls))
    return [*found, *unmatched_notes(profile)]
