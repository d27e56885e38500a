"""Everything a report shows, computed once, for any reporter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from stepscope.analyses import table_notes
from stepscope.analyses.per_rank import prepare_missing
from stepscope.findings.detailed_ranks import few_ranks
from stepscope.findings.kept_tables import Made, made_sentences, made_table, made_verdicts
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.schema.reported import reported, reported_of_all
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class Report:
    """A profile, the verdict on each rank, tables by name, and what is to be known beside them.

    Left out are the tables that are not `schema.Table.in_report`. ``views`` holds what sections show of some tables
    instead, by table and option: ``("modules", "class")`` for ``--by class``, ``("operators", "source")``.
    ``job`` says in sentences which rank the others wait for, why and what it costs; empty for one rank.
    ``detailed`` are the ranks that verdicts, findings and all tables are about that do not compare ranks.
    """

    profile: Profile
    verdicts: tuple[Verdict, ...]
    tables: dict[str, pl.DataFrame]
    notes: dict[str, list[Message]]
    views: dict[tuple[str, str], pl.DataFrame]
    job: tuple[Message, ...] = ()
    detailed: tuple[int, ...] = ()

    @cached_property
    def chosen(self) -> Profile:
        """The ranks that it tells details of."""
        few = 0 < len(self.detailed) < len(self.profile.ranks)
        return self.profile.select(self.detailed) if few else self.profile

    def profile_of(self, table: str) -> Profile:
        """The ranks that a table is made of."""
        return self.profile if table in reported_of_all() else self.chosen

    def rows(self, table: str) -> pl.DataFrame:
        """A table with a row or more per rank, of the ranks that it tells details of."""
        whole = self.tables[table]
        return whole if self.chosen is self.profile else whole.filter(pl.col("rank").is_in(self.detailed))


_VIEWS = (("operators", "source"), ("modules", "class"))
_THREADS = 2
"""More of them wait for one another: much of a table is short steps of Python."""


def make_report(profile: Profile) -> Report:
    """Compute the report of a profile, several tables at a time."""
    told = {name: made_table(profile, name) for name in ("job", "stragglers")}
    chosen = few_ranks(profile)
    prepare_missing(chosen, [name for name in reported() if TABLES[name].per_rank])
    whole = set(reported_of_all())
    with ThreadPoolExecutor(_THREADS) as pool:
        making = {view: pool.submit(_view, chosen, *view) for view in _VIEWS}
        others = [name for name in reported() if name not in ("operators", *told)]
        noted = pool.map(lambda name: made_table(profile if name in whole else chosen, name), others)
        told |= dict(zip(others, noted, strict=True))
    views = {view: future.result() for view, future in making.items()}
    operators = views["operators", "source"].drop("source")
    told["operators"] = Made(operators, table_notes(chosen, "operators", operators))
    tables = {name: told[name].frame for name in TABLES if name in told}
    notes = {name: told[name].notes for name in tables}
    verdicts = made_verdicts(profile, lambda: tables["utilization"])
    ranks = tuple(rank.number for rank in chosen.ranks)
    return Report(profile, verdicts, tables, notes, views, made_sentences(profile), ranks)


def _view(profile: Profile, name: str, option: str) -> pl.DataFrame:
    """A table with its source lines, or by something."""
    source = option == "source"
    return made_table(profile, name, "" if source else option, source).frame
