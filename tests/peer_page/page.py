"""The page's text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from peer_page.notes import NOTES
from peer_page.question import Figure, Question, Value, is_same, text_of
from peer_page.questions_gpu import GPU_TIME, OVERLAP, UTILIZATION
from peer_page.questions_kernels import COPIES, COUNTED, KERNELS
from peer_page.questions_launches import LAUNCHES, QUEUE
from peer_page.questions_operators import MEMORY, MODULES, OPERATORS
from peer_page.questions_ranges import RANGES, SEQUENCES
from peer_page.questions_steps import BREAKDOWN, STEPS
from peer_page.questions_waiting import CRITICAL_PATH, DATA_LOADING, IDLE
from peer_page.recordings import COUNTERS, SOURCES, Raised, Recording

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "comparison.md"
QUESTIONS: tuple[Question, ...] = (
    GPU_TIME,
    OVERLAP,
    UTILIZATION,
    IDLE,
    LAUNCHES,
    QUEUE,
    KERNELS,
    SEQUENCES,
    COPIES,
    STEPS,
    BREAKDOWN,
    DATA_LOADING,
    CRITICAL_PATH,
    RANGES,
    OPERATORS,
    MODULES,
    MEMORY,
    COUNTED,
)
LONGEST_REASON = 100
_NOTES = re.compile(r"(?: \[[^\]]+\])+")
NOTE = re.compile(r"\[([^\]]+)\]")

HEAD = """\
# How stepscope's values compare with HTA's and the TensorBoard plugin's

Five public recordings, read by stepscope, by
[HolisticTraceAnalysis](https://github.com/facebookresearch/HolisticTraceAnalysis) 0.5.0 (HTA) and by the PyTorch plugin
of TensorBoard, `torch-tb-profiler` 0.4.3 (plugin), each as it comes. Where they differ by more than 0.1 %, the last
column says why.

- **✓**: the other tools' values were computed anew from the recording's JSON, independently of stepscope, reading it
  the way the reason says, and came out the same.
- **patched**: the plugin with three changes to its map of event categories: `cuda_runtime` and `cuda_driver` are
  runtime calls, `gpu_user_annotation` is nothing.
- `–`: no such figure for this recording.

`scripts/update_comparison` writes this page; a test compares it with what the tables say today and with the stored
outputs of both tools.
"""


@dataclass(frozen=True)
class Row:
    """A recording's row of one figure: the figures, and whether and why they differ."""

    figure: Figure
    recording: Recording
    ours: Value
    hta: Value
    plugin: Value
    patched: Value

    @property
    def others(self) -> dict[str, Value]:
        """What the other tools say, of those that have such a figure."""
        found: dict[str, Value] = {}
        if self.figure.hta:
            found["hta"] = self.hta
        if self.figure.plugin:
            found["plugin"] = self.plugin
            if self.figure.patched:
                found["patched"] = self.patched
        return found

    @property
    def differs(self) -> bool:
        return any(not is_same(self.ours, other, self.figure.unit) for other in self.others.values())

    @property
    def reason(self) -> str:
        """The literal reason, with the names of notes in brackets; empty where nothing differs or none is given."""
        if not self.differs:
            return ""
        return self.figure.why.get(self.recording.source.key, self.figure.why.get("*", ""))

    @property
    def is_proved(self) -> bool:
        """Whether what differs can be computed anew."""
        again = {"hta": self.figure.hta_again, "plugin": self.figure.plugin_again, "patched": self.figure.plugin_again}
        different = [tool for tool, other in self.others.items() if not is_same(self.ours, other, self.figure.unit)]
        return (
            bool(different)
            and self.recording.source.key not in self.figure.unproved
            and all(again[tool] is not None and not isinstance(self.others[tool], Raised) for tool in different)
        )


def rows_of(figure: Figure, recordings: Sequence[Recording]) -> list[Row]:
    """One row per recording that the figure shows."""
    return [
        Row(
            figure,
            recording,
            figure.ours(recording),
            figure.hta(recording) if figure.hta else None,
            figure.plugin(recording.plugin) if figure.plugin else None,
            figure.plugin(recording.patched) if figure.plugin and figure.patched else None,
        )
        for recording in recordings
        if recording.source.key in (figure.recordings or [source.key for source in SOURCES])
    ]


def page(recordings: Sequence[Recording]) -> str:
    """The whole page."""
    numbers: dict[str, int] = {}
    figures = [figure for question in QUESTIONS for figure in question.figures]
    sections = [_section(question, recordings, numbers) for question in QUESTIONS]
    lines = [HEAD, _tally([row for figure in figures for row in rows_of(figure, recordings)]), ""]
    lines += [f"- [{question.title}](#{_anchor(question.title)})" for question in QUESTIONS]
    lines += ["", "| recording | what it is | file |", "|---|---|---|"]
    lines += [f"| {source.key} | {source.about} | `{Path(source.path).name}` |" for source in (*SOURCES, COUNTERS)]
    lines += ["", *sections, "## Notes", ""]
    lines += [f'{number}. <a id="note-{number}"></a>{NOTES[name]}' for name, number in numbers.items()]
    return "\n".join(lines) + "\n"


def _tally(rows: Sequence[Row]) -> str:
    """How many figures agree, by tool."""
    parts = []
    for tool, name in (("hta", "HTA's"), ("plugin", "the plugin's"), ("patched", "the patched plugin's")):
        known = [row for row in rows if row.others.get(tool) is not None]
        same = [row for row in known if is_same(row.ours, row.others[tool], row.figure.unit)]
        parts.append(f"{name} in {len(same)} of {len(known)} cases")
    return f"Values that agree with stepscope's: {parts[0]}, {parts[1]}, {parts[2]}."


def _anchor(title: str) -> str:
    """What GitHub calls a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _section(question: Question, recordings: Sequence[Recording], numbers: dict[str, int]) -> str:
    lines = [f"## {question.title}", "", question.text, ""]
    for figure in question.figures:
        lines += [*_table(figure, rows_of(figure, recordings), numbers), ""]
    return "\n".join(lines)


def _table(figure: Figure, rows: list[Row], numbers: dict[str, int]) -> Iterator[str]:
    tools = ["stepscope"] + ["HTA"] * bool(figure.hta) + ["plugin"] * bool(figure.plugin)
    yield f"| {figure.title} | {' | '.join(tools)} | why they differ |"
    yield "|---|" + "---:|" * len(tools) + "---|"
    for row in rows:
        cells = [text_of(row.ours, figure.unit)]
        if figure.hta:
            cells.append(text_of(row.hta, figure.unit))
        if figure.plugin:
            cells.append(_plugin_cell(row))
        yield f"| {row.recording.source.key} | {' | '.join(cells)} | {_reason_cell(row, numbers)} |"


def _plugin_cell(row: Row) -> str:
    shipped, patched = text_of(row.plugin, row.figure.unit), text_of(row.patched, row.figure.unit)
    return f"{shipped}; patched {patched}" if row.figure.patched and patched != shipped else shipped


def _reason_cell(row: Row, numbers: dict[str, int]) -> str:
    if not row.differs:
        return ""
    names = NOTE.findall(row.reason)
    for name in names:
        numbers.setdefault(name, len(numbers) + 1)
    text = _NOTES.sub(lambda found: _links([numbers[name] for name in NOTE.findall(found[0])]), row.reason)
    return text + (" ✓" if row.is_proved else "")


def _links(numbers: list[int]) -> str:
    return f" ({', '.join(f'[{number}](#note-{number})' for number in numbers)})"
