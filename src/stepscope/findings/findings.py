"""The findings of all ranks as a table (see docs/tables/)."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.findings.detailed_ranks import few_note, few_ranks
from stepscope.findings.examination import LARGE_PCT, Finding, examine
from stepscope.findings.late_ranks import late_rank_rows
from stepscope.findings.wording import spoken
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_WIDE_POINTS = 20.0
"""A range wider than this leaves the saving itself unsure."""


def findings(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``findings``: ranks that others wait for, then by rank, most worth first."""
    rows = late_rank_rows(profile)
    for rank in few_ranks(profile).ranks:
        found = examine(profile, rank)
        rows += [_row(profile, rank.number, finding) for finding in (found.findings if found else ())]
    return pl.DataFrame(rows, schema=TABLES["findings"].schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[str]:
    """What all findings worth mending would save together."""
    told = few_note(profile)
    for rank in few_ranks(profile).ranks:
        found = examine(profile, rank)
        if found is not None and found.together_pct is not None:
            saving = found.together_pct
            label = f"rank {rank.number}: " if len(profile.ranks) > 1 else ""
            told.append(
                f"{label}all that are defects of this program, mended together: {saving.best:.0f} % "
                f"({saving.low:.0f} to {saving.high:.0f} %) of the step; savings do not add up"
            )
    if len(frame) == 0:
        return ["no rows: nothing was found that holds the steps back and could be mended", *few_note(profile)]
    return told


def severity(finding: Finding) -> str:
    """high, medium, low or note."""
    if finding.cause.note:
        return "note"
    if not finding.worth:
        return "low"
    return "high" if finding.saving_pct.best >= LARGE_PCT else "medium"


def confidence(finding: Finding) -> str:
    """How sure the saving is: general advice least, and what may save nothing; a narrow range most. "" for a note."""
    if finding.cause.note:
        return ""
    if finding.cause.general or finding.saving_pct.low <= 0:
        return "low"
    return "medium" if _wide(finding) or finding.cause.at_least or finding.cause.unsure else "high"


def confidence_reason(finding: Finding) -> str:
    """Why it is so sure and no surer; "" for a note."""
    if finding.cause.note:
        return ""
    if finding.saving_pct.low <= 0:
        return "it may save nothing"
    if finding.cause.general:
        return "it may not be possible here"
    if _wide(finding):
        return f"the range is wider than {_WIDE_POINTS:.0f} points"
    if finding.cause.at_least:
        return "a mend brings more than what was timed"
    if finding.cause.unsure:
        return "whether it can be mended so is not known"
    return f"the range is at most {_WIDE_POINTS:.0f} points wide"


def _wide(finding: Finding) -> bool:
    return finding.saving_pct.high - finding.saving_pct.low > _WIDE_POINTS


def _row(profile: Profile, rank: int, finding: Finding) -> dict[str, Any]:
    cause, claims = finding.cause, finding.cause.claims
    often = spoken(f"{cause.count:,.0f} times a step") if cause.count or not cause.note else ""
    first = int(claims.start.argmin()) if len(claims.start) else None
    return {
        "rank": rank,
        "id": cause.id,
        "title": spoken(cause.title),
        "category": cause.category,
        "severity": severity(finding),
        **({} if cause.note else _saved(finding)),
        "confidence": confidence(finding),
        "confidence_reason": confidence_reason(finding),
        "advice": cause.advice,
        "unknown": cause.unknown,
        "what_if": cause.what_if,
        "evidence": ", ".join(part for part in (cause.where, often, _first_at(profile, rank, finding)) if part),
        "spent_ns": round(cause.spent_ns),
        "start_ns": int(claims.start[first]) if first is not None else None,
        "end_ns": int(claims.end[first]) if first is not None else None,
        "change": cause.change,
        "links": " ".join(cause.links),
    }


def _first_at(profile: Profile, rank: int, finding: Finding) -> str:
    """When it first happened, from the first event on: what the search of the web app takes to the timeline."""
    claims = finding.cause.claims
    if len(claims.start) == 0:
        return ""
    first = int(claims.start.argmin())
    origin = job_clock(profile).origin(rank)
    start, end = ((int(at[first]) - origin) / 1e6 for at in (claims.start, claims.end))
    return f"first at {start:,.3f} to {end:,.3f} ms"


def _saved(finding: Finding) -> dict[str, Any]:
    return {
        "saving_low_ns": round(finding.saving_ns.low),
        "saving_ns": round(finding.saving_ns.best),
        "saving_high_ns": round(finding.saving_ns.high),
        "saving_pct": finding.saving_pct.best,
        "saving_low_pct": finding.saving_pct.low,
        "saving_high_pct": finding.saving_pct.high,
        "method": finding.cause.method
        + (", at least" if finding.cause.at_least and finding.saving_pct.low > 0 else ""),
    }
