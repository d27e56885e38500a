"""How far a trace can be trusted. Comes before any number.

Each check is a small function of a rank that returns a `Check` or None where it does not apply. What cannot be shown
because it was not recorded is a warning that names the profiler option that records it.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from stepscope.analyses.checks import gpu, plausible, reading, steps
from stepscope.analyses.checks.check import OK, WARNING, Check
from stepscope.analyses.checks.recorded import RECORDED
from stepscope.schema import TABLES
from stepscope.store.profile import FROM_ORDER, Profile, Rank


def health(profile: Profile) -> pl.DataFrame:
    """One row per check and rank (rank null for the whole profile), columns of `schema.TABLES` ``health``."""
    rows: list[dict[str, object]] = [{"rank": None, **vars(check)} for check in _profile_checks(profile)]
    for rank in profile.ranks:
        for make in _CHECKS:
            check = make(rank)
            if check is not None:
                rows.append({"rank": rank.number, **vars(check)})
    return pl.DataFrame(rows, schema=TABLES["health"].schema)


def _profile_checks(profile: Profile) -> list[Check]:
    checks = []
    if profile.skipped:
        names = "; ".join(f"{skipped.path.rsplit('/', 1)[-1]} ({skipped.reason})" for skipped in profile.skipped[:5])
        more = f" and {len(profile.skipped) - 5} more" if len(profile.skipped) > 5 else ""
        checks.append(Check("skipped_files", WARNING, str(len(profile.skipped)), f"not read: {names}{more}"))
    if len(profile.ranks) > 1:
        checks.append(_rank_numbers(profile))
    missing = _missing_ranks(profile)
    return [*checks, missing] if missing else checks


def _rank_numbers(profile: Profile) -> Check:
    guessed = [rank.number for rank in profile.ranks if rank.origin == FROM_ORDER]
    if not guessed:
        return Check("rank_numbers", OK, f"{len(profile.ranks)} ranks", "as recorded or as in the file names")
    return Check(
        "rank_numbers",
        WARNING,
        f"{len(guessed)} of {len(profile.ranks)} numbered by order",
        "these files name no rank or one that is taken: are they ranks of one run? Compare runs one by one",
    )


def _missing_ranks(profile: Profile) -> Check | None:
    sizes = {rank.trace.head.get("distributedInfo", {}).get("world_size") for rank in profile.ranks}
    known = [size for size in sizes if isinstance(size, int)]
    if not known or max(known) <= len(profile.ranks):
        return None
    return Check(
        "ranks",
        OK,
        f"{len(profile.ranks)} of {max(known)}",
        "the job had more ranks than files are open: waiting for the others cannot be told from transfer",
    )


_CHECKS: list[Callable[[Rank], Check | None]] = [
    reading.events,
    reading.complete,
    reading.damaged,
    reading.broken,
    reading.clock,
    plausible.times,
    plausible.kernel_details,
    gpu.gpu_activity,
    gpu.linked,
    gpu.lost_activity,
    gpu.attributed,
    steps.steps_found,
    steps.steps_repeated,
    steps.steps_cut,
    steps.inside_steps,
    steps.host_ahead,
    reading.overlapping,
    gpu.communication,
    reading.unknown,
    reading.overhead,
    *RECORDED,
]
