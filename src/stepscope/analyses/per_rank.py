"""Tables made from small results of each rank, which are kept beside the rank's trace (`store.keeping`).

Whoever asks for such a table of many ranks holds no rank's events: what it needs of a rank is computed from that rank
alone, in the process that reads it or in other processes later. Two kinds of tables are made so: those whose rows each
belong to one rank (`schema.Table.per_rank`), which are put together from those of the ranks, and those that compare
ranks, made from digests of them (`schema.Table.digests`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import ModuleType

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.options import After
from stepscope.store.preparing import prepare_ranks
from stepscope.store.profile import Profile, Rank

DIGESTS: dict[str, str] = {
    "recorded_needs": "needs:recorded_needs",
    "recorded_steps": "checks.across:recorded_steps",
    "pipeline_idle": "parallel.pipeline:idle_between",
    "communication_calls": "ranks.calls:rank_calls",
    "uncovered": "ranks.exposure:rank_uncovered",
    "windows": "ranks.exposure:rank_windows",
}
"""Results of a rank that tables about several are made from: the name each is kept under, and the function of a rank
that keeps it, as ``module:function`` below `stepscope.analyses`."""


def table_module(name: str) -> ModuleType:
    """The module of a table, found by its name: analyses know nothing of what stands above them."""
    return import_module(f"stepscope.{TABLES[name].layer}.{name}")


def is_by_rank(profile: Profile, name: str) -> bool:
    """Whether a table is put together from those of its ranks: of several whole ones, with nothing else chosen."""
    plain = not profile.peaks and profile.eager is None
    return TABLES[name].per_rank and len(profile.ranks) > 1 and plain and _is_whole(profile)


def _is_whole(profile: Profile) -> bool:
    return all(rank.chosen is None for rank in profile.ranks)


def joined_table(profile: Profile, name: str) -> pl.DataFrame:
    """The table of all ranks, the same that its own function gives, from what is kept of each.

    Rows of the profile as a whole, from a function ``of_profile`` in the table's module, come first.
    """
    prepare_missing(profile, [name, *TABLES[name].digests])
    of_profile: Callable[[Profile], pl.DataFrame] | None = getattr(table_module(name), "of_profile", None)
    first = [of_profile(profile)] if of_profile else []
    return pl.concat([*first, *(_kept_table(rank, name) for rank in profile.ranks)], how="vertical_relaxed")


def prepare_missing(profile: Profile, names: Sequence[str]) -> None:
    """Have tables and digests that are kept of some ranks only computed of the others, by other processes."""
    if names and _is_whole(profile):
        prepare_ranks(profile, names, partial(prepare, tuple(names)))


def prepare(names: Sequence[str], rank: Rank) -> None:
    """Compute and keep some tables and digests of a rank."""
    for name in names:
        with suppress(Exception):  # it fails again, and is told, where somebody asks for it
            if name in TABLES:
                _kept_table(rank, name)
            else:
                _digest(name)(rank)


def preparation(tables: Iterable[str], of_steps: bool = False) -> After | None:
    """What prepares some tables, for `ReadOptions.after`; None where nothing of them can be.

    Args:
        of_steps: steps are selected: only the digests, which are of whole ranks whatever is selected.
    """
    asked = [TABLES[name] for name in tables]
    names = [table.name for table in asked if table.per_rank and not of_steps]
    names += [name for table in asked for name in table.digests]
    return partial(prepare, tuple(dict.fromkeys(names))) if names else None


def _kept_table(rank: Rank, name: str) -> pl.DataFrame:
    return rank.kept(name, lambda: _rank_rows(rank, name))


def _rank_rows(rank: Rank, name: str) -> pl.DataFrame:
    module = table_module(name)
    make: Callable[[Profile], pl.DataFrame] = getattr(module, name)
    frame = make(Profile((rank.source,), (rank,)))
    return frame.filter(pl.col("rank").is_not_null()) if hasattr(module, "of_profile") else frame


def _digest(name: str) -> Callable[[Rank], object]:
    module, function = DIGESTS[name].split(":")
    found: Callable[[Rank], object] = getattr(import_module(f"stepscope.analyses.{module}"), function)
    return found
