"""What the ranks of a job say together, in sentences: who is waited for, why, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from stepscope import analyses
from stepscope.analyses.ranks.stragglers import LEAST_PCT, STRAGGLER, innocence, milliseconds
from stepscope.analyses.ranks.waiting import coverage, exchanges_messages
from stepscope.store.profile import Profile, as_ranges

_MOST_NAMED = 3
_WORTH_PCT = 1.0
"""A smaller share of the job's step is not worth a sentence."""

_MUCH_PCT, _MOSTLY_PCT = 5.0, 50.0
"""So much of the job's step is waited, and such a part of that for one rank: somebody has to look."""


def job_sentences(profile: Profile) -> tuple[str, ...]:
    """The job in sentences, most important first; empty where one rank is open or nothing was matched.

    They are about all ranks and steps, whatever is selected of them.
    """
    whole = profile.everyone
    if len(whole.ranks) < 2:
        return ()
    job, stragglers = analyses.make_table(whole, "job"), analyses.make_table(whole, "stragglers")
    told = told_of(job, stragglers, exchanges_messages(whole))
    judged = stragglers["rank"].to_list()
    unknown = [rank.number for rank in whole.ranks if rank.number not in judged]
    if told and judged and unknown:
        few_judged = len(judged) <= len(unknown) and waited_for(told) is None
        told = (*(told[1:] if few_judged else told), _untold(unknown))
    share = coverage(whole)
    return (*told, MISSING) if told and share.complete < share.matched else told


def waited_for(sentences: tuple[str, ...]) -> str | None:
    """The sentence that names a rank which the others wait for, if there is one."""
    return sentences[0] if sentences and sentences[0].startswith(_ACCUSING) else None


def _untold(ranks: list[int]) -> str:
    who = f"ranks {as_ranges(ranks)} are" if len(ranks) > 1 else f"rank {ranks[0]} is"
    return f"Whether {who} late cannot be told: too few of their collectives can be compared."


MISSING = "Some collectives are not recorded on all their ranks: what looks like transferring may be waiting for one."

_ACCUSING = "The other ranks wait for "


def told_of(job: pl.DataFrame, stragglers: pl.DataFrame, has_stages: bool = False) -> tuple[str, ...]:
    """The same from the tables ``job`` and ``stragglers``.

    Args:
        has_stages: ranks send each other messages, so that a late one may have had time to be late.
    """
    if len(job) == 0:
        return ()
    mean = job.row(0, named=True)
    waiting = _waiting(mean)
    if len(stragglers) == 0:
        return (UNTOLD, *waiting) if waiting else ()
    late = stragglers.filter(pl.col("verdict") == STRAGGLER).rows(named=True)
    if late:
        return (*_accused(late, mean, has_stages), *waiting)
    latest = stragglers.row(0, named=True)
    doubt = _doubt(mean) if latest["lateness_pct"] < LEAST_PCT else []
    return (_sentence(innocence(latest)), *waiting, *doubt)


UNTOLD = "Which rank is late cannot be told: no collective that needs all its ranks was found on several of them."


def _doubt(mean: Mapping[str, Any]) -> list[str]:
    """Nobody is late by own work that can be told; yet the ranks wait, and mostly for one."""
    step, rank = mean["duration_ns"], mean["waited_for"]
    if rank is None or mean["waited_for_pct"] < _MOSTLY_PCT or 100 * mean["exposed_wait_ns"] < _MUCH_PCT * step:
        return []
    return [f"Whether rank {rank}, which is waited for most, is late by its own work could not be told: look at it."]


def _accused(late: list[dict[str, Any]], mean: Mapping[str, Any], has_stages: bool) -> list[str]:
    """Who is late, why, and what the job would take without."""
    first = late[0]
    step = (
        f"of the job's step of {milliseconds(mean['duration_ns'])}, in {first['late_steps']} of {first['steps']} steps"
    )
    held = f"{milliseconds(first['lateness_ns'])} ({first['lateness_pct']:.0f} %)"
    told = [f"{_ACCUSING}rank {first['rank']}: its own work holds them back by {held} {step}."]
    told += [f"{_cause(row, len(late) > 1)}." for row in late[:_MOST_NAMED] if row["cause"]]
    if len(late) > 1:
        others = ", ".join(f"rank {row['rank']} by {milliseconds(row['lateness_ns'])}" for row in late[1:_MOST_NAMED])
        more = f" and {len(late) - _MOST_NAMED} more" if len(late) > _MOST_NAMED else ""
        told.insert(1, f"So do {others}{more}.")
    without = mean["duration_ns"] - first["lateness_ns"]
    at_best = " at best, as far as other stages of the pipeline are not waited for then" if has_stages else ""
    told.append(f"Without that a step of the job would take about {milliseconds(without)}{at_best}.")
    return told


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _cause(row: Mapping[str, Any], several: bool) -> str:
    detail = f", {row['detail']}" if row["detail"] else ""
    who = f" rank {row['rank']}" if several else ""
    return f"Why{who}: {row['cause']}{detail}"


def _waiting(mean: Mapping[str, Any]) -> list[str]:
    """How much of the job's step waits, and how much transfers."""
    step = mean["duration_ns"]
    wait, transfer, rest = (
        100.0 * mean[f"exposed_{name}_ns"] / step if step else 0.0 for name in ("wait", "transfer", "unmatched")
    )
    if max(wait, transfer, rest) < _WORTH_PCT:
        return []
    parts = [f"{wait:.0f} % waiting for another rank", f"{transfer:.0f} % transferring"]
    parts += [f"{rest:.0f} % not told apart"] if rest >= _WORTH_PCT else []
    told = f"Of the job's step nothing computes during {', '.join(parts)} (mean over ranks)"
    if mean["waited_for"] is not None and wait >= _WORTH_PCT:
        told += f"; {mean['waited_for_pct']:.0f} % of that waiting ends when rank {mean['waited_for']} arrives"
    return [f"{told}."]
