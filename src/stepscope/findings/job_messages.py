"""What the ranks of a job say together, as messages: which rank is a straggler, why, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from stepscope import analyses
from stepscope.analyses.hangs.records import dumps_of
from stepscope.analyses.ranks.causes import NAMES
from stepscope.analyses.ranks.start_skew import start_skew
from stepscope.analyses.ranks.stragglers import LEAST_PCT, STRAGGLER, innocence
from stepscope.analyses.ranks.transfer_variation import transfer_variation_ns
from stepscope.analyses.ranks.waiting import coverage, exchanges_messages
from stepscope.analyses.ranks.without_straggler import WithoutStraggler, of_rows
from stepscope.findings.hang_verdict import HANGS, hang_sentences
from stepscope.findings.hardware_verdict import uneven_over_ranks
from stepscope.findings.inspector_verdict import LOGS, log_sentences
from stepscope.messages import Message
from stepscope.store.profile import Profile, as_ranges

_MOST_NAMED = 3
_WORTH_PCT = 1.0
"""A smaller share of the job's step is not worth a sentence."""

_MUCH_PCT, _MOSTLY_PCT = 5.0, 50.0
"""So much of the job's step is waited, and such a part of that for one rank: it has to be looked at."""

STRAGGLES = "job-straggler"

MISSING = Message("job-missing")
UNDETERMINED = Message("job-undetermined")


def job_sentences(profile: Profile) -> tuple[Message, ...]:
    """The job in sentences, most important first; empty where one rank is open or nothing was matched.

    They are about all ranks, whichever are selected, and the selected steps.
    """
    whole = profile.with_every_rank()
    return (*(hang_sentences(whole) if dumps_of(whole) else ()), *log_sentences(whole), *_of_ranks(whole))


def _of_ranks(whole: Profile) -> tuple[Message, ...]:
    """The ranks compared."""
    if len(whole.ranks) < 2:
        return ()
    job, stragglers = analyses.make_table(whole, "job"), analyses.make_table(whole, "stragglers")
    varies = transfer_variation_ns(whole) if (stragglers["verdict"] == STRAGGLER).any() else 0.0
    sentences = sentences_of(job, stragglers, exchanges_messages(whole), varies, whole.factor(STRAGGLER))
    said = (*sentences, *_skew(whole, job))
    judged = stragglers["rank"].to_list()
    unknown = [rank.number for rank in whole.ranks if rank.number not in judged]
    if said and judged and unknown:
        few_judged = len(judged) <= len(unknown) and waited_for(said) is None
        not_judged = Message("job-ranks-undetermined", count=len(unknown), ranks=as_ranges(unknown))
        said = (*(said[1:] if few_judged else said), not_judged)
    said = (*said, *uneven_over_ranks(whole))
    share = coverage(whole)
    return (*said, MISSING) if said and share.complete < share.matched else said


def _skew(profile: Profile, job: pl.DataFrame) -> list[Message]:
    """That the profiler starts at different moments on the ranks, where that is much of what all steps wait."""
    skew = start_skew(profile) if profile is profile.everyone else None
    if skew is None or len(job) == 0:
        return []
    mean, steps = job.row(0, named=True), max(1, len(job) - 1)
    most = max(_MUCH_PCT / 100 * mean["duration_ns"], 0.1 * mean["exposed_wait_ns"])
    if skew.spread_ns / steps < most or mean["exposed_wait_ns"] == 0:
        return []
    return [Message("job-start-skew", spread_ns=skew.spread_ns, rank=skew.last)]


def waited_for(sentences: tuple[Message, ...]) -> Message | None:
    """The sentence that names a rank which the others wait for, if there is one."""
    return sentences[0] if sentences and sentences[0].id == STRAGGLES else None


def leading(sentences: tuple[Message, ...]) -> Message | None:
    """The sentence that is the verdict on the job, before those on its ranks: what hangs, what
    NCCL's own measurements say, else who is waited for."""
    leads = bool(sentences) and sentences[0].id.startswith((HANGS, LOGS))
    return sentences[0] if leads else waited_for(sentences)


