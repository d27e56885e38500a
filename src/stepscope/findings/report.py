"""Everything a report shows, computed once, for any reporter."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from stepscope.analyses import make_table, table_notes
from stepscope.findings.verdict import Verdict, across_ranks, verdict
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class Report:
    """A profile, the verdict on each rank, tables by name, and what is to be known beside them.

    Left out are the tables that are not `schema.Table.in_report`. ``views`` holds what sections show of some tables
    instead, by table and option: ``("modules", "class")`` for ``--by class``, ``("operators", "source")``.
    ``across_ranks`` says which rank the others may be waiting for, if one.
    """

    profile: Profile
    verdicts: tuple[Verdict, ...]
    tables: dict[str, pl.DataFrame]
    notes: dict[str, list[str]]
    views: dict[tuple[str, str], pl.DataFrame]
    across_ranks: str | None = None


def make_report(profile: Profile) -> Report:
    """Compute the report of a profile."""
    operators = make_table(profile, "operators", source=True)
    views = {("operators", "source"): operators, ("modules", "class"): make_table(profile, "modules", "class")}
    known = {"operators": operators.drop("source")}
    tables = {
        name: known[name] if name in known else make_table(profile, name)
        for name, table in TABLES.items()
        if table.in_report
    }
    notes = {name: table_notes(profile, name, frame) for name, frame in tables.items()}
    used = {row["rank"]: row for row in tables["utilization"].iter_rows(named=True)}
    verdicts = tuple(verdict(rank, used.get(rank.number)) for rank in profile.ranks)
    return Report(profile, verdicts, tables, notes, views, across_ranks(verdicts))
