"""The change that a kernel report suggests: kernels without what limits them."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.joined import KEY, SIZES, bounds, keyed
from stepscope.analyses.simulation.changes.subject import Changed, Subject
from stepscope.analyses.simulation.edits import ns_per_step, stretched
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.messages import Message
from stepscope.store.profile import Rank


def kernel_report(subject: Subject, edit: Edit) -> Changed:
    """Take off a function's kernels the most that their reports say removing their bottleneck would save."""
    found = bounds(subject.rank).filter(pl.col("function") == subject.name)
    if len(found) == 0:
        raise subject.nothing("change-no-such-report", "change-take-report")
    bound = bounds_of_activities(subject.rank, subject.model, found)
    which = bound > 0
    if not which.any():
        raise subject.nothing("change-no-such-profiled", "change-take-report")
    affected = Message(
        "change-affects-gpu",
        gpu_ns=ns_per_step(subject.model, float(edit.activities.duration[which].sum())),
        activities=round(int(which.sum()) / subject.model.steps),
    )
    return Changed(stretched(edit, which, 1 - bound / 100), affected)


def bounds_of_activities(rank: Rank, model: StepModel, found: pl.DataFrame) -> Floats:
    """Of each activity of a model the most that could be saved, per cent; 0 of those that were not profiled.

    Args:
        found: columns of `joined.bounds`.
    """
    activity = rank.whole.activity[model.gpu.rows]
    shapes = rank.trace.frame("activity", ["grid", "block"])
    coded = activity.select("name", *(shapes[name].gather(activity["row"]).alias(f"{name}_code") for name in SIZES))
    known = coded.unique().drop_nulls()
    named = known.with_columns(keyed(rank, known["name"], *(known[f"{name}_code"] for name in SIZES)))
    codes = coded.columns
    own = named.join(found, KEY).select(*codes, "bound_pct")
    return coded.join(own, codes, "left", maintain_order="left")["bound_pct"].fill_null(0.0).to_numpy()
