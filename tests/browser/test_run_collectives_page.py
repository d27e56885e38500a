"""The page of collectives over the run: bandwidth over time, slow communicators, who arrives last; none of a trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import nameless, settled
from building import flat, kernel, launched, step, write
from building.inspector import MadeLogs, over_time

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


def test_bandwidth_over_the_run_and_who_is_slow(served: Served, page: Page, tmp_path: Path) -> None:
    over_time().write(tmp_path / "logs")
    page.goto(served(tmp_path).at("run_collectives", run="logs"))
    settled(page)
    main = page.get_by_role("main")
    expect(page.get_by_role("heading", level=1)).to_have_text("Collectives over the run")
    figures = main.locator("dl.figures").first
    expect(figures.locator("dt")).to_have_text(
        ["Calls", "Slow communicators or links", "Waiting for the last rank", "Most often last"]
    )
    expect(figures.locator("dd.figure")).to_have_text(["160", "1", "16.7 %", "rank 1"])
    expect(page.get_by_role("combobox", name="Collective and size")).to_have_value("AllReduce 64.0 MiB")
    expect(main.get_by_role("group", name=re.compile("^Bandwidth over the run"))).to_be_visible()
    lines = main.get_by_role("figure").filter(has_text="Bandwidth over the run").get_by_role("button", pressed=True)
    assert lines.all_inner_texts() == ["0xa2", "0xa0", "0xa1", "0xa3"], "the slow one first"
    expect(main).to_contain_text("Who arrives last")
    assert nameless(page) == []


def test_lines_of_one_moment_say_why_there_is_nothing_over_time(served: Served, page: Page, tmp_path: Path) -> None:
    logs = MadeLogs()
    logs.call(1, {0: 300, 1: 200})
    logs.write(tmp_path / "logs")
    page.goto(served(tmp_path).at("run_collectives", run="logs"))
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("Nothing over time: the lines were all written at one time")
    expect(page.get_by_role("main")).to_contain_text("none is compared: fewer than four are alike")


def test_the_verdict_of_the_logs_leads_there(served: Served, page: Page, tmp_path: Path) -> None:
    over_time().write(tmp_path / "logs")
    page.goto(served(tmp_path).at("verdict", run="logs"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("arrives last in 100 % of its 40 matched collectives")
    page.get_by_role("main").get_by_role("link", name="Collectives").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Collectives over the run")


def test_a_trace_says_what_would_record_it(served: Served, page: Page, tmp_path: Path) -> None:
    write(tmp_path / "trace.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    page.goto(served(tmp_path).at("run_collectives", run="trace.json"))
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("NCCL_INSPECTOR_ENABLE=1")


def test_a_report_of_one_file_holds_the_page(report_page: Any, tmp_path: Path) -> None:
    page = report_page(over_time().write(tmp_path / "logs"), page="run_collectives")
    settled(page)
    expect(page.get_by_role("group", name=re.compile("^Bandwidth over the run"))).to_be_visible()
