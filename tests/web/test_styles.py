"""Pages are laid out with the primitives of ``layout.css``: what several components need is written once."""

from __future__ import annotations

import re

import web_sources

MOST_LINES = 2992
"""Lines of style in components, all together. May only shrink."""

PRIMITIVES = {
    "row": {"display: flex", "align-items: center"},
    "column": {"display: flex", "flex-direction: column"},
    "cut": {"overflow: hidden", "text-overflow: ellipsis", "white-space: nowrap"},
    "list": {"margin: 0", "padding: 0", "list-style: none"},
    "plain": {"padding: 0", "border: 0", "background: none"},
}
"""Declarations that together are a class of ``layout.css``."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("components/verdict/Findings.svelte", ".saving"): "its markup is being replaced",
}
"""(file, selector) with the reason. May only shrink."""


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
    assert not wrong - EXCEPTIONS.keys(), "use its class of layout.css"
    assert not EXCEPTIONS.keys() - wrong, "does not happen any more, take it off EXCEPTIONS"
