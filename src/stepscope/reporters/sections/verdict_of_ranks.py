"""The verdicts of several ranks: those that deserve a look first, and those that say the same once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stepscope.findings.alike import grouped, worst_first
from stepscope.findings.report import Report
from stepscope.findings.verdict import Verdict
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.store.profile import as_ranges


def verdicts_once(report: Report, sentences: int, most: int | None = None) -> list[tuple[Verdict, ...]]:
    """Verdicts that say the same in their first sentences, together; the first of each stands for all.

    Args:
        most: so many groups at most, by what their ranks cost the job or how long their steps are.
    """
    groups = grouped(worst_first(report.verdicts, report.figures), sentences)[:most]
    return groups if _has_straggler(report) else sorted(groups, key=lambda group: group[0].rank)


def said_of(report: Report, group: Sequence[Verdict], sentences: int) -> tuple[str, list[str]]:
    """Whose sentences these are, and the sentences of the rank that stands for all."""
    texts = [[one_line(render(sentence)) for sentence in one.sentences[:sentences]] for one in group]
    same = all(own == texts[0] for own in texts)
    return label(report, [one.rank for one in group], None if same else group[0].rank), texts[0]


def label(report: Report, ranks: list[int], as_rank: int | None = None) -> str:
    """Whose sentence it is.

    Args:
        as_rank: whose figures it has, where those of the others differ a little.
    """
    if len(ranks) == 1:
        return say("section-of-rank", rank=ranks[0])
    every = len(ranks) == len(report.profile.ranks)
    return say("section-of-ranks", every=every, ranks=as_ranges(ranks), differ=as_rank is not None, rank=as_rank or 0)


def incomplete(report: Report) -> Iterator[str]:
    """What files that were cut off lack, and which figures hold: before any figure."""
    found: dict[str, list[int]] = {}
    for one in report.verdicts:
        if one.incomplete:
            said = " ".join(one_line(render(sentence)) for sentence in one.incomplete)
            found.setdefault(said, []).append(one.rank)
    for said, ranks in found.items():
        whose = label(report, ranks) if len(report.verdicts) > 1 else ""
        yield f"{whose}{say('verdict-incomplete')}. {said}"


def _has_straggler(report: Report) -> bool:
    return report.figures is not None and report.figures.straggler is not None
