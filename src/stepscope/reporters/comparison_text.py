"""A comparison as text for a terminal: what is known first, then causes, parts, counts and rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.analyses.simulation.bottleneck_sides import COMMUNICATION, COMPUTE, COPIES, HOST
from stepscope.comparison.causes import Attribution, Cause
from stepscope.comparison.compare import Comparison
from stepscope.comparison.only_here import SETS
from stepscope.comparison.recorded import IDLE, PHASE, SIDE, compared_steps
from stepscope.comparison.sentences import cause_message, is_identical, sentences
from stepscope.comparison.testing import CHANGED, GONE, NEW, OF_STEP, SAME, UNKNOWN
from stepscope.comparison.work import KERNELS, MODULE, OPERATOR, WAIT
from stepscope.messages import Message, readable
from stepscope.messages.quantities import one_line, time_text
from stepscope.messages.rendering import render, say
from stepscope.reporters.comparison_places import count_text, only_here_section, rank_section, replaced_section
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.sections.text_lines import Line, heading
from stepscope.reporters.signs import signed
from stepscope.reporters.table import TextColumn, render_table
from stepscope.store.profile import Rank

_MOST_ROWS = 12
_MOST_CAUSES = 5


def comparison_lines(found: Comparison, width: int, every: bool = False) -> Iterator[Line]:
    """The comparison in words and tables.

    Args:
        every: show all rows that changed, not only the largest.
    """
    yield from _recordings(found, width)
    yield Line("")
    for number, sentence in enumerate(sentences(found)):
        yield from _wrapped(sentence, width, "strong" if number == 0 else "")
    if is_identical(found):
        return
    yield from _causes(found, width)
    yield from _gpu_work(found, width)
    yield from replaced_section(found, width, OF_STEP * found.step["base_ns"])
    yield from rank_section(found, width)
    yield from _parts(found, width)
    yield from _counts(found.counts, width)
    yield from only_here_section(found, width, every)
    yield from _rows(found, width, every)
    if len(found.base) == len(found.new) == 1:
        yield Line("")
        yield from _wrapped(Message("diff-advice-repeat"), width, "dim")


def _wrapped(message: Message, width: int, style: str = "") -> Iterator[Line]:
    yield from (Line(line, style) for line in wrapped(one_line(render(message)), width, "", "  "))


def _recordings(found: Comparison, width: int) -> Iterator[Line]:
    several = len({rank.number for rank in (*found.base, *found.new)}) > 1 or found.base[0].number > 0
    left_out = 0
    for side, ranks in (("diff-side-base", found.base), ("diff-side-new", found.new)):
        for rank in ranks:
            steps = compared_steps(rank)
            left_out += steps.left_out
            text = f"{say(side):<6}{_recording(rank, several)}"
            yield from (Line(line) for line in wrapped(text, width, "", " " * 6))
    if left_out:
        yield from _wrapped(Message("diff-left-out-why"), width, "dim")


def _recording(rank: Rank, several: bool) -> str:
    steps = compared_steps(rank)
    left_out = steps.left_out + len(steps.others)
    recorded, number = len(steps) + left_out, rank.number if several else None
    path = readable(rank.source)
    return say("diff-recording", path=path, count=len(steps), left_out=left_out, recorded=recorded, rank=number)


def _causes(found: Comparison, width: int) -> Iterator[Line]:
    if not found.attribution.causes:
        return
    yield from heading(say("diff-section-causes"), say("diff-section-causes-says"), width)
    yield from _cause_table(found.attribution, width)
    causes = found.attribution.causes
    explained = say(
        "diff-explained",
        causes=len(causes),
        explained_ns=round(sum(cause.effect_ns for cause in causes)),
        delta_ns=found.step["delta_ns"],
        host_ns=round(found.attribution.host_ns),
    )
    yield from (Line(f"  {line}", "dim") for line in wrapped(explained, width - 2))


def _gpu_work(found: Comparison, width: int) -> Iterator[Line]:
    """Where the GPU's work changed, if what it is bound by does not tell so already."""
    named = {cause.path for cause in found.attribution.causes}
    if all(cause.path in named for cause in found.gpu_work.causes):
        return
    yield from heading(say("diff-section-gpu"), say("diff-section-gpu-says"), width)
    yield from _cause_table(found.gpu_work, width)


