"""Pages are laid out with the primitives of ``layout.css``: what several components need is written once."""

from __future__ import annotations

import re

import web_sources

MOST_LINES = 1916
"""Lines of style in components, all together. May only shrink."""

PRIMITIVES = {
    "row": {"display: flex", "align-items: center"},
    "column": {"display: flex", "flex-direction: column"},
    "cut": {"overflow: hidden", "text-overflow: ellipsis", "white-space: nowrap"},
    "list": {"margin: 0", "padding: 0", "list-style: none"},
    "plain": {"padding: 0", "border: 0", "background: none"},
}
"""Declarations that together are a class of ``layout.css``."""

OWNERS = (
    "components/layout/",
    "components/DataTable",
    "components/timeline/",
    "components/strip/",
    "components/charts/",
)
"""Beginnings of the files whose own layout is what they are for: primitives, the grid, what lies around a canvas."""

LAYOUT = re.compile(
    r"^\s*(?:display|gap|row-gap|column-gap|padding(?:-\w+)*|font-size|font-weight|border(?:-(?:top|right|bottom|left))?)\s*:"
    r"|^\s*color:\s*var\(--(?:quiet|faint)\)",
    re.MULTILINE,
)
"""Declarations that belong to a primitive or a class of ``layout.css``."""

STILL: dict[str, int] = {
    "App.svelte": 8,
    "components/BoxDiagram.svelte": 2,
    "components/ChartTip.svelte": 1,
    "components/Choice.svelte": 3,
    "components/DataFlow.svelte": 3,
    "components/Dialog.svelte": 1,
    "components/Disclosure.svelte": 1,
    "components/Dock.svelte": 8,
    "components/HealthMark.svelte": 2,
    "components/HeatField.svelte": 1,
    "components/HowToRecord.svelte": 1,
    "components/Icicle.svelte": 1,
    "components/LineChart.svelte": 2,
    "components/Palette.svelte": 4,
    "components/Popover.svelte": 1,
    "components/Rail.svelte": 6,
    "components/RunHeader.svelte": 3,
    "components/Toast.svelte": 1,
    "components/details/AreaDetails.svelte": 1,
    "components/verdict/Ranking.svelte": 1,
    "components/verdict/Sentences.svelte": 3,
    "components/what_if/ChangeItem.svelte": 1,
    "components/what_if/ChangeList.svelte": 1,
    "components/what_if/RangeBars.svelte": 1,
    "components/what_if/ChangeTable.svelte": 1,
    "pages/Runs.svelte": 2,
    "pages/Timeline.svelte": 1,
}
"""Components that hold such declarations, and how many. May only shrink."""


def styles() -> list[tuple[str, str]]:
    found = ((path, re.search(r"<style>(.*)</style>", text, re.DOTALL)) for path, text in web_sources.files())
    return [(path, match[1]) for path, match in found if match]


def test_components_leave_layout_to_the_primitives() -> None:
    assert sum(style.count("\n") + 1 for _, style in styles()) <= MOST_LINES


def test_a_class_of_an_element_does_not_repeat_a_primitive() -> None:
    wrong = set()
    for path, style in styles():
        outside_queries = re.sub(r"@\w[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
        for selector, body in re.findall(r"\n  (\.[\w-]+) \{([^{}]*)\}", outside_queries):
            declarations = {one.strip() for one in body.split(";")}
            wrong |= {(path, selector) for needed in PRIMITIVES.values() if needed <= declarations}
    assert not wrong, "use its class of layout.css"


def test_components_hold_no_layout_of_their_own() -> None:
    found = {path: len(LAYOUT.findall(style)) for path, style in styles() if not path.startswith(OWNERS)}
    more = {path: count for path, count in found.items() if count > STILL.get(path, 0)}
    fewer = {path: found.get(path, 0) for path, count in STILL.items() if found.get(path, 0) < count}
    assert not more, "use a primitive of components/layout/ or a class of layout.css"
    assert not fewer, "take it off STILL, or write how many there are now"
