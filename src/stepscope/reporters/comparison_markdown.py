"""A comparison as a comment on a pull request: what is known and the causes, everything else folded below."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.comparison.compare import Comparison
from stepscope.comparison.sentences import cause_message, is_identical, sentences
from stepscope.messages.rendering import render, say
from stepscope.reporters.comparison_places import count_text
from stepscope.reporters.comparison_text import comparison_lines
from stepscope.reporters.console import DEFAULT_WIDTH
from stepscope.reporters.markdown_report import folded, plain
from stepscope.reporters.signs import signed

_MOST = 5


def comparison_markdown(found: Comparison) -> str:
    """GitHub's Markdown: sentences, causes, counts that differ, and the text between ``<details>``."""
    first, *others = [render(one) for one in sentences(found)]
    lines = [f"### {plain(first)}", "", *(f"{plain(one)}  " for one in others)]
    if not is_identical(found):
        whole = comparison_lines(found, DEFAULT_WIDTH, every=True)
        lines += ["", *_causes(found), "", *_counts(found), "", *folded(whole, say("diff-whole"))]
    return "\n".join(lines) + "\n"


def _causes(found: Comparison) -> Iterator[str]:
    causes = found.attribution.causes or found.gpu_work.causes
    if not causes:
        return
    yield f"| {say('diff-title-effect')} | {say('diff-title-cause')} |"
    yield "|---:|---|"
    for cause in causes[:_MOST]:
        yield f"| {signed(cause.effect_ns)} | {plain(render(cause_message(cause)))} |"


def _counts(found: Comparison) -> Iterator[str]:
    differing = found.counts.filter("differs").to_dicts()
    if not differing:
        return
    titles = " | ".join(say(f"diff-title-{name}") for name in ("what", "base", "new"))
    yield f"| {titles} |"
    yield "|---|---:|---:|"
    for row in differing:
        base, new = (count_text(row["key"], row[side]) for side in ("base", "new"))
        yield f"| {plain(say('diff-count-' + row['key']))} | {base} | {new} |"
