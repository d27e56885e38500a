"""A detector, a table or a verdict that fails by a defect costs itself; the rest of the report is there and says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from building import Events, call, kernel, opened, operator, step
from report_page import SHELL, told
from stepscope.answers.requests import Choice
from stepscope.findings import examination, kept_tables, report, verdict
from stepscope.findings.detector_context import Case
from stepscope.findings.report import Report, make_report
from stepscope.findings.sparing import spared
from stepscope.reporters import report_text
from stepscope.reporters.html import tables, timeline
from stepscope.reporters.html.report import html_report
from stepscope.store.profile import Profile

STEP = 1_000_000
DEFECT = "a defect of stepscope, not of your trace: ZeroDivisionError. STEPSCOPE_DEBUG=1 shows where; please report it"


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Profile:
    """Steps in which the host waits for the GPU for nothing; opened as a user opens it."""
    monkeypatch.delenv("STEPSCOPE_DEBUG")

    def each(at: int, number: int) -> list[Events]:
        return [
            step(number, at, at + STEP),
            operator("aten::mm", at + 10_000, at + 20_000),
            call(at + 11_000, at + 15_000, number),
            kernel("k", at + 20_000, at + 400_000, number),
            call(at + 100_000, at + 405_000, number + 1, name="cudaDeviceSynchronize"),
            operator("aten::mul", at + 410_000, at + STEP - 10_000),
        ]

    return opened(tmp_path, *(each(STEP * n, 10 * n + 1) for n in range(4))).profile


def broken(*_: object, **__: object) -> Any:
    raise ZeroDivisionError


def without(name: str) -> Any:
    """`make_table` of a house in which one table fails."""
    return lambda profile, table, *rest: broken() if table == name else kept_tables.made_table(profile, table, *rest)


def text_of(made: Report) -> str:
    return " ".join(" ".join(line.text.split()) for line in report_text.report_lines(made))


def failed_parts(made: Report) -> list[tuple[int | None, str]]:
    return made.tables["health"].filter(check="computed").select("rank", "status").rows()


@pytest.mark.long
def test_a_detector_that_fails_costs_its_finding(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen with a step of 9.2e18 ns: a note divided by the step without the profiler, and no report was left."""

    def detect(case: Case) -> Any:
        return broken(case)

    detect.__module__ = "stepscope.findings.detectors.attention"
    monkeypatch.setattr(examination, "_DETECTORS", (detect, *examination._DETECTORS))
    made = make_report(profile)
    assert made.tables["findings"]["id"].to_list() == ["synchronize"]
    assert failed_parts(made) == [(0, "error")]
    assert f"computed: attention failed, rank 0: what attention looks for was not examined, {DEFECT}" in text_of(made)


@pytest.mark.long
def test_a_fix_that_cannot_be_simulated_costs_its_finding(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "_saving", broken)
    made = make_report(profile)
    assert len(made.tables["findings"]) == 0
    assert "computed: synchronize failed" in text_of(made)


@pytest.mark.long
@pytest.mark.parametrize("table", ["critical_path", "operators", "findings", "health", "summary"])
def test_a_table_that_fails_costs_its_rows(profile: Profile, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    monkeypatch.setattr(report, "made_table", without(table))
    made = make_report(profile)
    text = text_of(made)
    assert len(made.tables[table]) == (1 if table == "health" else 0)
    assert failed_parts(made) == [(None, "error")]
    assert f"computed: {table} failed, no rows: {table} could not be computed, {DEFECT}" in text
    assert "aten::mm" in text or table == "operators"
    page = html_report(made, ["t.json"], Choice(), shell=SHELL)
    assert told(page.text)["verdict"]["verdicts"]


def test_a_verdict_that_fails_says_so(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "verdict", broken)
    made = make_report(profile)
    assert [one.bound for one in made.verdicts] == ["unknown"]
    assert f"There is no verdict: {DEFECT}." in text_of(made)
    assert made.failed


@pytest.mark.long
def test_ranks_that_cannot_be_compared_say_so(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_tables, "job_sentences", broken)
    assert f"The ranks could not be compared: {DEFECT}." in text_of(make_report(profile))


@pytest.mark.long
def test_a_section_that_fails_costs_its_lines(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_text, "_SECTIONS", (*report_text._SECTIONS[:4], broken))
    text = text_of(make_report(profile))
    assert f"The section broken is missing: {DEFECT}" in text
    assert "Verdict" in text


@pytest.mark.long
def test_parts_of_a_page_that_fail_are_told(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "made_table", without("launch_queue"))
    monkeypatch.setattr(timeline, "excerpt", broken)
    page = html_report(make_report(profile), ["t.json"], Choice(), shell=SHELL)
    assert [notice for notice in page.notices if f"the timeline: {DEFECT}" in notice]
    assert told(page.text)["timeline"] is None


@pytest.mark.long
def test_what_failed_is_not_kept(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have been the machine: the next report tries again."""
    with monkeypatch.context() as patch:
        patch.setattr(verdict, "verdict", broken)
        assert make_report(profile).failed
    assert not make_report(profile).failed


@pytest.mark.parametrize("error", [MemoryError, OSError])
def test_what_a_user_can_do_something_about_is_not_spared(error: type[Exception]) -> None:
    def make() -> None:
        raise error

    with pytest.raises(error):
        spared(make, lambda _: None)
