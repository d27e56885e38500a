"""The simulated steps that a report holds: one for each recommendation, on the rank where it saves most."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.simulation.changes import parse_change
from stepscope.errors import BadRequest
from stepscope.findings.kept_tables import made_table
from stepscope.store.profile import Profile
from stepscope.timeline.simulated_answer import described
from stepscope.timeline.simulated_step import simulate
from stepscope.timeline.timeline import open_timeline

_PIXELS = 2000
"""So many pieces of a lane, twice of each, are told apart."""

MOST_STEPS = 5
"""As many recommendations as a report's first page shows."""


def simulated_recommendations(profile: Profile) -> list[dict[str, Any]]:
    """Answers of `simulated_answer.described` about the fixes of the recommendations, those that save most first."""
    timeline = open_timeline(profile)
    findings = made_table(profile, "findings", "", False).frame
    worth = findings.filter(pl.col("largest") & pl.col("severity").is_in(_WORTH) & pl.col("rank").is_not_null())
    worth = worth.sort("per_sample", "saving_pct", "id", descending=[False, True, False])
    found: list[dict[str, Any]] = []
    for rank, text in worth.filter(pl.col("what_if") != "").select("rank", "what_if").rows():
        change = parse_change(text)
        if len(found) == MOST_STEPS or change.kind.of_job:
            continue
        try:
            ghost = simulate(timeline, profile.select([rank]), (change,), True)
        except BadRequest:
            # The finding stands without its picture.
            continue
        begin = ghost.step.begin - ghost.part.origin(timeline.origin_ns)
        window = (begin, begin + ghost.step.length_ns)
        found.append(described(timeline, ghost, (change,), window, _PIXELS, len(timeline.profile.ranks) > 1))
    return found


_WORTH = ("high", "medium")
"""Severities of findings whose saving is more than run-to-run variation."""
