"""docs/yardstick.md: the scores of all tools on all sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from yardstick.answers import Answer, Rows
from yardstick.scoring import LITTLE_PCT, Alarms, Answered, Changes, Errors, Score, alarms, changes, score
from yardstick.tools import TOOLS, Tool

PAGE = Path(__file__).resolve().parent.parent / "docs" / "yardstick.md"

OPENING = """\
# The yardstick: tools scored on planted bottlenecks

Which tool finds what slows a step, and are its figures true? Every pair here is a training or inference step with a
bottleneck that was planted, and the same step without it. Both were recorded with the profiler, and timed without it:
so the cause, what its fix saves, and the time of a step are known. [yardstick/](../yardstick/README.md) holds the
format, the programs, and what runs and scores the tools; this page is written by it.

- **answers**: recordings that the tool says anything of, without an error.
- **bound**: it is right about what bounds the step: the host, the GPU's kernels, or copies. Measured: kernels and
  copies of the recording against the step without the profiler; judged where one of them takes two thirds of it.
- **cause**: it names the planted cause, of those whose fix saves at least {little} % of the step; **first**: as the
  first one.
- **step**: error of the time of a step, against that without the profiler, %: median, nine of ten.
- **saving**: error of what the fix is said to save, in points of the step: median, nine of ten.
- **inside**: measured values inside the stated range, and how wide the ranges are in the mean.
- **false**: fixed recordings of which the tool still names the planted cause, with a saving of {little} % or more or
  with none stated.

{limits}

A failure is counted as such: HolisticTraceAnalysis rounds times to whole microseconds, and stops where a part of the
breakdown turns out negative by that; it and TraceLens need a GPU in the recording.
"""

COLUMNS = (
    *("tool", "answers", "bound", "cause", "first"),
    *("step, %", "inside, width", "saving, points", "inside, width", "false"),
)

LIMITS = """\
"-" stands for what a tool does not say. HolisticTraceAnalysis and TraceLens name no causes (TraceLens leaves them to an
agent with a language model, which is not run here), the TensorBoard plugin has a few rules and no savings. Only
stepscope estimates the step without the profiler. The authors of stepscope wrote the yardstick: the programs were
not chosen by what stepscope finds, but its rules were written with some of them in view ([savings.md](savings.md),
[savings-cpu.md](savings-cpu.md))."""

ALARMS = """\
## One program, recorded twice

Nothing changed between the two recordings, so every row called changed is a false alarm. HolisticTraceAnalysis gives
differences and does not judge them; the usual rule of its users, more than 5 % is a change, does. TraceLens compares
reports without a judgement of its own and is left out.
"""

CHANGES = f"""\
## Slow against fixed

One recording of each side. Found: the step is called changed, of the pairs whose step changed by {LITTLE_PCT:.0f} % or
more without the profiler.
"""


@dataclass(frozen=True)
class Scored:
    """A set of pairs and what each tool says of it.

    Attributes:
        again: by tool, of pairs of recordings of one program.
    """

    title: str
    answered: Mapping[str, Sequence[Answered]]
    compared: Mapping[str, Sequence[Rows]]
    again: Mapping[str, Sequence[Rows]]


def page(every: Sequence[Scored]) -> str:
    """The page in Markdown."""
    sets = (line for one in every for line in _set(one))
    return "\n".join([*_opening(every), *sets, *_same(every), *_fixes(every)]) + "\n"


def _opening(every: Sequence[Scored]) -> Iterator[str]:
    yield OPENING.format(little=f"{LITTLE_PCT:.0f}", limits=LIMITS)
    versions = {name: answer.version for one in every for name, answer in _answers(one) if answer.version}
    yield f"Tools: {', '.join(f'{TOOLS[name].title} {version}' for name, version in versions.items())}."
    yield ""


def _answers(one: Scored) -> Iterator[tuple[str, Answer]]:
    return ((name, each.slow) for name, answered in one.answered.items() for each in answered)


def _set(one: Scored) -> Iterator[str]:
    yield f"## {one.title}"
    yield ""
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---|" + "---:|" * (len(COLUMNS) - 1)
    for name, answered in one.answered.items():
        yield _score(TOOLS[name], score(answered))
    yield ""
    yield from _pairs(one)


def _score(tool: Tool, said: Score) -> str:
    causes = (said.named, said.first, said.false) if tool.names else ("-", "-", "-")
    cells = (
        *(tool.title, said.answered, said.bound, *causes[:2]),
        *(said.step, _inside(said.step, "%"), said.saving, _inside(said.saving, "points"), causes[2]),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _inside(said: Errors, unit: str) -> str:
    return f"{said.inside}, {sum(said.widths) / len(said.widths):.0f} {unit}" if said.widths else "-"


def _pairs(one: Scored) -> Iterator[str]:
    """Per pair what each tool names first, so that a score can be looked into."""
    yield "What each tool names first, in the slow recording:"
    yield ""
    yield f"| planted | the fix saves | {' | '.join(TOOLS[name].title for name in one.answered)} |"
    yield "|---|---:|" + "---|" * len(one.answered)
    for each in zip(*one.answered.values(), strict=True):
        pair = each[0].pair
        yield f"| {pair.planted} | {pair.saving_pct:.0f} % | {' | '.join(map(_first, each))} |"
    yield ""


def _first(each: Answered) -> str:
    """The first cause, in bold if it is the planted one; else the side."""
    if each.slow.failed:
        return "fails"
    if not each.slow.named:
        return f"({each.slow.side})" if each.slow.side else "nothing"
    first = each.slow.named[0]
    saving = f" {first.saving_pct.best:.0f} %" if first.saving_pct else ""
    return f"**{first.cause}**{saving}" if first.cause in each.pair.causes else f"{first.cause}{saving}"


def _same(every: Sequence[Scored]) -> Iterator[str]:
    yield ALARMS
    yield "| recordings | tool | pairs | rows | called changed | steps called changed |"
    yield "|---|---|---:|---:|---:|---:|"
    for one in every:
        for name, said in one.again.items():
            yield _alarms(one.title, TOOLS[name].title, alarms(said))
    yield ""


def _alarms(title: str, tool: str, said: Alarms) -> str:
    changed = f"{said.changed:,} ({100 * said.changed / said.rows:.0f} %)" if said.rows else "-"
    return f"| {title} | {tool} | {said.compared} | {said.rows:,} | {changed} | {said.steps} |"


def _fixes(every: Sequence[Scored]) -> Iterator[str]:
    yield CHANGES
    yield "| recordings | tool | found | smallest found | largest missed |"
    yield "|---|---|---:|---:|---:|"
    for one in every:
        for name, said in one.compared.items():
            if not any(rows.step for rows in said):
                continue  # it judges no step
            pairs = [each.pair for each in one.answered[name]]
            yield _changes(one.title, TOOLS[name].title, changes(list(zip(pairs, said, strict=True))))


def _changes(title: str, tool: str, said: Changes) -> str:
    ends = (f"{size:.0f} %" if size is not None else "-" for size in (said.smallest_pct, said.largest_missed_pct))
    return f"| {title} | {tool} | {said.found} | {' | '.join(ends)} |"
