"""The report as a comment on a pull request: verdict and recommendations, the whole report folded below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from stepscope.findings.over_ranks import once
from stepscope.findings.report import Report
from stepscope.messages import readable
from stepscope.messages.frames import in_words
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.reporters.report_text import report_lines
from stepscope.reporters.sections.findings import nothing_recommended, saving
from stepscope.reporters.sections.opening import facts
from stepscope.reporters.sections.text_lines import Line
from stepscope.reporters.sections.verdict_of_ranks import said_of, verdicts_once
from stepscope.schema import TABLES

_MOST_RANKS, _MOST_FINDINGS = 4, 5
_MARKUP = re.compile(r"[\\`*\[\]<>|~#@&]|(?<!\w)_|_(?!\w)")
"""What may mean something in GitHub's Markdown; an underscore does not inside of a word."""


def report_markdown(report: Report) -> str:
    """GitHub's Markdown: at most twenty lines, then the text report between ``<details>``. Ends with a newline."""
    whole = folded(report_lines(report), say("section-whole-report"))
    return "\n".join([*_opening(report), "", *_recommendations(report), "", *whole]) + "\n"


def _opening(report: Report) -> Iterator[str]:
    headlines = [render(one) for one in report.job] or [render(one) for one in report.verdicts[0].sentences]
    yield f"### {plain(headlines[0])}"
    yield ""
    yield f"{plain(one_line(readable(report.profile.path)))} · {plain(facts(report))}"
    yield ""
    yield plain(" ".join(headlines[1:]))
    if report.job:
        said = (said_of(report, group, 1) for group in verdicts_once(report, 1, _MOST_RANKS))
        yield from (f"- {plain(whose + sentences[0])}" for whose, sentences in said)


def _recommendations(report: Report) -> Iterator[str]:
    worth = once(in_words(report.tables["findings"], TABLES["findings"].messages), "high", "medium")
    if len(worth) == 0:
        yield nothing_recommended(report)
    for number, row in enumerate(worth.head(_MOST_FINDINGS).iter_rows(named=True), 1):
        yield f"{number}. **{plain(row['title'])}**: {plain(_saved(row, report))}. {plain(row['advice'])}"
    if len(worth) > _MOST_FINDINGS:
        yield say("recommendation-more", count=len(worth) - _MOST_FINDINGS)


def _saved(row: dict[str, Any], report: Report) -> str:
    said = saving(row, report.profile)
    return say("recommendation-details", saving=said, confidence=row["confidence"], reason=row["confidence_reason"])


def folded(lines: Iterable[Line], summary: str) -> Iterator[str]:
    """Lines of text between ``<details>``, in a fence that nothing in them ends."""
    text = "\n".join(line.text for line in lines)
    fence = "`" * (max([2, *map(len, re.findall("`+", text))]) + 1)
    yield f"<details><summary>{summary}</summary>"
    yield ""
    yield f"{fence}text"
    yield text
    yield fence
    yield ""
    yield "</details>"


def plain(text: str) -> str:
    """Text of a trace without any meaning in Markdown or HTML; nobody is mentioned.

    >>> plain("a<b>|c*d_e")
    'a&#60;b&#62;&#124;c&#42;d_e'
    """
    return _MARKUP.sub(lambda found: f"&#{ord(found.group())};", one_line(text))