def _cause_table(attribution: Attribution, width: int) -> Iterator[Line]:
    causes = attribution.causes[:_MOST_CAUSES]
    columns = [
        TextColumn(say("diff-title-effect"), [signed(cause.effect_ns) for cause in causes], right=True),
        TextColumn(
            say("diff-title-cause"),
            [one_line(short_kernels(render(cause_message(cause)))) for cause in causes],
            right=False,
            flexible=True,
            prose=True,
        ),
        TextColumn(say("diff-title-host"), [_from_to(cause, HOST) for cause in causes], right=True),
        TextColumn(
            say("diff-title-gpu"), [_from_to(cause, COMPUTE, COMMUNICATION, COPIES) for cause in causes], right=True
        ),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  "))


def _from_to(cause: Cause, *resources: str) -> str:
    base, new = (sum(side[name] for name in resources) for side in (cause.base, cause.work))
    return f"{time_text(round(base))} -> {time_text(round(new))}" if base or new else "-"


def _parts(found: Comparison, width: int) -> Iterator[Line]:
    """What the step is made of: sides, with the step below them, phases, and what the GPU waited for."""
    for level, section in ((SIDE, "step"), (PHASE, "phases"), (IDLE, "idle")):
        some = (pl.col("base_ns") > 0) | (pl.col("new_ns") > 0)
        rows = found.rows.filter((pl.col("level") == level) & some).to_dicts()
        if not rows:
            continue
        if level == SIDE:
            rows.append(found.step)
        yield from heading(say(f"diff-section-{section}"), say(f"diff-section-{section}-says"), width)
        columns = [
            TextColumn(say("diff-title-part"), [say(f"diff-part-{row['key']}") for row in rows], right=False),
            *_times(rows),
            _outcomes(rows),
        ]
        yield from (Line(line) for line in render_table(columns, width, "  "))


def _times(rows: list[dict[str, Any]]) -> Iterator[TextColumn]:
    for title in ("base", "new"):
        yield TextColumn(say(f"diff-title-{title}"), [time_text(row[f"{title}_ns"]) for row in rows], right=True)
    yield TextColumn(say("diff-title-delta"), [signed(row["delta_ns"]) for row in rows], right=True)


def _outcomes(rows: list[dict[str, Any]]) -> TextColumn:
    cells = [render(Message(f"diff-outcome-{row['status']}")) for row in rows]
    return TextColumn(say("diff-title-outcome"), cells, right=False)


def _counts(counts: pl.DataFrame, width: int) -> Iterator[Line]:
    yield from heading(say("diff-section-counts"), say("diff-section-counts-says"), width)
    differing = counts.filter("differs").to_dicts()
    equal = len(counts) - len(differing)
    if not differing:
        yield Line(f"  {say('diff-counts-all-equal', count=equal)}")
        return
    columns = [TextColumn(say("diff-title-what"), [say(f"diff-count-{row['key']}") for row in differing], right=False)]
    for title in ("base", "new"):
        cells = [count_text(row["key"], row[title]) for row in differing]
        columns.append(TextColumn(say(f"diff-title-{title}"), cells, right=True))
    cells = [_apart(row["key"], row["new"] - row["base"]) for row in differing]
    columns.append(TextColumn(say("diff-title-delta"), cells, right=True))
    yield from (Line(line) for line in render_table(columns, width, "  "))
    yield Line(f"  {say('diff-counts-equal', count=equal)}", "dim")


def _apart(key: str, apart: float) -> str:
    """A difference with its sign; of what only one side has the two numbers are about different things."""
    if key in SETS:
        return "-"
    return f"{'+' if apart > 0 else ''}{count_text(key, apart)}"


def changed_rows(found: Comparison) -> pl.DataFrame:
    """Rows of names that changed and matter to the step, the largest difference first."""
    least = OF_STEP * max(found.step["base_ns"], found.step["new_ns"])
    named = pl.col("of") != ""
    rows = found.rows.filter(named & pl.col("status").is_in([CHANGED, NEW, GONE]) & (pl.col("delta_ns").abs() >= least))
    return rows.sort(-pl.col("delta_ns").abs(), "level", "of", "key")


def _rows(found: Comparison, width: int, every: bool) -> Iterator[Line]:
    yield from heading(say("diff-section-rows"), "", width)
    rows = changed_rows(found)
    shown = rows.to_dicts() if every else rows.head(_MOST_ROWS).to_dicts()
    if shown:
        columns = [
            TextColumn(say("diff-title-name"), [_name(row) for row in shown], right=False, flexible=True, key=True),
            TextColumn(say("diff-title-level"), [_level(row) for row in shown], right=False),
            *_times(shown),
            TextColumn(say("diff-title-calls"), [_calls(row) for row in shown], right=True),
            _outcomes(shown),
        ]
        yield from (Line(line) for line in render_table(columns, width, "  "))
    else:
        yield Line(f"  {say('diff-rows-none')}")
    if len(rows) > len(shown):
        yield Line(f"  {say('diff-rows-more', count=len(rows) - len(shown))}", "dim")
    named = found.rows.filter(pl.col("of") != "")
    same, unknown = (int((named["status"] == status).sum()) for status in (SAME, UNKNOWN))
    rest = say("diff-rows-rest", count=len(named), same=same, unknown=unknown)
    yield from (Line(f"  {line}", "dim") for line in wrapped(rest, width - 2))


def _name(row: dict[str, Any]) -> str:
    return one_line(short_kernels(row["key"]) if row["level"] == KERNELS else row["key"])


def _level(row: dict[str, Any]) -> str:
    level = say(f"diff-level-{row['level']}")
    if row["of"] == WAIT or row["level"] in (OPERATOR, MODULE):
        return f"{level} ({say('diff-of-' + row['of'])})"
    return level


def _calls(row: dict[str, Any]) -> str:
    base, new = (0.0 if row[f"{side}_calls"] is None else row[f"{side}_calls"] for side in ("base", "new"))
    return count_text("", base) if base == new else f"{count_text('', base)} -> {count_text('', new)}"
