"""What a notebook shows of an opened profile."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from stepscope.findings.over_ranks import once
from stepscope.findings.report import Report
from stepscope.messages import readable
from stepscope.messages.frames import in_words
from stepscope.messages.rendering import render
from stepscope.reporters.sections.findings import nothing_recommended, saving
from stepscope.reporters.sections.opening import facts, verdict_sentences
from stepscope.schema import TABLES

_MOST = 5


def notebook_html(report: Report) -> str:
    """Verdict and recommendations as HTML without scripts, in the colours of the page around it."""
    return f'<div style="max-width:60em">{"".join(_parts(report))}</div>'


def _parts(report: Report) -> Iterator[str]:
    first, *others = verdict_sentences(report)
    yield f'<div style="opacity:0.7">{escape(readable(report.profile.path))} · {escape(facts(report))}</div>'
    yield f"<p><strong>{escape(first)}</strong> {escape(' '.join(others))}</p>"
    worth = once(in_words(report.tables["findings"], TABLES["findings"].messages), "high", "medium")
    if len(worth) == 0:
        yield f"<p>{escape(nothing_recommended(report))}</p>"
        return
    rows = [
        f"<li>{escape(row['title'])}: {escape(render(saving(row, report.profile)))}<br>{escape(row['advice'])}</li>"
        for row in worth.head(_MOST).iter_rows(named=True)
    ]
    yield f"<ol>{''.join(rows)}</ol>"
