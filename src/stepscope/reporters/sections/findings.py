"""Recommendations: at most five findings, each with its saving, its evidence and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.analyses.steps.steps import unmarked
from stepscope.findings.over_ranks import once
from stepscope.findings.report import Report
from stepscope.findings.straggler_findings import FINDING_ID
from stepscope.messages import Message
from stepscope.messages.device_words import in_device_words
from stepscope.messages.frames import in_words
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line, heading, notes_of
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_MOST = 5


def findings(report: Report, width: int) -> Iterator[Line]:
    """Findings of all ranks, one of several ranks once, with the largest of its savings."""
    table = in_words(report.tables["findings"], TABLES["findings"].messages)
    if len(table) == 0 and len(report.tables["step_time"]) == 0:
        return
    worth = once(table, "high", "medium")
    late = bool((worth["id"].head(_MOST) == FINDING_ID).any())
    says = say("recommendation-heading-says", straggler=late, unmarked=unmarked(report.profile))
    yield from heading(say("recommendation-heading"), says, width)
    if len(worth) == 0:
        yield from (Line(line) for line in wrapped(nothing_recommended(report), width, "  ", "  "))
    for number, row in enumerate(worth.head(_MOST).iter_rows(named=True), 1):
        yield from _finding(number, row, report.profile, width)
    if len(worth) > _MOST:
        yield Line(f"  {say('recommendation-more', count=len(worth) - _MOST)}", "dim")
    for text in _beside(report, table):
        yield from (Line(line, "dim") for line in wrapped(one_line(text), width, "  ", "  "))


def nothing_recommended(report: Report) -> str:
    """Why a report has no recommendations, in a sentence."""
    reasons = [note["reason"] for note in report.notes["findings"] if note.id == "note-no-rows-because"]
    return say("recommendation-none-because", reason=reasons[0]) if reasons else say("recommendation-none")


def best_saving(report: Report) -> str | None:
    """What the top recommendation would save, in a sentence; None without one."""
    worth = once(report.tables["findings"], "high", "medium")
    if len(worth) == 0:
        return None
    first = worth.row(0, named=True)
    said = saving(first, report.profile)
    if len(report.profile.ranks) > 1:
        return say("recommendation-top-on-rank", saving=said, rank=first["rank"])
    return say("recommendation-top", saving=said)


def saving(row: dict[str, Any], profile: Profile) -> Message:
    """What a row of the table saves, as a clause."""
    common = {
        "possible": row["confidence"] == "low",
        "saving_pct": row["saving_pct"],
        "low_pct": row["saving_low_pct"],
        "high_pct": row["saving_high_pct"],
    }
    if row["per_sample"]:
        # The step itself becomes longer: a time would be of no step that there is.
        return Message("recommendation-saving-per-sample", **common)
    return Message("recommendation-saving", saving_ns=row["saving_ns"], unmarked=unmarked(profile), **common)


def _beside(report: Report, table: pl.DataFrame) -> Iterator[str]:
    """What stands below the recommendations: minor findings, and notes."""
    minor = once(table, "low")
    if len(minor):
        yield say("recommendation-minor", titles="; ".join(minor["title"].to_list()))
    for row in once(table, "note").iter_rows(named=True):
        yield say("recommendation-note", title=row["title"].rstrip(".。"), advice=row["advice"])
    if len(table):
        yield from notes_of(report, "findings")


def _finding(number: int, row: dict[str, Any], profile: Profile, width: int) -> Iterator[Line]:
    title = f"{number}. {row['title']}"
    yield from (Line(line, "strong") for line in wrapped(one_line(title), width, "  ", "   "))
    for text in filter(None, (_details(row, profile), row["evidence"], row["advice"])):
        yield from (Line(line) for line in wrapped(one_line(text), width, "     "))
    yield from (Line(line) for line in _changed(row["change"], width, " " * 7))
    if row["unknown"]:
        unknown = say("recommendation-unknown", what=row["unknown"])
        yield from (Line(line) for line in wrapped(one_line(unknown), width, "     "))


def _details(row: dict[str, Any], profile: Profile) -> str:
    ranks = len(profile.ranks)
    sure = {"saving": saving(row, profile), "confidence": row["confidence"], "reason": row["confidence_reason"]}
    if ranks == 1:
        return say("recommendation-details", **sure)
    return say("recommendation-details-of-ranks", rank=row["rank"], seen=row["ranks"], ranks=ranks, **sure)


def _changed(change: str, width: int, indent: str) -> Iterator[str]:
    """The lines to change, as they may be pasted: a comment that does not fit behind its line stands above it, and
    what has comments only, which say what was there before, is in the table."""
    for line in map(one_line, in_device_words(change).splitlines()):
        code, was, comment = line.partition("  # was: ")
        if line.startswith("#"):
            continue
        if len(indent + line) <= width or not was:
            yield indent + line
            continue
        yield from wrapped(say("recommendation-was", code=comment), width, f"{indent}# ")
        yield indent + code
