"""The names of events that are of a kind of kernel, or of a collective operation."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.ranks.matching import matched_calls
from stepscope.errors import BadRequest
from stepscope.findings.kept_tables import made_table
from stepscope.messages import Message
from stepscope.store.profile import Profile
from stepscope.timeline.timeline import Timeline, per_timeline

ROLES = ("kind", "collective")


@per_timeline
def names_of_role(timeline: Timeline, role: str, value: str) -> dict[str, Any]:
    """Names of kernels of a kind, or of an operation of communication, as the tables have them.

    Returns:
        ``codes``, the numbers of the names; ``shared``, how many of them kernels of other operations bear, too.

    Raises:
        BadRequest: there is no such role.
    """
    if role not in ROLES:
        advice = Message("error-kinds", kinds=list(ROLES))
        raise BadRequest(Message("error-cannot-find-places"), Message("error-unknown-kind"), advice)
    if role == "kind":
        kernels = made_table(timeline.profile, "kernels").frame
        names = pl.DataFrame({"name": kernels["name"], "of": kernels["kind"]})
    else:
        names = _operations(timeline.profile)
    mine = names.filter(of=value)["name"].unique().sort()
    shared = names.filter(pl.col("of") != value)["name"].unique()
    return {"codes": timeline.numbers_of(mine.to_list()), "shared": int(mine.is_in(shared.implode()).sum())}


def _operations(profile: Profile) -> pl.DataFrame:
    """Each name of a communication kernel with each operation that it is of."""
    calls = matched_calls(profile)
    parts = [pl.DataFrame(schema={"name": pl.String, "of": pl.String})]
    for rank in profile.ranks:
        mine = calls.filter(rank=rank.number)
        names = rank.trace.text(rank.trace.frame("activity", ["name"])["name"].gather(mine["row"]))
        parts.append(pl.DataFrame({"name": names.cast(pl.String), "of": mine["op"]}))
    return pl.concat(parts).unique()