def sentences_of(
    job: pl.DataFrame,
    stragglers: pl.DataFrame,
    has_stages: bool = False,
    varies_ns: float = 0.0,
    factor: float = 1.0,
) -> tuple[Message, ...]:
    """The same from the tables ``job`` and ``stragglers``.

    Args:
        has_stages: ranks send each other messages, so that a late one may have had time to be late.
        varies_ns: by how much the transfers of a step vary.
        factor: by what the range without a straggler is multiplied, as of `Profile.factor`.
    """
    if len(job) == 0:
        return ()
    mean = job.row(0, named=True)
    waiting = _waiting(mean)
    if len(stragglers) == 0:
        return (UNDETERMINED, *waiting) if waiting else ()
    late = stragglers.filter(pl.col("verdict") == STRAGGLER).rows(named=True)
    if late:
        without = of_rows(late, mean["duration_ns"], has_stages, varies_ns, factor)[0]
        return (*_stragglers(late, mean, without), *waiting)
    latest = stragglers.row(0, named=True)
    doubt = _doubt(mean) if latest["lateness_pct"] < LEAST_PCT else []
    return (Message("text-sentence", text=innocence(latest)), *waiting, *doubt)


def _doubt(mean: Mapping[str, Any]) -> list[Message]:
    """No rank is late by own work that can be determined; yet the ranks wait, and mostly for one."""
    step, rank = mean["duration_ns"], mean["waited_for"]
    if rank is None or mean["waited_for_pct"] < _MOSTLY_PCT or 100 * mean["exposed_wait_ns"] < _MUCH_PCT * step:
        return []
    return [Message("job-doubt", rank=rank)]


def _stragglers(late: list[dict[str, Any]], mean: Mapping[str, Any], without: WithoutStraggler) -> list[Message]:
    """Which ranks are late, why, and what the job would take without."""
    first = late[0]
    said = [
        Message(
            "job-straggler",
            rank=first["rank"],
            lateness_ns=first["lateness_ns"],
            lateness_pct=first["lateness_pct"],
            step_ns=mean["duration_ns"],
            late_steps=first["late_steps"],
            steps=first["steps"],
        )
    ]
    if len(late) > 1:
        others = [
            Message("job-late-by", rank=row["rank"], lateness_ns=row["lateness_ns"]) for row in late[1:_MOST_NAMED]
        ]
        more = max(0, len(late) - _MOST_NAMED)
        said.append(Message("job-more-stragglers", others=others, count=len(others) + more, more=more))
    said += [_cause(row, len(late) > 1) for row in late[:_MOST_NAMED] if row["cause"]]
    after, at_best = without.after_ns, without.has_stages
    step_ns, low_ns, high_ns = round(after.best), round(after.low), round(after.high)
    said.append(Message("job-without", step_ns=step_ns, low_ns=low_ns, high_ns=high_ns, at_best=at_best))
    return said


def _cause(row: Mapping[str, Any], several: bool) -> Message:
    detail = Message.decoded(row["detail"]) if row["detail"] else None
    return Message("job-cause", rank=row["rank"], several=several, cause=NAMES[row["cause"]], detail=detail)


def _waiting(mean: Mapping[str, Any]) -> list[Message]:
    """How much of the job's step waits, and how much transfers."""
    step = mean["duration_ns"]
    wait, transfer, rest = (
        100.0 * mean[f"exposed_{name}_ns"] / step if step else 0.0 for name in ("wait", "transfer", "unmatched")
    )
    if max(wait, transfer, rest) < _WORTH_PCT:
        return []
    names_one = mean["waited_for"] is not None and wait >= _WORTH_PCT
    return [
        Message(
            "job-exposed",
            wait_pct=wait,
            transfer_pct=transfer,
            has_rest=rest >= _WORTH_PCT,
            rest_pct=rest,
            names_one=names_one,
            rank=mean["waited_for"],
            waited_for_pct=mean["waited_for_pct"],
        )
    ]
