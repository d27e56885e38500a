"""What-if answers as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from stepscope.analyses.simulation.bottleneck_sides import COMMUNICATION, COMPUTE, COPIES, DATA_LOADING, HOST
from stepscope.analyses.simulation.estimates import Answer, Range
from stepscope.analyses.simulation.path import LAUNCH_LATENCY, OTHERS, PATH_SIDES, WAITING
from stepscope.findings.what_if import WhatIf
from stepscope.messages.quantities import time_text
from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.records import profile_facts
from stepscope.reporters.sections.text_lines import Line, heading, with_share
from stepscope.reporters.table import TextColumn, render_table, wrapped
from stepscope.reporters.units import one_line
from stepscope.schema import JSON_VERSION
from stepscope.store.profile import Profile

_METHOD = (
    "Estimated by timing the recorded steps again, without what the profiler adds, before and after the change. "
    "The range holds what about four of five such changes brought where they were measured."
)

_SIDES = {
    HOST: "host",
    DATA_LOADING: "data loading",
    LAUNCH_LATENCY: "launch latency",
    COMPUTE: "computing",
    COMMUNICATION: "communication",
    COPIES: "copies",
    WAITING: "waiting",
}
_LONGEST = 5


def what_if_lines(found: Sequence[WhatIf], width: int) -> Iterator[Line]:
    """The answers in words, a paragraph for each rank."""
    for one in found:
        if len(found) > 1:
            yield from heading(f"Rank {one.rank}")
        before = f"A step was recorded with {time_text(one.recorded_ns)}; without the profiler it takes about "
        yield from _wrapped(f"{before}{_times(one.together.before)}.", width, "strong")
        for text, answer in zip(one.changes, one.alone, strict=True):
            yield from _wrapped(f"{one_line(text)}: {_saving(answer)} It changes {answer.touched[0]}.", width)
        if len(one.changes) > 1:
            yield from _wrapped(f"All together: {_saving(one.together)}", width, "strong")
        yield from _wrapped(_binds(one.together), width)
        yield from path_lines(one.path_before, one.path_after, width)
        yield Line("")
    yield from _wrapped(_METHOD, width, "dim")


def _wrapped(text: str, width: int, style: str = "") -> Iterator[Line]:
    yield from (Line(line, style) for line in wrapped(text, width, "", "  "))


def _times(times: Range) -> str:
    return f"{time_text(times.best)} ({time_text(times.low)} to {time_text(times.high)})"


def _saving(answer: Answer) -> str:
    saved = answer.saving_pct
    more = round(saved.best) < 0
    low, best, high = (-saved.high, -saved.best, -saved.low) if more else (saved.low, saved.best, saved.high)
    change = f"{_whole(best)} % {'more' if more else 'less'} ({_whole(low)} to {_whole(high)} %)"
    return f"{time_text(answer.after.best)} a step, {change}."


def _whole(pct: float) -> str:
    """Without a sign before 0."""
    return f"{round(pct):d}"


def _binds(answer: Answer) -> str:
    side, share = answer.binds_before
    new_side, new_share = answer.binds_after
    words = {HOST: "the host", DATA_LOADING: "the data loader", COMPUTE: "the GPU's computing", COPIES: "copying"}
    before, after = (words.get(name, name) for name in (side, new_side))
    return f"Before, {before} holds back {share:.0f} % of the step; afterwards {after} {new_share:.0f} % of it."


def path_lines(before: pl.DataFrame, after: pl.DataFrame, width: int) -> Iterator[Line]:
    """What a step is made of by side, before and after, and the longest parts of the path afterwards."""
    yield from heading("The step's path", "what it waits for, end to end", width)
    sides = [side for side in PATH_SIDES if side in before["side"] or side in after["side"]]
    cells = [[_share_of(path.filter(side=side), path) for side in sides] for path in (before, after)]
    columns = [TextColumn("side", [_SIDES[side] for side in sides], right=False)]
    columns += [TextColumn(title, of, right=True) for title, of in zip(("before", "after"), cells, strict=True)]
    yield from (Line(line) for line in render_table(columns, width, "  "))
    longest = after.filter(pl.col("name") != OTHERS).head(_LONGEST)
    yield from heading("Longest on the path afterwards", "", width)
    names = [
        one_line(short_kernels(name) if side in (COMPUTE, COMMUNICATION) else name)
        for side, name in longest["side", "name"].iter_rows()
    ]
    columns = [
        TextColumn("name", names, right=False, flexible=True),
        TextColumn("side", [_SIDES[side] for side in longest["side"]], right=False),
        TextColumn("time", [_share_of(longest[row], after) for row in range(len(longest))], right=True),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  "))


def _share_of(parts: pl.DataFrame, path: pl.DataFrame) -> str:
    return with_share(int(parts["ns"].sum()), max(1, int(path["ns"].sum())))


def what_if_json(profile: Profile, found: Sequence[WhatIf]) -> str:
    """The answers as JSON."""
    return json.dumps(what_if_document(profile, found), ensure_ascii=False, allow_nan=False)


def what_if_document(profile: Profile, found: Sequence[WhatIf]) -> dict[str, Any]:
    """The answers as JSON values: schema_version, profile, method, ranks."""
    return {
        "schema_version": JSON_VERSION,
        "profile": profile_facts(profile),
        "method": _METHOD,
        "ranks": [
            {
                "rank": one.rank,
                "recorded_ns": round(one.recorded_ns),
                "changes": [
                    {"change": text, **_record(answer)} for text, answer in zip(one.changes, one.alone, strict=True)
                ],
                "together": _record(one.together),
                "path_before": one.path_before.to_dicts(),
                "path_after": one.path_after.to_dicts(),
            }
            for one in found
        ],
    }


def _record(answer: Answer) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, of in (("before", answer.before), ("after", answer.after), ("saving", answer.saving_ns)):
        record |= {f"{name}_low_ns": round(of.low), f"{name}_ns": round(of.best), f"{name}_high_ns": round(of.high)}
    saved = answer.saving_pct
    record |= {"saving_low_pct": saved.low, "saving_pct": saved.best, "saving_high_pct": saved.high}
    for name, (side, share) in (("before", answer.binds_before), ("after", answer.binds_after)):
        record |= {f"bound_{name}": side, f"bound_{name}_pct": share}
    return record | {"touched": list(answer.touched)}
