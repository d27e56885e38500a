"""The findings of all ranks as a table (see docs/tables/)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.analyses.recording.gpu_checks import captured, gpu_cut_off
from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.simulation.estimates import SAVING_POINTS
from stepscope.analyses.steps.steps import lacks_whole_step, step_times, uncut
from stepscope.findings.compile_findings import compile_rows
from stepscope.findings.detailed_ranks import few_ranks, selection_note
from stepscope.findings.detector_context import Cause, Note, Observation
from stepscope.findings.examination import LARGE_PCT, Finding, examine
from stepscope.findings.hang_verdict import hang_rows
from stepscope.findings.kernel_findings import kernel_rows
from stepscope.findings.over_ranks import with_ranks
from stepscope.findings.pipeline_findings import pipeline_rows
from stepscope.findings.straggler_findings import straggler_rows
from stepscope.findings.tested import as_tested
from stepscope.findings.two_threads import TwoThreads
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

WIDE_POINTS = 20
"""A range wider than this, in percentage points, leaves the saving itself unsure."""

REPEATED = 2
"""What is seen in fewer steps may not happen in others."""


def findings(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``findings``: hangs, stragglers, then by rank, largest saving first, notes last."""
    rows = [*hang_rows(profile), *straggler_rows(profile), *compile_rows(profile)]
    with TwoThreads() as threads:
        threads.begin(partial(job_clock, profile))  # which tells the moments of what is found
        for rank in few_ranks(profile).ranks:
            rows += [*_examined_rows(profile, rank), *kernel_rows(rank), *pipeline_rows(rank)]
    return with_ranks(pl.DataFrame(rows, schema=TABLES["findings"].schema))


