"""A report as one HTML file within a number of bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from stepscope.answers.commandline import what_if_command
from stepscope.answers.documents import verdict_document
from stepscope.answers.requests import Choice
from stepscope.answers.run_facts import Named, run_facts
from stepscope.errors import BadRequest
from stepscope.findings.report import Report
from stepscope.findings.sparing import spared
from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language, say
from stepscope.reporters.html.kept_timeline import made_timeline
from stepscope.reporters.html.parts import packed
from stepscope.reporters.html.report_request import Asking, asking
from stepscope.reporters.html.shell import page_with, read_licenses, read_shell
from stepscope.reporters.html.sources import hold_sources, pack_sources
from stepscope.reporters.html.tables import HeldTables, hold_health, hold_tables
from stepscope.reporters.html.timeline import HeldTimeline
from stepscope.store.profile import as_ranges

MAX_BYTES = 8_000_000
"""Size of a report unless told otherwise."""

RUN = "report"
"""Id of the only run that a report holds."""

_TABLES_SHARE = 0.4
_TABLES_LEAST = 400_000
"""Of the page, without the app, and bytes of it, as far as there are so many: for the tables. The rest is for the
timeline, and so is what the tables did not need."""

_SOURCES_SHARE = 0.5
"""Of what the tables left: most for lines of source files."""

_MOST_FILES = 5
"""Source files that are named on the command line when lines of them are quoted."""

_RESERVE = 40_000
"""For what is packed last: the notes of health, and where everything is."""


@dataclass(frozen=True)
class HtmlReport:
    """A report as text of an HTML file.

    Attributes:
        left_out: what the recording has and the file does not, a sentence each.
        sources: the file of each place that it quotes, by its path on this machine.
    """

    text: str
    left_out: list[Message]
    sources: tuple[str, ...]

    @property
    def notices(self) -> list[str]:
        """What is to be known about the file, a line each."""
        lines = [say("page-left-out", what=what) for what in self.left_out]
        if self.sources:
            files = list(dict.fromkeys(self.sources))
            more = max(0, len(files) - _MOST_FILES)
            lines.append(say("page-quotes", places=len(self.sources), files=files[:_MOST_FILES], more=more))
        return lines


def html_report(
    report: Report,
    paths: Sequence[str],
    choice: Choice,
    max_bytes: int = MAX_BYTES,
    with_source: bool = True,
    shell: str | None = None,
) -> HtmlReport:
    """The web app with a report inside.

    Args:
        paths: the traces, as commands on its pages name them.
        choice: ranks and steps that the report is of.
        max_bytes: most bytes of the file.
        with_source: whether to quote source files that are on this machine.
        shell: the app without data; the installed one unless given.

    Raises:
        BadRequest: this installation has no web app, or it does not fit.
    """
    shell, licenses = (read_shell(), read_licenses()) if shell is None else (shell, "")
    report = report if with_source else _without_source(report)
    asked = asking(report.profile, paths, choice)
    nothing = packed("run", json.dumps(_run(report, asked, HeldTables(), HeldTimeline())).encode())
    room = max_bytes - len(page_with(shell, [nothing], licenses).encode()) - _RESERVE
    if room <= 0:
        raise _too_small(max_bytes, max_bytes - room)
    tables = hold_tables(report, asked, max(int(room * _TABLES_SHARE), min(room * 9 // 10, _TABLES_LEAST)))
    places = hold_sources(report.chosen, tables.frames) if with_source else []
    sources, quoted = pack_sources(places, int((room - tables.size) * _SOURCES_SHARE))
    timeline = _timeline(report, room - tables.size - sources.size)
    unquoted = [Message("page-unquoted", quoted=quoted, places=len(places))] if quoted < len(places) else []
    left_out = [*_ranks_left_out(report), *tables.left_out, *unquoted, *timeline.left_out]
    hold_health(tables, report, asked, _notes(left_out, asked))
    run = packed("run", json.dumps(_run(report, asked, tables, timeline)).encode())
    text = page_with(shell, [run, *tables.parts, sources, *timeline.parts], licenses)
    size = len(text.encode())
    if size > max_bytes:
        raise _too_small(max_bytes, size)
    return HtmlReport(text, left_out, tuple(place["path"] for place in places[:quoted]))


def _without_source(report: Report) -> Report:
    """A report without the source lines that its recordings hold."""
    known = report.tables.get("kernel_lines")
    if known is None:
        return report
    bare = known.with_columns(pl.lit(None, pl.String).alias("text"))
    return replace(report, tables={**report.tables, "kernel_lines": bare})


def _timeline(report: Report, room: int) -> HeldTimeline:
    """The timeline in some bytes, or none and why."""

    def failed(error: str) -> HeldTimeline:
        return HeldTimeline(left_out=[Message("page-failed", what=Message("page-timeline"), type=error)])

    return spared(lambda: made_timeline(report.chosen, room), failed)


def _ranks_left_out(report: Report) -> list[Message]:
    """Which ranks the timeline and the tables that do not compare ranks are of, where not of all."""
    if report.chosen is report.profile:
        return []
    shown = as_ranges(list(report.detailed))
    return [Message("page-ranks", shown=shown, ranks=len(report.profile.ranks))]


def _too_small(given: int, needed: int) -> BadRequest:
    found = f"{given:,} bytes are less than the app and the facts of the run take"
    return BadRequest("cannot write the report", found, f"For example: --max-report-size {needed // 1_000_000 + 2}MB")


def _notes(left_out: list[Message], asked: Asking) -> list[Message]:
    """What a reader has to know about the report itself."""
    if not left_out:
        return []
    return [Message("page-not-everything", command=asked.serve), *left_out]


def _run(report: Report, asked: Asking, tables: HeldTables, timeline: HeldTimeline) -> dict[str, Any]:
    """What the page reads first: the run, the verdict, and where everything else is."""
    totals = {key: int(facts["total"]) for key, facts in tables.index.items()}
    facts = run_facts(
        report.profile,
        Named(RUN, asked.name, report.profile.path),
        asked.clock,
        lambda name: totals.get(f"{name}||0"),
        selects_steps=False,
    )
    return {
        "version": 1,
        "run": facts | {"what_if": what_if_command(asked.paths, asked.choice)},
        "verdict": verdict_document(report.verdicts, report.job, report.figures, asked.paths, asked.choice),
        "tables": tables.index,
        "timeline": timeline.index,
        "serve": asked.serve,
        "whole": in_every_language(Message("page-whole", command=asked.serve)),
    }
