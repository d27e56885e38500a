"""What-if answers as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import polars as pl

from stepscope.analyses.simulation.bottleneck_sides import COMMUNICATION, COMPUTE, COPIES, DATA_LOADING, HOST
from stepscope.analyses.simulation.estimates import Answer
from stepscope.analyses.simulation.path import LAUNCH_LATENCY, OTHERS, PATH_SIDES, WAITING
from stepscope.findings.what_if import WhatIf
from stepscope.findings.what_if_job import JobAnswer, JobWhatIf
from stepscope.messages import Message
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, rendered_json, say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.records import profile_facts
from stepscope.reporters.sections.text_lines import Line, heading, with_share
from stepscope.reporters.table import TextColumn, render_table
from stepscope.schema import JSON_VERSION
from stepscope.store.profile import Profile

_METHOD: Final = Message("simulation-method")
_METHOD_JOB: Final = Message("simulation-method-job")
_METHOD_STRAGGLER: Final = Message("simulation-method-straggler")

_SIDES = {
    HOST: Message("path-side-host"),
    DATA_LOADING: Message("path-side-data-loading"),
    LAUNCH_LATENCY: Message("path-side-launch-latency"),
    COMPUTE: Message("path-side-compute"),
    COMMUNICATION: Message("path-side-communication"),
    COPIES: Message("path-side-copies"),
    WAITING: Message("path-side-waiting"),
}
_LONGEST = 5


def what_if_lines(found: Sequence[WhatIf], width: int, job: JobWhatIf | None = None) -> Iterator[Line]:
    """The answers in words: for the job, then a paragraph for each rank."""
    if job is not None:
        yield from _of_job(job, width)
    for one in found:
        if len(found) > 1:
            yield from heading(say("simulation-rank", rank=one.rank))
        yield from _wrapped(_before(one), width, "strong")
        for text, answer in zip(one.changes, one.alone, strict=True):
            yield from _wrapped(_change(text, answer), width)
        if len(one.changes) > 1:
            yield from _wrapped(Message("simulation-together", saving=_saving(one.together)), width, "strong")
        yield from _wrapped(_bottleneck(one.together), width)
        yield from path_lines(one.path_before, one.path_after, width)
        yield Line("")
    yield from _wrapped(_method(found), width, "dim")


def _method(found: Sequence[WhatIf]) -> Message:
    """How the answers were derived, by how many ranks were simulated."""
    return _METHOD_STRAGGLER if not found else _METHOD if len(found) == 1 else _METHOD_JOB


def _of_job(job: JobWhatIf, width: int) -> Iterator[Line]:
    """The job's step before and after, and each change by itself."""
    before, after = job.together.before, job.together.after
    step = Message(
        "simulation-job",
        recorded_ns=round(job.recorded_ns),
        before_ns=round(before.best),
        simulated=before.low != before.high,
        after_ns=round(after.best),
        low_ns=round(after.low),
        high_ns=round(after.high),
    )
    yield from _wrapped(step, width, "strong")
    for text, answer in zip(job.changes, job.alone, strict=True):
        yield from _wrapped(_change(text, answer), width)
    if len(job.changes) > 1:
        yield from _wrapped(Message("simulation-together", saving=_saving(job.together)), width, "strong")
    yield Line("")


def _change(text: str, answer: Answer | JobAnswer) -> Message:
    affected = answer.affected[0] if answer.affected else None
    return Message("simulation-change", change=text, saving=_saving(answer), affected=affected)


def _wrapped(message: Message, width: int, style: str = "") -> Iterator[Line]:
    yield from (Line(line, style) for line in wrapped(one_line(render(message)), width, "", "  "))


def _before(one: WhatIf) -> Message:
    step = one.together.before
    return Message(
        "simulation-before",
        recorded_ns=round(one.recorded_ns),
        step_ns=round(step.best),
        low_ns=round(step.low),
        high_ns=round(step.high),
    )


def _saving(answer: Answer | JobAnswer) -> Message:
    saved = answer.saving_pct
    longer = round(saved.best) < 0
    low, best, high = (-saved.high, -saved.best, -saved.low) if longer else (saved.low, saved.best, saved.high)
    return Message(
        "simulation-saving",
        after_ns=round(answer.after.best),
        longer=longer,
        change_pct=_unsigned_zero(best),
        low_pct=_unsigned_zero(low),
        high_pct=_unsigned_zero(high),
    )


def _unsigned_zero(pct: float) -> float:
    """Without a sign where it rounds to 0."""
    return pct if round(pct) else 0.0