def _examined_rows(profile: Profile, rank: Rank) -> Iterator[dict[str, Any]]:
    """What examining the steps of a rank found."""
    found = examine(profile, rank)
    if found is not None:
        yield from (_finding_row(profile, rank.number, finding) for finding in found.findings)
        yield from (_note_row(profile, rank.number, note) for note in found.notes)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What all program-specific findings would save together, and which detectors failed."""
    said = [*selection_note(profile), *_failures(profile)]
    if len(frame) == 0:
        why = _unexamined(profile)
        return [Message("note-no-rows-because", reason=why) if why else Message("finding-none"), *said]
    return [*said, *_combined_savings(profile)]


def _unexamined(profile: Profile) -> Message | None:
    """Why nothing could be simulated on any rank that has steps; None where something was, or no rank has any."""
    few = few_ranks(profile).ranks
    if few and not any(rank.has_steps for rank in few):
        return Message("finding-no-steps", kind=few[0].trace.kind)
    ranks = [rank for rank in few if len(uncut(step_times(rank)))]
    if not ranks or any(examine(profile, rank) is not None for rank in ranks):
        return None
    if any(map(lacks_whole_step, ranks)):
        return Message("finding-unexamined", why="steps")
    if any(map(gpu_cut_off, ranks)):
        return Message("finding-unexamined", why="cut")
    if any(captured(rank.whole) is not None for rank in ranks):
        return Message("finding-unexamined", why="captured")
    return Message("finding-unexamined", why="threads" if any(several_launch(rank.whole) for rank in ranks) else "host")


def _failures(profile: Profile) -> list[Message]:
    """Which detectors failed, so that their findings are missing."""
    found = [examine(profile, rank) for rank in few_ranks(profile).ranks]
    return [failure for one in found if one is not None for failure in one.failures]


def _combined_savings(profile: Profile) -> list[Message]:
    combined = []
    for rank in few_ranks(profile).ranks:
        found = examine(profile, rank)
        if found is None or found.together_pct is None:
            continue
        saving = found.together_pct
        pct = {"saving_pct": saving.best, "low_pct": saving.low, "high_pct": saving.high}
        if len(profile.ranks) > 1:
            combined.append(Message("finding-combined-on-rank", rank=rank.number, **pct))
        else:
            combined.append(Message("finding-combined", **pct))
    return combined


def severity(finding: Finding) -> str:
    """high, medium or low."""
    if not finding.worth:
        return "low"
    return "high" if finding.saving_pct.best >= LARGE_PCT else "medium"


def confidence(finding: Finding) -> str:
    """How sure the saving is: general advice least, and what may save nothing; a narrow range most."""
    if finding.cause.general or finding.saving_pct.low <= 0:
        return "low"
    cause = finding.cause
    unsure = _wide(finding) or cause.unsure or _varies(cause)
    unsure |= finding.steps < REPEATED or not finding.even
    return "medium" if unsure else "high"


def confidence_reason(finding: Finding) -> Message:
    """Why it is so sure and no surer."""
    if finding.saving_pct.low <= 0:
        return Message("confidence-may-save-nothing")
    if finding.cause.general:
        return Message("confidence-may-not-apply")
    if _wide(finding):
        return Message("confidence-wide-range", points=WIDE_POINTS)
    if finding.steps < REPEATED:
        return Message("confidence-single-step")
    if not finding.even:
        return Message("confidence-uneven-steps")
    if _varies(finding.cause):
        return Message("confidence-fix-varies")
    if finding.cause.unsure:
        return Message("confidence-fix-unknown")
    return Message("confidence-narrow-range", points=WIDE_POINTS)


def evidence(where: str, times: int | None, ranges: int, range_ns: tuple[int, int] | None) -> Message | None:
    """Where something happens, how many times a step, and when for longest; None where nothing of it is known.

    Args:
        where: file and line, "" where that is not known.
        ranges: how many there are.
        range_ns: the longest of them, in ns from the job clock's origin.
    """
    if not where and times is None and range_ns is None:
        return None
    start_ns, end_ns = range_ns or (None, None)
    return Message(
        "evidence-found",
        where=where or None,
        times=times,
        ranges=ranges,
        start_ns=start_ns,
        end_ns=end_ns,
    )


def _wide(finding: Finding) -> bool:
    return finding.saving_pct.high - finding.saving_pct.low > WIDE_POINTS


def _varies(cause: Cause) -> bool:
    return cause.varies or cause.margin > SAVING_POINTS


def _finding_row(profile: Profile, rank: int, finding: Finding) -> dict[str, Any]:
    cause = finding.cause
    return {
        **_observed(profile, rank, cause),
        "severity": severity(finding),
        "saving_low_ns": round(finding.saving_ns.low),
        "saving_ns": round(finding.saving_ns.best),
        "saving_high_ns": round(finding.saving_ns.high),
        "saving_pct": finding.saving_pct.best,
        "saving_low_pct": finding.saving_pct.low,
        "saving_high_pct": finding.saving_pct.high,
        "per_sample": cause.per_sample,
        "confidence": confidence(finding),
        "confidence_reason": as_tested(profile, cause.id, confidence_reason(finding)).encoded(),
        "method": cause.method.encoded(),
        "what_if": f"fix:{cause.id}",
    }


def _note_row(profile: Profile, rank: int, note: Note) -> dict[str, Any]:
    unsaved = {"per_sample": False, "confidence": "", "what_if": ""}
    return {**_observed(profile, rank, note), "severity": "note", **unsaved}


def _longest(ranges: Ranges) -> tuple[int, int] | None:
    """Start and end of the longest of some ranges, the first of several; None without any."""
    if len(ranges.start) == 0:
        return None
    longest = np.lexsort((ranges.start, ranges.start - ranges.end))[0]
    return int(ranges.start[longest]), int(ranges.end[longest])


def _observed(profile: Profile, rank: int, seen: Observation) -> dict[str, Any]:
    """What findings and notes have in common."""
    range_ns = _longest(seen.claims)
    origin = job_clock(profile).origin(rank)
    times = None if isinstance(seen, Note) and not seen.count else round(seen.count)
    on_job_clock = range_ns and (range_ns[0] - origin, range_ns[1] - origin)
    said = evidence(seen.where, times, len(seen.claims.start), on_job_clock)
    return {
        "rank": rank,
        "id": seen.id,
        "title": seen.title.encoded(),
        "category": seen.category,
        "advice": seen.advice.encoded(),
        "unknown": seen.unknown and seen.unknown.encoded(),
        "evidence": said and said.encoded(),
        "spent_ns": round(seen.spent_ns),
        "start_ns": range_ns and range_ns[0],
        "end_ns": range_ns and range_ns[1],
        "change": seen.change,
        "links": " ".join(seen.links),
    }
