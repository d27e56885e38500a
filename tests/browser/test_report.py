"""The one-file report in a browser: opened from disk, without a network, with the numbers of ``stepscope show``."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import stepscope
from browsing.pages import PAGES, turned_to
from browsing.reports import Reports
from building import kernel, launched, operator, step, write
from stepscope.findings.verdict import verdict
from stepscope.messages.quantities import time_text
from stepscope.messages.rendering import render
from stepscope.reporters.html.shell import page_with, read_shell
from stepscope.server.web import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Page

ReportPage = Callable[..., "Page"]

EXAMPLE = "batch_size.slow.pt.trace.json.gz"
HOSTILE = '<img src=x onerror="window.hacked=1">'


def grid_rows(page: Page) -> list[list[str]]:
    """Cells of the rows in sight of the page's first table, as they are read."""
    page.locator("[role=grid] [role=row] [role=gridcell]").first.wait_for()
    rows = page.locator("[role=grid]").first.locator("[role=row]").all()
    cells = [[cell.inner_text() for cell in row.locator("[role=gridcell], [role=rowheader]").all()] for row in rows]
    return [[re.sub(r"\s+", "", text) for text in row] for row in cells if row]


def test_it_opens_at_the_verdict_and_says_what_the_command_line_says(
    report_page: ReportPage, reports: Reports, examples: Path
) -> None:
    page = report_page(examples / EXAMPLE)
    page.goto(reports.of(examples / EXAMPLE).as_uri())
    page.get_by_role("heading", level=1).wait_for()
    assert page.title() == "batch_size.slow · Verdict · stepscope"
    made = stepscope.open(examples / EXAMPLE)
    said = verdict(made.profile.ranks[0], made.show("utilization").row(0, named=True)).sentences
    shown = page.get_by_role("main").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert all(render(sentence) in shown for sentence in said)


def test_tables_have_the_rows_of_show(report_page: ReportPage, examples: Path) -> None:
    page = report_page(examples / EXAMPLE, page="operators")
    shown = stepscope.open(examples / EXAMPLE).show("operators")
    expected = [
        [row["name"], f"{row['calls']:,}", time_text(row["device_self_ns"]).replace(" ", "")]
        for row in shown.head(8).iter_rows(named=True)
    ]
    assert [row[:3] for row in grid_rows(page)[:8]] == expected


@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
def test_every_page_opens_without_an_error(report_page: ReportPage, examples: Path, language: str, dark: bool) -> None:
    page = report_page(examples / EXAMPLE, language=language, dark=dark)
    for name in PAGES:
        page.evaluate("(hash) => { location.hash = hash }", f"#/{name}")
        turned_to(page, name)
        assert page.get_by_role("alert").count() == 0, name
    assert page.evaluate("document.documentElement.lang") == ("zh-CN" if language == "zh-CN" else "en")
    assert page.evaluate("document.documentElement.dataset.theme") == ("dark" if dark else "light")


def test_ranks_choose_rows_of_the_whole_recording(report_page: ReportPage, examples: Path) -> None:
    page = report_page(examples / "ddp4_straggler", page="tables", params={"table": "summary", "rank": "2,3"})
    assert [row[0] for row in grid_rows(page)] == ["2", "3"]


def hostile_trace(folder: Path) -> Path:
    events = [
        [operator(HOSTILE, at, at + 50, external_id=i), *launched(kernel(HOSTILE, at + 60, at + 90, i), at + 10)]
        for i, at in enumerate(range(0, 1000, 100))
    ]
    return write(folder / "hostile.json", step(0, 0, 1000), *events)


def test_texts_of_a_trace_are_shown_and_never_run(report_page: ReportPage, tmp_path: Path) -> None:
    page = report_page(hostile_trace(tmp_path), page="operators")
    assert grid_rows(page)[0][0] == HOSTILE.replace(" ", "")
    for name in PAGES:
        page.evaluate("(hash) => { location.hash = hash }", f"#/{name}")
        turned_to(page, name)
        assert page.locator("img").count() == 0, name
    assert page.evaluate("window.hacked") is None


def test_a_script_that_got_in_would_not_run(report_page: ReportPage, examples: Path, allowed_errors: list[str]) -> None:
    """The page allows its own script by its hash: what a defect let through would be refused."""
    allowed_errors.append("Content Security Policy")
    page = report_page(examples / EXAMPLE)
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate(
        """() => {
            const [element, script] = ['div', 'script'].map((name) => document.createElement(name))
            element.innerHTML = '<img src="data:," onerror="window.hacked=1">'
            script.textContent = 'window.hacked=2'
            document.body.append(element, script)
        }"""
    )
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.hacked") is None


def test_an_area_is_divided_from_the_events_that_the_report_holds(report_page: ReportPage, tmp_path: Path) -> None:
    """Seen in every report: an area had no sums, though each of its events was in the file."""
    path = write(tmp_path / "trace.json", step(0, 0, 200), kernel("gemm", 20, 60), kernel("relu", 70, 80))
    page = report_page(path, page="timeline", params={"sel": '["area","40.160"]'})
    dock = page.get_by_role("complementary", name="Details")
    dock.get_by_role("img", name=re.compile("compute 30 ns.*idle 90 ns")).wait_for()
    dock.get_by_role("cell", name="gemm").wait_for()


def test_the_timeline_says_where_its_detail_ends(report_page: ReportPage, tmp_path: Path) -> None:
    events = [
        kernel(f"kernel {i * i % 97}", 50 * i, 50 * i + 1 + i * 7919 % 49, stream=7 + i % 2) for i in range(30_000)
    ]
    path = write(tmp_path / "long.json", step(0, 0, 1_500_000), *events)
    # Room for data beside the app, which may grow.
    size = len(page_with(read_shell(FOLDER / "report.html"), []).encode()) + 250_000
    page = report_page(path, "--max-report-size", str(size), page="timeline", params={"t": "100000,101000"})
    page.get_by_text("The detail of this report ends here").wait_for()
    page.goto(page.url.partition("#")[0] + "#/health")
    page.get_by_text("events shorter than").first.wait_for()


def test_what_is_not_in_it_is_said_with_the_command_that_shows_it(report_page: ReportPage, examples: Path) -> None:
    page = report_page(
        examples / EXAMPLE, page="tables", params={"table": "critical_path", "critical_path.by": "event"}
    )
    page.get_by_text("the first 5,000 of 49,653 rows").first.wait_for()


@pytest.mark.parametrize("events", [[operator("aten::mm", 0, 10)], [kernel("gemm", 0, 10)]], ids=["host", "gpu"])
def test_recordings_of_one_side_only_show_every_page(
    report_page: ReportPage, tmp_path: Path, events: list[Any]
) -> None:
    page = report_page(write(tmp_path / "trace.json", *events))
    for name in PAGES:
        page.evaluate("(hash) => { location.hash = hash }", f"#/{name}")
        turned_to(page, name)
        assert page.get_by_role("main").inner_text().strip(), name


def test_a_damaged_file_says_so(browse: Callable[..., Page], reports: Reports, examples: Path, tmp_path: Path) -> None:
    text = reports.of(examples / EXAMPLE).read_text(encoding="utf-8")
    at = text.index('id="stepscope-app">') + 5000
    (tmp_path / "cut.html").write_text(text[:at] + text[at + 4000 :], encoding="utf-8")
    page = browse(offline=True)
    page.goto((tmp_path / "cut.html").as_uri())
    page.get_by_text("This report is damaged").wait_for()
