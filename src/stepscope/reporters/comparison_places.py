"""Parts of a comparison's text that say where: the ranks of a job, kernels in the place of others, and what only one
side has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stepscope.comparison.alignment import Replacement
from stepscope.comparison.compare import Comparison
from stepscope.messages.quantities import bytes_text, one_line, time_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import middle_cut
from stepscope.reporters.kernel_text import bare_kernel, short_kernels
from stepscope.reporters.sections.text_lines import Line, heading
from stepscope.reporters.signs import signed
from stepscope.reporters.table import TextColumn, render_table

_MOST_REPLACED = 6
_MOST_ALONE = 2
_MOST_ALONE_OF_ALL = 20
"""Of a set and a side."""
_MOST_KERNELS = 3
_MOST_RANKS = 16
_KERNEL_WIDTH = 32
_BYTES = "_bytes"


def rank_section(found: Comparison, width: int) -> Iterator[Line]:
    """The step of each rank, of many those that changed most."""
    if found.ranks is None:
        return
    yield from heading(say("diff-section-ranks"), say("diff-section-ranks-says"), width)
    rows = found.ranks.sort(-found.ranks["delta_own_ns"].abs(), maintain_order=True).head(_MOST_RANKS).sort("rank")
    columns = [TextColumn(say("diff-title-rank"), [str(rank) for rank in rows["rank"]], right=True)]
    for own, of in (("", ""), ("own-", "own_")):
        for side in ("base", "new"):
            cells = [time_text(ns) for ns in rows[f"{side}_{of}ns"]]
            columns.append(TextColumn(say(f"diff-title-{own}{side}"), cells, right=True))
        cells = [signed(ns) for ns in rows[f"delta_{of}ns"]]
        columns.append(TextColumn(say(f"diff-title-{own}delta"), cells, right=True))
    yield from (Line(line) for line in render_table(columns, width, "  "))


def replaced_section(found: Comparison, width: int, least_ns: float) -> Iterator[Line]:
    """Kernels that others stand for on the other side.

    Args:
        least_ns: replacements of less time a step are not shown.
    """
    replaced = [one for one in found.aligned.replaced if max(one.base_ns, one.new_ns) >= least_ns][:_MOST_REPLACED]
    if not replaced:
        return
    yield from heading(say("diff-section-replaced"), say("diff-section-replaced-says"), width)
    columns = [
        TextColumn(say("diff-title-base"), [time_text(round(one.base_ns)) for one in replaced], right=True),
        TextColumn(say("diff-title-new"), [time_text(round(one.new_ns)) for one in replaced], right=True),
        TextColumn(
            say("diff-title-kernels"), list(map(replacement_text, replaced)), right=False, prose=True, flexible=True
        ),
        TextColumn(say("diff-title-place"), list(map(place_text, replaced)), right=False, flexible=True),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  "))


def only_here_section(found: Comparison, width: int, every: bool) -> Iterator[Line]:
    """What only one side has: of each set and side the most frequent; then what was not compared.

    Args:
        every: name more of them.
    """
    alone = found.only_here
    shown = alone.found.group_by("key", "side", maintain_order=True).head(_MOST_ALONE_OF_ALL if every else _MOST_ALONE)
    if len(shown):
        yield from heading(say("diff-section-alone"), say("diff-section-alone-says"), width)
        names = [short_kernels(name) if key == "kernel_names" else name for key, name in shown["key", "name"].rows()]
        columns = [
            TextColumn(say("diff-title-side"), [say(f"diff-side-{side}") for side in shown["side"]], right=False),
            TextColumn(say("diff-title-level"), [say(f"diff-set-{key}") for key in shown["key"]], right=False),
            TextColumn(say("diff-title-name"), list(map(one_line, names)), right=False, flexible=True, key=True),
            TextColumn(say("diff-title-calls"), [count_text("", calls) for calls in shown["calls"]], right=True),
        ]
        yield from (Line(line) for line in render_table(columns, width, "  "))
        if len(shown) < len(alone.found):
            more = say("diff-alone-more" if every else "diff-rows-more", count=len(alone.found) - len(shown))
            yield Line(f"  {more}", "dim")
    for key in alone.unrecorded:
        yield Line(f"  {say(f'diff-unrecorded-{key}')}", "dim")


def count_text(key: str, value: float) -> str:
    """A count a step: bytes in their unit, others with a decimal where they are not whole."""
    if key.endswith(_BYTES):
        return f"{'-' if value < 0 else ''}{bytes_text(round(abs(value)))}"
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def place_text(one: Replacement) -> str:
    """Module, pass and operator."""
    return one_line(" · ".join(part for part in (one.module, one.op) if part)) or "-"


def replacement_text(one: Replacement) -> str:
    """What stood there and what stands there now, by short names."""
    return f"{_kernels(one.gone)} -> {_kernels(one.new)}"


def _kernels(names: Sequence[str]) -> str:
    short = list(dict.fromkeys(middle_cut(bare_kernel(name), _KERNEL_WIDTH) for name in names))
    shown, rest = one_line(", ".join(short[:_MOST_KERNELS])), len(short) - _MOST_KERNELS
    return say("diff-names-more", names=shown, count=rest) if rest > 0 else shown
