"""What the page asks, and how answers are compared and printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from peer_page.recordings import Raised, Recording

Value = float | int | str | Raised | None
"""A figure in ns, bytes, %, GB/s or a count, a text, or why there is none; None is "no such figure"."""
Reading = Callable[[Recording], Value]

SAME_SHARE = 0.001
"""Figures that differ by less count as the same."""
SLACK = {"ns": 1000, "%": 0.006, "bytes": 1024, "GB/s": 0, "count": 0, "number": 0, "text": 0, "name": 0}
"""Differences that the other tools' rounding explains: whole us, two decimals, KB."""
SCALES = {
    "ns": ((1e6, "ms"), (1e3, "us"), (1, "ns")),
    "bytes": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")),
}


@dataclass(frozen=True)
class Figure:
    """One figure of the page, a table with a row per recording.

    Attributes:
        title: what is shown.
        unit: a key of `SLACK`; text is shown as it is, a name as code.
        ours: stepscope's figure.
        hta: HTA's; None where it has no such figure.
        plugin: reads the plugin's figure from its output, as shipped or with its category map patched.
        patched: whether the plugin's figure with the patched map is shown, too.
        why: by recording, why figures differ or are missing, with the names of notes in brackets; "*" stands for all
            recordings that are not named.
        hta_again, plugin_again: the tool's figure computed anew from the file of the trace, reading it as ``why`` says.
        recordings: keys of the recordings shown; all when empty.
        unproved: keys of the recordings for which the other tool's figure is not computed anew.
    """

    title: str
    unit: str
    ours: Reading
    hta: Reading | None = None
    plugin: Callable[[dict[str, object]], Value] | None = None
    patched: bool = False
    why: Mapping[str, str] = field(default_factory=dict)
    hta_again: Callable[[Path], Value] | None = None
    plugin_again: Callable[[Path, bool], Value] | None = None
    recordings: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A section of the page.

    Attributes:
        title: heading.
        text: Markdown between heading and tables: what is compared, and what a tool has nothing of.
    """

    title: str
    text: str
    figures: tuple[Figure, ...] = ()


def is_same(one: Value, other: Value, unit: str) -> bool:
    """Whether two figures agree to 0.1 % or to the rounding of the other tools; counts must be equal."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other if unit == "count" else abs(one - other) <= max(SAME_SHARE * abs(one), SLACK[unit])
    return one == other


def text_of(value: Value, unit: str) -> str:
    """A figure with its unit, five digits."""
    if value is None:
        return "–"
    if isinstance(value, Raised):
        return f"raises `{value.exception}`"
    if isinstance(value, str):
        return value if unit == "text" else f"`{value}`"
    if unit in SCALES:
        scale, name = next(pair for pair in SCALES[unit] if abs(value) >= pair[0] or pair[0] == 1)
        return f"{_five_digits(value / scale)} {name}"
    if unit == "%":
        return f"{value:.2f} %"
    if unit == "GB/s":
        return f"{_five_digits(value)} GB/s"
    return f"{value:,}" if isinstance(value, int) else _five_digits(value)


def _five_digits(value: float) -> str:
    whole = len(str(int(abs(value))))
    return f"{value:,.{max(0, 5 - whole)}f}" if value and abs(value) < 99_999.5 else f"{value:,.0f}"
