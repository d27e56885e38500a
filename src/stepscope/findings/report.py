"""Everything a report shows, computed once, for any reporter."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from stepscope.analyses import make_table
from stepscope.findings.verdict import Verdict, verdict
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class Report:
    """A profile, the verdict on each rank, and all tables by name."""

    profile: Profile
    verdicts: tuple[Verdict, ...]
    tables: dict[str, pl.DataFrame]


def make_report(profile: Profile) -> Report:
    """Compute the report of a profile."""
    tables = {name: make_table(profile, name) for name in TABLES}
    return Report(profile, tuple(verdict(rank) for rank in profile.ranks), tables)
