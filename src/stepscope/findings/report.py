"""Everything a report shows, computed once, for any reporter."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import polars as pl

from stepscope.analyses import table_notes
from stepscope.analyses.per_rank import prepare_missing
from stepscope.analyses.recording.check import ERROR, Check
from stepscope.findings.detailed_ranks import few_ranks
from stepscope.findings.job_figures import JobFigures
from stepscope.findings.kept_tables import Made, made_figures, made_sentences, made_table, made_verdicts
from stepscope.findings.sparing import TABLE, failures, spared
from stepscope.findings.two_threads import beside_others
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.schema.reported import reported, reported_of_all
from stepscope.store.freed_memory import give_back
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class Report:
    """A profile, the verdict on each rank, tables by name, and what is to be known beside them.

    Left out are tables that are not `schema.Table.in_report`, or not asked for. ``views`` holds what sections show of
    some tables instead, by table and option: ``("modules", "class")`` for ``--by class``, ``("operators", "source")``.
    ``job`` says in sentences which rank the others wait for, why and what it costs; empty for one rank.
    ``figures`` are those of the job, None of one rank.
    ``detailed`` are the ranks that verdicts, findings and all tables are about that do not compare ranks.
    """

    profile: Profile
    verdicts: tuple[Verdict, ...]
    tables: dict[str, pl.DataFrame]
    notes: dict[str, list[Message]]
    views: dict[tuple[str, str], pl.DataFrame]
    job: tuple[Message, ...] = ()
    detailed: tuple[int, ...] = ()
    figures: JobFigures | None = None

    @cached_property
    def chosen(self) -> Profile:
        """The ranks that it tells details of."""
        few = 0 < len(self.detailed) < len(self.profile.ranks)
        return self.profile.select(self.detailed) if few else self.profile

    @property
    def failed(self) -> bool:
        """Whether something of it is missing by a defect of stepscope."""
        said = (*self.job, *chain(*self.notes.values()), *chain(*(one.sentences for one in self.verdicts)))
        return bool(failures(said))

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

_FIRST = ("critical_path", "idle", "launches", "annotations", "utilization", "fusion", "roofline", "findings")
"""What needs most memory for itself is made first, while few results are held of the others. Findings, which take
longest and hold most, come next, beside tables that need little."""

_LAST = ("step_time",)
"""What needs something that findings begin with: sooner, a thread would wait for it."""

_LARGE = ("operators", "critical_path", "idle", "findings")
"""After these, much memory is free that would mostly not fit the arrays of the others. After every table, it would be
asked for again and again."""


def make_report(profile: Profile, shown: Collection[str] | None = None) -> Report:
    """Compute the report of a profile, several tables at a time.

    Args:
        shown: names of the tables that it is to hold; all of them unless given.
    """
    chosen = few_ranks(profile)
    names = [name for name in reported() if shown is None or name in shown]
    prepare_missing(chosen, [name for name in names if TABLES[name].per_rank])
    whole = set(reported_of_all())
    with ThreadPoolExecutor(_THREADS) as pool:
        making = {view: pool.submit(_view, pool, chosen, *view) for view in _VIEWS}
        others = sorted((name for name in names if name != "operators"), key=_turn)
        noted = pool.map(lambda name: _tried(pool, profile if name in whole else chosen, name), others)
        told = dict(zip(others, noted, strict=True))
    seen = {view: future.result() for view, future in making.items()}
    views = {view: made.frame for view, made in seen.items()}
    told["operators"] = _without_source(chosen, seen["operators", "source"])
    tables = {name: told[name].frame for name in TABLES if name in told}
    notes = {name: told[name].notes for name in tables}
    verdicts = made_verdicts(profile, lambda: tables["utilization"])
    tables["health"] = pl.concat([tables["health"], _failed_parts(notes)])
    ranks = tuple(rank.number for rank in chosen.ranks)
    return Report(profile, verdicts, tables, notes, views, made_sentences(profile), ranks, made_figures(profile))


def _turn(name: str) -> int:
    """When a table is made, among the others."""
    return _FIRST.index(name) if name in _FIRST else len(_FIRST) + (name in _LAST)


def _tried(pool: Executor, profile: Profile, name: str, by: str = "", source: bool = False) -> Made:
    """A table; without rows where it fails, which its notes say.

    Args:
        pool: its threads help with parts of it once all tables are begun.
    """

    def failed(error: str) -> Made:
        schema = TABLES[name].schema | ({"source": pl.String()} if source else {})
        return Made(pl.DataFrame(schema=schema), [Message(TABLE, rank=None, what=name, type=error)])

    with beside_others(pool):
        made = spared(lambda: made_table(profile, name, by, source), failed)
    if name in _LARGE:
        give_back()
    return made


def _failed_parts(notes: dict[str, list[Message]]) -> pl.DataFrame:
    """A row of the table ``health`` for each part of the report that failed."""
    failed = [failure for said in notes.values() for failure in failures(said)]
    checks = [(one["rank"], Check("computed", ERROR, Message("check-failed", what=one["what"]), one)) for one in failed]
    rows = [check.row(rank if isinstance(rank, int) else None) for rank, check in checks]
    return pl.DataFrame(rows, schema=TABLES["health"].schema)


def _view(pool: Executor, profile: Profile, name: str, option: str) -> Made:
    """A table with its source lines, or by something."""
    source = option == "source"
    return _tried(pool, profile, name, "" if source else option, source)


def _without_source(profile: Profile, made: Made) -> Made:
    """The table ``operators`` from that with source lines."""
    operators = made.frame.drop("source")
    return Made(operators, failures(made.notes) or table_notes(profile, "operators", operators))
