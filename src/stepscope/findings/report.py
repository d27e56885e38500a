"""Everything a report shows, computed once, for any reporter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import polars as pl

from stepscope.analyses import make_table, table_notes
from stepscope.findings.verdict import Verdict, across_ranks, verdicts_of
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


_VIEWS = (("operators", "source"), ("modules", "class"))
_THREADS = 2
"""More of them wait for one another: much of a table is short steps of Python."""


def make_report(profile: Profile) -> Report:
    """Compute the report of a profile, several tables at a time."""
    with ThreadPoolExecutor(_THREADS) as pool:
        making = {view: pool.submit(_view, profile, *view) for view in _VIEWS}
        others = [name for name, table in TABLES.items() if table.in_report and name != "operators"]
        noted = dict(zip(others, pool.map(lambda name: _noted(profile, name), others), strict=True))
    views = {view: future.result() for view, future in making.items()}
    operators = views["operators", "source"].drop("source")
    noted["operators"] = (operators, table_notes(profile, "operators", operators))
    tables = {name: noted[name][0] for name in TABLES if name in noted}
    notes = {name: noted[name][1] for name in tables}
    verdicts = verdicts_of(profile, tables["utilization"])
    return Report(profile, verdicts, tables, notes, views, across_ranks(verdicts))


def _noted(profile: Profile, name: str) -> tuple[pl.DataFrame, list[str]]:
    table = make_table(profile, name)
    return table, table_notes(profile, name, table)


def _view(profile: Profile, name: str, option: str) -> pl.DataFrame:
    """A table with its source lines, or by something."""
    source = option == "source"
    return make_table(profile, name, "" if source else option, source)
