"""Tables made from small results of each rank, which are kept beside the rank's trace (`store.result_cache`).

Whoever asks for such a table of many ranks holds no rank's events: what it needs of a rank is computed from that rank
alone, in the process that reads it or in other processes later. Two kinds of tables are made so: those whose rows each
belong to one rank (`schema.Table.per_rank`), which are put together from those of the ranks, and those that compare
ranks, made from digests of them (`schema.Table.digests`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import polars as pl

from stepscope.analyses.registry import analysis, digest
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank_on_disk
from stepscope.store.options import After
from stepscope.store.preparing import prepare_ranks
from stepscope.store.profile import Profile, Rank


def is_by_rank(profile: Profile, name: str) -> bool:
    """Whether a table is put together from those of its ranks: of several whole ones, with nothing else chosen."""
    plain = not profile.peaks and profile.eager is None and profile.base is None and profile.captures is None
    return TABLES[name].per_rank and len(profile.ranks) > 1 and plain and _is_whole(profile)


def _is_whole(profile: Profile) -> bool:
    return not any(rank.is_limited for rank in profile.ranks)


def joined_table(profile: Profile, name: str) -> pl.DataFrame:
    """The table of all ranks, the same that its own function gives, from what is kept of each.

    Rows of the profile as a whole, from a function ``of_profile`` in the table's module, come first.
    """
    prepare_missing(profile, [name, *TABLES[name].digests])
    of_profile = analysis(name).of_profile
    first = [of_profile(profile)] if of_profile else []
    return pl.concat([*first, *(rank_table(rank, name) for rank in profile.ranks)], how="vertical_relaxed")


def prepare_missing(profile: Profile, names: Sequence[str]) -> None:
    """Have tables and digests that are kept of some ranks only computed of the others, by other processes."""
    if names and _is_whole(profile):
        prepare_ranks(profile, [partial(_file, name) for name in names], partial(prepare, tuple(names)))


def _file(name: str, rank: Rank) -> Path:
    """Where a table or digest of a rank is kept."""
    return rank_table.file(rank, name) if name in TABLES else digest(name).file(rank)


def prepare(names: Sequence[str], rank: Rank) -> None:
    """Compute and keep some tables and digests of a rank."""
    for name in names:
        with suppress(Exception):  # it fails again, and is told, where somebody asks for it
            if name in TABLES:
                rank_table(rank, name)
            else:
                digest(name)(rank)


def preparation(tables: Iterable[str], of_steps: bool = False) -> After | None:
    """What prepares some tables, for `ReadOptions.after`; None where nothing of them can be.

    Args:
        of_steps: steps are selected: only the digests, which are of whole ranks whatever is selected.
    """
    asked = [TABLES[name] for name in tables]
    names = [table.name for table in asked if table.per_rank and not of_steps]
    names += [name for table in asked for name in table.digests]
    return partial(prepare, tuple(dict.fromkeys(names))) if names else None


@per_rank_on_disk
def rank_table(rank: Rank, name: str) -> pl.DataFrame:
    """The rows of a whole rank in a table, without those of the profile."""
    made = analysis(name)
    frame = made.make(Profile((rank.source,), (rank,)))
    return frame.filter(pl.col("rank").is_not_null()) if made.of_profile else frame