def _bottleneck(answer: Answer) -> Message:
    (before, before_pct), (after, after_pct) = answer.bound_before, answer.bound_after
    return Message(
        "simulation-bottleneck",
        before=_SIDES[before],
        before_pct=before_pct,
        after=_SIDES[after],
        after_pct=after_pct,
    )


def path_lines(before: pl.DataFrame, after: pl.DataFrame, width: int) -> Iterator[Line]:
    """What a step is made of by resource, before and after, and the longest parts of its critical path afterwards."""
    yield from heading(say("simulation-path"), say("simulation-path-says"), width)
    sides = [side for side in PATH_SIDES if side in before["side"] or side in after["side"]]
    columns = [TextColumn(say("simulation-side"), [render(_SIDES[side]) for side in sides], right=False)]
    for title, path in ((say("simulation-path-before"), before), (say("simulation-path-after"), after)):
        columns.append(TextColumn(title, [_share_of(path.filter(side=side), path) for side in sides], right=True))
    yield from (Line(line) for line in render_table(columns, width, "  "))
    longest = after.filter(pl.col("label").is_null() | (pl.col("label") != OTHERS)).head(_LONGEST)
    yield from heading(say("simulation-longest"), "", width)
    columns = [
        TextColumn(say("simulation-name"), [_name(row) for row in longest.to_dicts()], right=False, flexible=True),
        TextColumn(say("simulation-side"), [render(_SIDES[side]) for side in longest["side"]], right=False),
        TextColumn(say("simulation-time"), [_share_of(longest[row], after) for row in range(len(longest))], right=True),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  "))


def _name(part: dict[str, Any]) -> str:
    if part["name"] is None:
        return render(Message.decoded(part["label"]))
    return one_line(short_kernels(part["name"]) if part["side"] in (COMPUTE, COMMUNICATION) else part["name"])


def _share_of(parts: pl.DataFrame, path: pl.DataFrame) -> str:
    return with_share(int(parts["ns"].sum()), max(1, int(path["ns"].sum())))


Said = Callable[[Message], dict[str, Any]]


def what_if_json(profile: Profile, found: Sequence[WhatIf], job: JobWhatIf | None = None) -> str:
    """The answers as JSON."""
    return json.dumps(what_if_document(profile, found, rendered_json, job), ensure_ascii=False, allow_nan=False)


def what_if_document(
    profile: Profile, found: Sequence[WhatIf], said: Said, job: JobWhatIf | None = None
) -> dict[str, Any]:
    """The answers as JSON values: schema_version, profile, method, job (null of one rank), ranks.

    Args:
        said: a message as JSON values.
    """
    return {
        "schema_version": JSON_VERSION,
        "profile": profile_facts(profile),
        "method": said(_method(found)),
        "job": job and _answers(job, said),
        "ranks": [
            {
                "rank": one.rank,
                **_answers(one, said),
                "path_before": _path(one.path_before, said),
                "path_after": _path(one.path_after, said),
            }
            for one in found
        ],
    }


def _answers(one: WhatIf | JobWhatIf, said: Said) -> dict[str, Any]:
    """What a rank and the job have in common."""
    answers: Sequence[Answer | JobAnswer] = one.alone
    alone = zip(one.changes, answers, strict=True)
    return {
        "recorded_ns": round(one.recorded_ns),
        "changes": [{"change": text, **_record(answer, said)} for text, answer in alone],
        "together": _record(one.together, said),
    }


def _path(path: pl.DataFrame, said: Said) -> list[dict[str, Any]]:
    """Its parts: ``name`` is the trace's, else null, and ``label`` says what it is."""
    return [{**part, "label": part["label"] and said(Message.decoded(part["label"]))} for part in path.to_dicts()]


def _record(answer: Answer | JobAnswer, said: Said) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, of in (("before", answer.before), ("after", answer.after), ("saving", answer.saving_ns)):
        record |= {f"{name}_low_ns": round(of.low), f"{name}_ns": round(of.best), f"{name}_high_ns": round(of.high)}
    saved = answer.saving_pct
    record |= {"saving_low_pct": saved.low, "saving_pct": saved.best, "saving_high_pct": saved.high}
    if isinstance(answer, Answer):
        for name, (side, share) in (("before", answer.bound_before), ("after", answer.bound_after)):
            record |= {f"bound_{name}": side, f"bound_{name}_pct": share}
    return record | {"affected": [said(one) for one in answer.affected]}
