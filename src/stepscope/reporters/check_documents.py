"""What a check found for programs: JSON, Markdown for a pull request, JUnit XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from stepscope.checking.outcome import FINE, REGRESSED, UNKNOWN, Check, Verdict
from stepscope.checking.sentences import check_clause, figure_text, sentences
from stepscope.messages import readable
from stepscope.messages.rendering import render, rendered_json, say
from stepscope.reporters.check_text import check_lines, limit_text, ordered, title_text
from stepscope.reporters.console import DEFAULT_WIDTH
from stepscope.reporters.markdown_report import folded, plain
from stepscope.schema import JSON_VERSION

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, however they are written."""


def check_json(found: Verdict) -> str:
    """One JSON document, a newline behind."""
    return json.dumps(_document(found), ensure_ascii=False, allow_nan=False) + "\n"


def _document(found: Verdict) -> dict[str, Any]:
    return {
        "schema_version": JSON_VERSION,
        "outcome": found.outcome,
        "exit_code": found.exit_code,
        "sentences": [rendered_json(one) for one in sentences(found)],
        "baseline": found.baseline and readable(found.baseline),
        "new": [readable(source) for source in found.sources],
        "tolerance_pct": found.tolerance_pct,
        "count_tolerance_pct": found.count_tolerance_pct,
        "setup": [{"what": one.what, "base": one.base, "new": one.new} for one in found.setup],
        "compared": found.comparison is not None,
        "checks": [_check(one) for one in found.checks],
    }


def _check(one: Check) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "name": readable(one.name),
        "title": title_text(one),
        "unit": one.unit,
        "base": one.base,
        "new": one.new,
        "limit": one.limit,
        "at_least": one.at_least,
        "outcome": one.outcome,
        "why": rendered_json(one.why),
    }


def check_markdown(found: Verdict) -> str:
    """GitHub's Markdown: the sentence, what is not fine as a table, everything folded below."""
    first, *others = [render(one) for one in sentences(found)]
    lines = [f"### {plain(first)}", "", *(f"{plain(one)}  " for one in others)]
    shown = [one for one in ordered(found.checks) if one.outcome != FINE]
    if shown:
        lines += ["", *_rows(shown)]
    lines += ["", *folded(check_lines(found, DEFAULT_WIDTH, every=True), say("diff-whole"))]
    return "\n".join(lines) + "\n"


def _rows(checks: list[Check]) -> Iterator[str]:
    names = ("check", "base", "new", "limit", "outcome")
    yield f"| {' | '.join(say(f'gate-title-{name}') for name in names)} |"
    yield "|---|---:|---:|---:|---|"
    for one in checks:
        cells = [title_text(one), figure_text(one.base, one.unit), figure_text(one.new, one.unit), limit_text(one)]
        yield f"| {' | '.join(plain(cell) for cell in (*cells, say(f'gate-outcome-{one.outcome}')))} |"


def check_junit(found: Verdict) -> str:
    """JUnit XML: a test case for each check; what cannot be told is skipped, with the reason."""
    checks = found.checks
    refused = [] if not found.refused else [" ".join(render(one) for one in sentences(found))]
    counts = {
        "tests": len(checks) + len(refused),
        "failures": len(found.of(REGRESSED)),
        "errors": 0,
        "skipped": len(found.of(UNKNOWN)) + len(refused),
    }
    numbers = {name: str(count) for name, count in counts.items()}
    root = Element("testsuites", numbers)
    suite = SubElement(root, "testsuite", {"name": "stepscope", **numbers, "time": "0"})
    for why in refused:
        case = SubElement(suite, "testcase", {"classname": "stepscope.setup", "name": "setup", "time": "0"})
        SubElement(case, "skipped", {"message": _clean(why)})
    for one in checks:
        name = _clean(title_text(one))
        case = SubElement(suite, "testcase", {"classname": f"stepscope.{one.kind}", "name": name, "time": "0"})
        if one.outcome != FINE:
            tag = "failure" if one.outcome == REGRESSED else "skipped"
            SubElement(case, tag, {"message": _clean(render(check_clause(one)))})
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, "unicode") + "\n"


def _clean(text: str) -> str:
    r"""The text without what XML cannot hold.

    >>> _clean("a\x01\ufffe<b>")
    'a??<b>'
    """
    return _NO_XML.sub("?", text)
